import type { RedisLink } from '../store/shared/redis.ts';
import { createBreaker, type BreakerOptions, type HostResult, type Pause } from './breaker.ts';
import { createPace, fairQueues, sharedPace } from './queue.ts';
import { siteQueues, type SiteQueues } from './site-queue.ts';
import { openFetch, type Fetch, type FetchOptions } from './fetch.ts';
import { inMemorySingleFlight, type SingleFlight } from '../lib/promises.ts';

/** When a request to a host may be sent: each host has one circuit breaker and one fair queue, at one pace. */
export interface Hosts {
  /** Waits for a turn. Refused while the host is paused, or when its queue has no turn in time. */
  enter(host: string, options: EnterOptions): Promise<Visit | Refusal>;
  /** Runs the check, or returns the result of the one that is running or ended less than the first pause ago. */
  checkHealth(host: string, check: HealthCheck): Promise<HostResult>;
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
  /** Called before failures pause the host for all. If it finds a check, only that check's result counts. */
  findHealthCheck?: () => Promise<HealthCheck | null>;
  /** This request is a health check: sent although the host is being probed, and once per pause over all instances. */
  isHealthCheck?: boolean;
  /** It has waited for its slot already. */
  hasSlot?: boolean;
  signal?: AbortSignal;
}

/** Requests something that the host has sent before. Never rejects. */
export type HealthCheck = () => Promise<{ result: HostResult; retryAfterMs?: number | undefined }>;

interface Visit {
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

/** How soon a health check that wasn't sent, because there was no turn or another instance sent one, is tried again. */
const UNSENT_MS = 5000;
const SLOT = { granted: true, waitMs: 0 };

export function openHosts(options: HostsOptions = {}): Hosts {
  const { everyMs = 1000, pauseMs = 30_000, redis, now = () => performance.now() } = options;
  const breaker = createBreaker({ ...options, pauseMs, now });
  const pauses = redis ? sharedPauses(redis) : null;
  const local = createPace(everyMs, now);
  const pace = redis ? sharedPace(redis, everyMs, local) : local;
  const queues = fairQueues(pace, { everyMs, now });
  const sites = siteQueues(pace, { everyMs, now });
  const checks = new Map<string, { result: Promise<HostResult>; until: number }>();

  function checkHealth(host: string, check: HealthCheck): Promise<HostResult> {
    const last = checks.get(host);
    if (last && now() < last.until) return last.result;
    const current = { result: runCheck(), until: Infinity };
    checks.set(host, current);
    return current.result;

    async function runCheck(): Promise<HostResult> {
      const { result, retryAfterMs } = await check();
      breaker.reportHealth(host, result, retryAfterMs);
      current.until = now() + (result === 'unknown' ? UNSENT_MS : pauseMs);
      await pauses?.extend(host, breaker.pauseOf(host));
      return result;
    }
  }

  return {
    async enter(host, { withinMs, client, findHealthCheck, isHealthCheck = false, hasSlot = false, signal }) {
      const refusal = (why: Refusal['why'], retryAfterMs: number) =>
        ({ ok: false, why, retryAfterMs }) as const;
      const pause = isHealthCheck ? null : (breaker.pauseOf(host, client) ?? (await pauses?.of(host)));
      if (pause) return refusal(pause.after, pause.ms);
      const { granted, waitMs } = hasSlot ? SLOT : await queues.wait(host, withinMs, client, signal);
      if (!granted) return refusal('busy', waitMs);
      // Other requests may have been refused while this one waited.
      const newPause = (await pauses?.of(host)) ?? (isHealthCheck ? null : breaker.admit(host, client));
      if (newPause) return refusal(isHealthCheck ? 'busy' : newPause.after, newPause.ms);
      if (isHealthCheck && (await pauses?.isChecked(host, pauseMs))) return refusal('busy', pauseMs);
      return {
        ok: true,
        waitedMs: waitMs,
        again: async (ms) => (await queues.wait(host, ms, client, signal)).granted,
        async end(result, retryAfterMs) {
          if (isHealthCheck) return;
          const wanted = breaker.report(host, result, retryAfterMs, client);
          const check = wanted && (await findHealthCheck?.());
          // In the background: this client has its result, and requests of others may be fine.
          if (check) void checkHealth(host, check);
          else if (wanted) breaker.pause(host, wanted);
          await pauses?.extend(host, breaker.pauseOf(host));
        },
      };
    },
    checkHealth,
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
    /** Whether another instance began a health check less than a pause ago. If not, this one does. */
    isChecked: (host: string, pauseMs: number): Promise<boolean> =>
      redis
        .run((client) => client.set(`monroney:checked:${host}`, '', 'PX', pauseMs, 'NX'))
        .then((set) => set === null)
        .catch(() => false),
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

/** Everything needed to send requests to label sources politely. */
export interface Net {
  readonly fetch: Fetch;
  /** Timeout of one attempt, from the DNS lookup to the last byte, if another URL or source can be tried after it. */
  readonly attemptMs: number;
  /** Timeout of everything for one VIN: queueing, retries and checking the file. Real clients give up after 25 seconds. */
  readonly totalMs: number;
  /** Backoff before the first retry; doubles with each retry. */
  readonly backoffMs: number;
  readonly hosts: Hosts;
  readonly singleFlight: SingleFlight;
  /** The clock of all timeouts. Doesn't jump when the wall clock is set. */
  now(): number;
  close(): void;
}

export interface NetOptions extends FetchOptions {
  /** Multiplies the timeouts. */
  timeoutFactor?: number | undefined;
  hosts?: HostsOptions;
  /** Shared by several processes; in memory by default. */
  singleFlight?: SingleFlight;
  now?: () => number;
}

export function openNet(options: NetOptions): Net {
  const { timeoutFactor = 1 } = options;
  const fetch = openFetch(options);
  const now = options.now ?? (() => performance.now());
  return {
    fetch,
    attemptMs: 10_000 * timeoutFactor,
    totalMs: 20_000 * timeoutFactor,
    backoffMs: 400,
    hosts: openHosts({ now, ...options.hosts }),
    singleFlight: options.singleFlight ?? inMemorySingleFlight(),
    now,
    close: () => fetch.close(),
  };
}
