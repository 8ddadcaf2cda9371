import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { RedisLink } from '../store/shared/redis.ts';

/**
 * Spaces out the requests to each host; `host-queues.ts` decides whose request is next. `inMemoryPace` covers one
 * process, `sharedPace` several.
 */
export interface Pace {
  /**
   * Reserves the host's next free slot and returns how many milliseconds away it is. When that is more than `withinMs`,
   * or the queue is full, reserves nothing and returns how long the wait would have been.
   */
  reserve(host: string, withinMs: number): MaybePromise<{ reserved: boolean; waitMs: number }>;
}

export interface PaceOptions {
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
