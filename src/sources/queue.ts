import { createFairQueue, type FairQueue } from '../lib/fair-queue.ts';
import type { RedisLink } from '../store/shared/redis.ts';

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

/**
 * A fair queue per host. The next request is chosen when its slot comes, not when it is queued, so a backlog delays only those
 * that caused it.
 */
interface HostQueues {
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

export function fairQueues(
  pace: Pace,
  { everyMs, now, maxWaiting = MAX_WAITING }: { everyMs: number; now: () => number; maxWaiting?: number },
): HostQueues {
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
    lengths: () => Array.from(queues, ([host, { waiting }]) => [host, waiting.size]),
    wait(host, withinMs, client = '', signal) {
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
