import type { RedisLink } from '../store/shared/redis.ts';
import { inMemoryBreaker, type Breaker, type BreakerOptions, type Rest } from './breaker.ts';

/** Each instance counts for itself; when one opens its breaker for a host, all do. Local while Redis is unavailable. */
export function sharedBreaker(redis: RedisLink, options: BreakerOptions = {}): Breaker {
  const own = inMemoryBreaker(options);
  const keyOf = (host: string) => `monroney:rest:${host}`;

  async function sharedRest(host: string): Promise<Rest | null> {
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
    resting: async (host, client) => (await own.resting(host, client)) ?? sharedRest(host),
    admit: async (host, client) => (await sharedRest(host)) ?? own.admit(host, client),
    async report(host, result, retryAfterMs, client) {
      await own.report(host, result, retryAfterMs, client);
      const rest = await own.resting(host);
      try {
        if (rest) await redis.run((client) => client.set(keyOf(host), rest.after, 'PX', Math.ceil(rest.ms)));
        else if (result === 'responded') await redis.run((client) => client.del(keyOf(host)));
      } catch {
        // Other instances count failures of their own.
      }
    },
  };
}
