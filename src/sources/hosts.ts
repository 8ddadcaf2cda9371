import { createFairQueue, type FairQueue } from '../lib/fair-queue.ts';
import { inMemorySingleFlight, type SingleFlight } from '../lib/promises.ts';
import type { RedisLink } from '../store/shared/redis.ts';
import { createBreaker, sharedPauses, type BreakerOptions, type HostResult, type Pause } from './breaker.ts';
import { openFetch, type Fetch, type FetchOptions } from './fetch.ts';

/**
 * Reserves the next free slot of a host and returns how many milliseconds away it is. A slot is a point in time, so the pace
 * is only arithmetic: `idleAt` is when the host is idle after all slots so far, and a burst may start that much earlier.
 */
export interface Pace {
  (host: string): Promise<number>;
  /**
   * Reserves the slot of this moment if the host is idle, and returns 0. Otherwise reserves nothing, and returns in how many
   * milliseconds the host may be idle. As the burst remains, this delays nobody.
   */
  ifIdle(host: string): Promise<number>;
}

/** How often requests are sent to a host: one every `everyMs`, by the clock `now`. */
export interface Pacing {
  pace: Pace;
  everyMs: number;
  now(): number;
}

/** Requests that an idle host gets at once. */
const BURST = 3;

export function createPace(everyMs: number, now: () => number): Pace {
  const idleTimes = new Map<string, number>();
  const idleAtOf = (host: string, at: number) => Math.max(idleTimes.get(host) ?? at, at);
  const reserve = async (host: string) => {
    const at = now();
    const idleAt = idleAtOf(host, at);
    idleTimes.set(host, idleAt + everyMs);
    return Math.max(0, idleAt - (BURST - 1) * everyMs - at);
  };
  const ifIdle = async (host: string) => {
    const at = now();
    const busyMs = idleAtOf(host, at) - at;
    return busyMs > 0 ? busyMs : reserve(host);
  };
  return Object.assign(reserve, { ifIdle });
}

// The same arithmetic, by Redis's clock. A time further ahead than anyone reserves is from a clock that was set back since.
const RESERVE = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local every, burst, horizon = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local idleAt = math.max(tonumber(redis.call('get', KEYS[1]) or now), now)
  if idleAt > now + horizon then idleAt = now end
  if ARGV[4] == 'if-idle' and idleAt > now then return now - idleAt end
  redis.call('set', KEYS[1], idleAt + every, 'px', idleAt + every - now + 1000)
  return math.max(0, idleAt - (burst - 1) * every - now)`;

/** One pace per host across all instances; per instance while Redis is unavailable. */
export function sharedPace(redis: Pick<RedisLink, 'run'>, everyMs: number, local: Pace): Pace {
  const reserve = async (host: string, when: 'next' | 'if-idle') => {
    const args = [everyMs, BURST, MAX_WAITING * everyMs, when];
    return Number(await redis.run((client) => client.eval(RESERVE, 1, `monroney:pace:${host}`, ...args)));
  };
  return Object.assign((host: string) => reserve(host, 'next').catch(() => local(host)), {
    // Negative when it reserved nothing.
    ifIdle: (host: string) => reserve(host, 'if-idle').then(Math.abs, () => local.ifIdle(host)),
  });
}

export interface QueueResult {
  granted: boolean;
  /** How long it waited, or an estimate of how long it would have waited. */
  waitMs: number;
}

interface Waiter {
  since: number;
  done(result: QueueResult): void;
}

interface HostQueue {
  waiting: FairQueue<Waiter>;
  /** When the next slot comes. */
  nextAt: number;
}

/** Requests that may wait for one host. */
const MAX_WAITING = 60;
/** Nothing waits longer, whatever a caller wants. */
const MAX_WAIT_MS = 60_000;

/**
 * A fair queue per host. The next request is chosen when its slot comes, not when it is queued, so a backlog delays only those
 * that caused it.
 */
export function fairQueues({ pace, everyMs, now }: Pacing, maxWaiting = MAX_WAITING) {
  const queues = new Map<string, HostQueue>();

  /** Serves one request per slot until nobody waits. */
  async function serve(host: string, queue: HostQueue): Promise<void> {
    while (queue.waiting.size > 0) {
      const waitMs = await pace(host);
      queue.nextAt = now() + waitMs;
      if (waitMs > 0) await sleep(waitMs);
      const next = queue.waiting.next();
      next?.done({ granted: true, waitMs: now() - next.since });
    }
    queues.delete(host);
  }

  return {
    /** Requests waiting per host. */
    lengths: () => Array.from(queues, ([host, { waiting }]): [string, number] => [host, waiting.size]),
    /** Waits for a slot. Not `granted` when there is none within `withinMs`, or the queue is full. */
    wait(host: string, withinMs: number, client = '', signal?: AbortSignal): Promise<QueueResult> {
      const isIdle = !queues.has(host);
      const queue = queues.get(host) ?? { waiting: createFairQueue<Waiter>(), nextAt: now() };
      const { waiting } = queue;
      const waitMs = Math.max(0, queue.nextAt - now()) + waiting.before(client) * everyMs;
      if (waitMs > withinMs) return Promise.resolve({ granted: false, waitMs });
      if (waiting.size >= maxWaiting) {
        const evicted = waiting.evictFor(client);
        if (!evicted) return Promise.resolve({ granted: false, waitMs });
        evicted.done({ granted: false, waitMs: waiting.size * everyMs });
      }
      return new Promise((resolve) => {
        const giveUp = (granted: boolean) => {
          if (waiting.remove(client, waiter)) waiter.done({ granted, waitMs: everyMs });
        };
        const timer = setTimeout(() => giveUp(false), Math.min(withinMs, MAX_WAIT_MS));
        // Granted on abort: the caller then sees its aborted signal.
        const stop = () => giveUp(true);
        signal?.addEventListener('abort', stop);
        const waiter: Waiter = {
          since: now(),
          done(result) {
            clearTimeout(timer);
            signal?.removeEventListener('abort', stop);
            resolve(result);
          },
        };
        waiting.add(client, waiter);
        if (!isIdle) return;
        queues.set(host, queue);
        void serve(host, queue);
      });
    },
  };
}

/** Not `node:timers/promises`, whose timers tests cannot mock. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}

/** When a request to a host may be sent: each host has one circuit breaker and one fair queue, at one pace. */
export interface Hosts {
  /** Waits for a turn. Refused while the host is paused, or when its queue has no turn in time. */
  enter(host: string, options: EnterOptions): Promise<Visit | Refusal>;
  /** Runs the check, or returns the result of the one that is running or ended less than the first pause ago. */
  checkHealth(host: string, check: HealthCheck): Promise<HostResult>;
  /** Requests waiting per host. */
  queueLengths(): [host: string, waiting: number][];
  /** For whoever waits for a slot without entering: `enter` with `hasSlot` must follow at once. */
  readonly pacing: Pacing;
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
  const pacing = { pace, everyMs, now };
  const queues = fairQueues(pacing);
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
    queueLengths: queues.lengths,
    pacing,
    forget: () => breaker.forget(),
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
