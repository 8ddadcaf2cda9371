import type { RedisLink } from '../store/shared/redis.ts';
import { inMemoryPace, type Pace, type PaceOptions } from './pace.ts';

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
