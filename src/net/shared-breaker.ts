import type { RedisLink } from '../store/shared/redis.ts';
import { inMemoryBreaker, type Breaker, type BreakerOptions, type Pause } from './breaker.ts';

/** Each instance counts for itself; when one opens its breaker for a host, all do. Local while Redis is unavailable. */
export function sharedBreaker(redis: RedisLink, options: BreakerOptions = {}): Breaker {
  const own = inMemoryBreaker(options);
  const keyOf = (host: string) => `monroney:rest:${host}`;

  async function sharedPause(host: string): Promise<Pause | null> {
    try {
      const [after, ms] = await redis.run((client) =>
        Promise.all([client.get(keyOf(host)), client.pttl(keyOf(host))]),
      );
      return after && ms > 0 ? { ms, after: after === 'failed' ? 'failed' : 'refused' } : null;
    } catch {
      return null;
    }
  }

  return {
    pauseOf: async (host, client) => (await own.pauseOf(host, client)) ?? sharedPause(host),
    admit: async (host, client) => (await sharedPause(host)) ?? own.admit(host, client),
    async report(host, result, retryAfterMs, client) {
      await own.report(host, result, retryAfterMs, client);
      const pause = await own.pauseOf(host);
      try {
        if (pause)
          await redis.run((client) => client.set(keyOf(host), pause.after, 'PX', Math.ceil(pause.ms)));
        else if (result === 'responded') await redis.run((client) => client.del(keyOf(host)));
      } catch {
        // Other instances count failures of their own.
      }
    },
  };
}
