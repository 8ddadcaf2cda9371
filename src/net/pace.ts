import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { RedisLink } from '../store/shared/redis.ts';

/**
 * Spaces out the requests to each host; `HostQueues` decides whose request is next. `inMemoryPace` covers one
 * process, `sharedPace` several.
 */
export interface Pace {
  /**
   * Reserves the host's next free slot and returns how many milliseconds away it is. When that is more than `withinMs`,
   * or the queue is full, reserves nothing and returns how long the wait would have been.
   */
  reserve(host: string, withinMs: number): MaybePromise<{ reserved: boolean; waitMs: number }>;
}

interface PaceOptions {
  /** Milliseconds between two requests to one host. */
  everyMs?: number;
  /** Requests that an idle host gets at once. */
  burst?: number;
  /** Slots that may be reserved ahead. */
  queue?: number;
  now?: () => number;
}

/**
 * A slot is a point in time, so the queue is only arithmetic: `freeAt` is when the host is idle after all slots reserved
 * so far, and a burst may start that much earlier.
 */
export function inMemoryPace(options: PaceOptions = {}): Pace {
  const { everyMs = 1000, burst = 3, queue = 60, now = () => performance.now() } = options;
  const freeAt = new Map<string, number>();
  return {
    reserve(host, withinMs) {
      const at = now();
      const idleAt = Math.max(freeAt.get(host) ?? at, at);
      const waitMs = Math.max(0, idleAt - (burst - 1) * everyMs - at);
      if (waitMs > withinMs || waitMs > queue * everyMs) return { reserved: false, waitMs };
      freeAt.set(host, idleAt + everyMs);
      return { reserved: true, waitMs };
    },
  };
}

