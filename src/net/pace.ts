import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { RedisLink } from '../store/shared/redis.ts';

/**
 * How fast each host may be asked; `turns.ts` decides whose turn it is. `inMemoryPace` counts for one process, `sharedPace`
 * for several.
 */
export interface Pace {
  /**
   * Takes the host's next free turn and says how many milliseconds away it is; or, when it is further away than
   * `withinMs` or the queue is full, takes none and says how long the wait would have been.
   */
  reserve(host: string, withinMs: number): MaybePromise<{ taken: boolean; waitMs: number }>;
}

export interface PaceOptions {
  /** Milliseconds between two requests to one host. */
  everyMs?: number;
  /** Requests a host that was left alone gets at once. */
  burst?: number;
  /** Turns that may be waited for at a time. */
  queue?: number;
  now?: () => number;
}

/**
 * A turn is a point in time, so a queue is nothing but arithmetic: `free` is when the host will have rested from
 * all turns given so far, and a burst is how far ahead of it one may go.
 */
export function inMemoryPace(options: PaceOptions = {}): Pace {
  const { everyMs = 1000, burst = 3, queue = 60, now = () => performance.now() } = options;
  const free = new Map<string, number>();
  return {
    reserve(host, withinMs) {
      const at = now();
      const rested = Math.max(free.get(host) ?? at, at);
      const waitMs = Math.max(0, rested - (burst - 1) * everyMs - at);
      if (waitMs > withinMs || waitMs > queue * everyMs) return { taken: false, waitMs };
      free.set(host, rested + everyMs);
      return { taken: true, waitMs };
    },
  };
}

// The same arithmetic as in memory, on Redis' clock.
const RESERVE = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local every, burst, queue, within = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
  local rested = math.max(tonumber(redis.call('get', KEYS[1]) or now), now)
  local wait = math.max(0, rested - (burst - 1) * every - now)
  if wait > within or wait > queue * every then return { 0, wait } end
  redis.call('set', KEYS[1], rested + every, 'px', rested + every - now + 1000)
  return { 1, wait }`;

/** One pace per host over all instances; alone while Redis is away. */
export function sharedPace(redis: RedisLink, options: PaceOptions = {}): Pace {
  const { everyMs = 1000, burst = 3, queue = 60 } = options;
  const alone = inMemoryPace(options);
  return {
    async reserve(host, withinMs) {
      try {
        const [taken, waitMs] = await redis.run(
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
        return { taken: taken === 1, waitMs };
      } catch {
        return alone.reserve(host, withinMs);
      }
    },
  };
}
