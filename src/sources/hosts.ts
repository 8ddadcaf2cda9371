import type { RedisLink } from '../store/shared/redis.ts';
import { createBreaker, type BreakerOptions, type HostResult, type Pause } from './breaker.ts';
import { createPace, fairQueues, sharedPace } from './queue.ts';
import { siteQueues, type SiteQueues } from './site-queue.ts';

/** When a request to a host may be sent: each host has one circuit breaker and one fair queue, at one pace. */
export interface Hosts {
  /** Waits for a turn. Refused while the host is paused, or when its queue has no turn in time. */
  enter(host: string, options: EnterOptions): Promise<Visit | Refusal>;
  /** Waits for a slot that nobody else uses, for another site. `enter` with `hasSlot` must follow at once. */
  waitForSite: SiteQueues['wait'];
  /** Requests waiting per host. */
  queueLengths(): [host: string, waiting: number][];
  siteQueueLengths(): [host: string, waiting: number][];
  /** Forgets clients whose last failure is old. Must be called now and then. */
  forget(): void;
}

interface EnterOptions {
  /** The longest wait. */
  withinMs: number;
  /** Takes turns with other clients, and its failures are weak evidence against the host. */
  client?: string;
  /** The host has sent this before, so that a failure counts fully against it. */
  isProven?: boolean;
  /** It has waited for its slot already. */
  hasSlot?: boolean;
  signal?: AbortSignal;
}

export interface Visit {
  ok: true;
  waitedMs: number;
  /** Waits for another turn, for a retry. False if there is none in time. */
  again(withinMs: number): Promise<boolean>;
  /** Must follow, once: tells the breaker how it went. */
  end(result: HostResult, retryAfterMs?: number): Promise<void>;
}

/** `busy`: no turn in time. Otherwise the host is paused, after it refused us or failed. */
export type Refusal = { ok: false; why: 'busy' | Pause['after']; retryAfterMs: number };

export interface HostsOptions extends BreakerOptions {
  /** Milliseconds between two requests to one host. */
  everyMs?: number;
  /** Instances that use the same Redis share the pace of each host, and its pauses. */
  redis?: Pick<RedisLink, 'run'>;
}

const SLOT = { granted: true, waitMs: 0 };

export function openHosts(options: HostsOptions = {}): Hosts {
  const { everyMs = 1000, redis, now = () => performance.now() } = options;
  const breaker = createBreaker({ ...options, now });
  const pauses = redis ? sharedPauses(redis) : null;
  const local = createPace(everyMs, now);
  const pace = redis ? sharedPace(redis, everyMs, local) : local;
  const queues = fairQueues(pace, { everyMs, now });
  const sites = siteQueues(pace, { everyMs, now });

  return {
    async enter(host, { withinMs, client, isProven = false, hasSlot = false, signal }) {
      const counted = isProven ? undefined : client;
      const pause = breaker.pauseOf(host, counted) ?? (await pauses?.of(host));
      if (pause) return { ok: false, why: pause.after, retryAfterMs: pause.ms };
      const { granted, waitMs } = hasSlot ? SLOT : await queues.wait(host, withinMs, client, signal);
      if (!granted) return { ok: false, why: 'busy', retryAfterMs: waitMs };
      // Other requests may have been refused while this one waited.
      const newPause = (await pauses?.of(host)) ?? breaker.admit(host, counted);
      if (newPause) return { ok: false, why: newPause.after, retryAfterMs: newPause.ms };
      return {
        ok: true,
        waitedMs: waitMs,
        again: async (ms) => (await queues.wait(host, ms, client, signal)).granted,
        async end(result, retryAfterMs) {
          breaker.report(host, result, retryAfterMs, counted);
          await pauses?.extend(host, breaker.pauseOf(host));
        },
      };
    },
    waitForSite: sites.wait,
    queueLengths: queues.lengths,
    siteQueueLengths: sites.lengths,
    forget: () => breaker.forget(),
  };
}

/** Each instance counts for itself; when one pauses a host, all do. Each for itself while Redis is unavailable. */
function sharedPauses(redis: Pick<RedisLink, 'run'>) {
  const keyOf = (host: string) => `monroney:paused:${host}`;
  return {
    of: (host: string): Promise<Pause | null> =>
      redis
        .run((client) => Promise.all([client.get(keyOf(host)), client.pttl(keyOf(host))]))
        .then(([after, ms]): Pause | null =>
          after && ms > 0 ? { ms, after: after === 'failed' ? 'failed' : 'refused' } : null,
        )
        .catch(() => null),
    /** Never shortens or ends the pause of another instance. */
    async extend(host: string, pause: Pause | null): Promise<void> {
      if (!pause) return;
      try {
        await redis.run(async (client) => {
          if ((await client.pttl(keyOf(host))) >= pause.ms) return;
          await client.set(keyOf(host), pause.after, 'PX', Math.ceil(pause.ms));
        });
      } catch {
        // Other instances count failures of their own.
      }
    },
  };
}