// The same arithmetic as in memory, by Redis's clock.
const RESERVE = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local every, burst, queue, within = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
  local idleAt = math.max(tonumber(redis.call('get', KEYS[1]) or now), now)
  -- Further ahead than anyone can reserve: the clock was set back.
  if idleAt > now + (queue + burst) * every then idleAt = now end
  local wait = math.max(0, idleAt - (burst - 1) * every - now)
  if wait > within or wait > queue * every then return { 0, wait } end
  redis.call('set', KEYS[1], idleAt + every, 'px', idleAt + every - now + 1000)
  return { 1, wait }`;

/** One pace per host across all instances; per instance while Redis is unavailable. */
export function sharedPace(redis: RedisLink, options: PaceOptions = {}): Pace {
  const { everyMs = 1000, burst = 3, queue = 60 } = options;
  const local = inMemoryPace(options);
  return {
    async reserve(host, withinMs) {
      try {
        const [reserved, waitMs] = await redis.run(
          (client) =>
            client.eval(
              RESERVE,
              1,
              `monroney:pace:${host}`,
              everyMs,
              burst,
              queue,
              Math.max(0, Math.floor(withinMs)),
            ) as Promise<[number, number]>,
        );
        return { reserved: reserved === 1, waitMs };
      } catch {
        return local.reserve(host, withinMs);
      }
    },
  };
}

/**
 * A fair queue per host: clients alternate (round robin) however many requests each has waiting, so a client's backlog
 * delays only that client. The next request is chosen when its slot comes, not when it is queued.
 */
export interface HostQueues {
  /** Waits for a slot. Not `granted` when there is none within `withinMs`, or the queue is full. */
  wait(host: string, withinMs: number, client?: string, signal?: AbortSignal): Promise<QueueResult>;
  /** Requests waiting per host. */
  lengths(): [host: string, waiting: number][];
}

export interface QueueResult {
  granted: boolean;
  /** How long it waited, or an estimate of how long it would have waited. */
  waitMs: number;
}

interface HostQueueOptions {
  /** Milliseconds between two requests to one host, to estimate waits. */
  everyMs?: number;
  /** Requests that may wait for one host: in total, and per client. */
  queue?: number;
  perClient?: number;
  now?: () => number;
}

interface Waiter {
  since: number;
  done(result: QueueResult): void;
}

interface HostQueue {
  /** In the order in which they are served. */
  clients: Map<string, Waiter[]>;
  waiting: number;
  /** When the next slot comes; valid only while `draining`. */
  nextAt: number;
  draining: boolean;
}

/** Further ahead than any instance reserves. */
const HORIZON_MS = 60_000;

export function fairHostQueues(pace: Pace, options: HostQueueOptions = {}): HostQueues {
  const { everyMs = 1000, queue = 60, perClient = 10, now = () => performance.now() } = options;
  const queues = new Map<string, HostQueue>();

  /** Requests that are served before the next one of a client that has `own` waiting. */
  function requestsBefore(hostQueue: HostQueue, client: string, own: number): number {
    let before = own;
    for (const [other, { length }] of hostQueue.clients) {
      if (other !== client) before += Math.min(length, own + 1);
    }
    return before;
  }

  /** Drops the newest request of the client with the most waiting, unless that client has no more than this one. */
  function evict(hostQueue: HostQueue, own: number): boolean {
    let longest: Waiter[] = [];
    for (const waiters of hostQueue.clients.values()) if (waiters.length > longest.length) longest = waiters;
    if (longest.length <= own + 1) return false;
    const waiter = longest.pop()!;
    hostQueue.waiting--;
    waiter.done({ granted: false, waitMs: hostQueue.waiting * everyMs });
    return true;
  }

  function leave(hostQueue: HostQueue, client: string, waiter: Waiter): boolean {
    const waiters = hostQueue.clients.get(client);
    const index = waiters?.indexOf(waiter) ?? -1;
    if (index < 0) return false;
    waiters!.splice(index, 1);
    if (waiters!.length === 0) hostQueue.clients.delete(client);
    hostQueue.waiting--;
    return true;
  }

  function serveNext(hostQueue: HostQueue): void {
    const next = hostQueue.clients.entries().next().value;
    if (!next) return;
    const [client, waiters] = next;
    const waiter = waiters.shift()!;
    hostQueue.waiting--;
    hostQueue.clients.delete(client);
    if (waiters.length > 0) hostQueue.clients.set(client, waiters);
    waiter.done({ granted: true, waitMs: now() - waiter.since });
  }

  async function drain(host: string, hostQueue: HostQueue): Promise<void> {
    if (hostQueue.draining) return;
    hostQueue.draining = true;
    while (hostQueue.waiting > 0) {
      const { reserved, waitMs } = await pace.reserve(host, HORIZON_MS);
      hostQueue.nextAt = now() + waitMs;
      if (waitMs > 0) await sleep(Math.min(waitMs, HORIZON_MS));
      if (reserved) serveNext(hostQueue);
    }
    hostQueue.draining = false;
    queues.delete(host);
  }

  return {
    lengths: () => Array.from(queues, ([host, { waiting }]) => [host, waiting]),
    wait(host, withinMs, client = '', signal) {
      let hostQueue = queues.get(host);
      if (!hostQueue)
        queues.set(host, (hostQueue = { clients: new Map(), waiting: 0, nextAt: 0, draining: false }));
      const joined = hostQueue;
      const own = joined.clients.get(client)?.length ?? 0;
      const untilNext = joined.draining ? Math.max(0, joined.nextAt - now()) : 0;
      const waitMs = untilNext + requestsBefore(joined, client, own) * everyMs;
      // Requests without a client are our own.
      const isClientFull = client !== '' && own >= perClient;
      // Last, because it drops another client's request.
      const hasRoom = () => joined.waiting < queue || evict(joined, own);
      if (isClientFull || waitMs > withinMs || !hasRoom()) return Promise.resolve({ granted: false, waitMs });
      return new Promise((resolve) => {
        const waiter: Waiter = { since: now(), done };
        const timer = setTimeout(() => giveUp(false), Math.min(withinMs, HORIZON_MS));
        // Granted on abort: the caller then sees its aborted signal.
        const stop = () => giveUp(true);
        signal?.addEventListener('abort', stop);
        function done(result: QueueResult): void {
          clearTimeout(timer);
          signal?.removeEventListener('abort', stop);
          resolve(result);
        }
        function giveUp(granted: boolean): void {
          if (leave(joined, client, waiter)) done({ granted, waitMs: everyMs });
        }
        const waiters = joined.clients.get(client);
        if (waiters) waiters.push(waiter);
        else joined.clients.set(client, [waiter]);
        joined.waiting++;
        void drain(host, joined);
      });
    },
  };
}

/** Not `node:timers/promises`, whose timers tests cannot mock. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
