import type { RedisLink } from '../store/shared/redis.ts';
import { inMemoryBreaker, type Breaker, type BreakerOptions, type Rest } from './breaker.ts';

/** Each instance judges for itself; when one decides to leave a host alone, all do. Alone while Redis is away. */
export function sharedBreaker(redis: RedisLink, options: BreakerOptions = {}): Breaker {
  const own = inMemoryBreaker(options);
  const name = (host: string) => `monroney:rest:${host}`;

  async function told(host: string): Promise<Rest | null> {
    try {
      const [after, ms] = await redis.run((client) =>
        Promise.all([client.get(name(host)), client.pttl(name(host))]),
      );
      return after && ms > 0 ? { ms, after: after === 'failed' ? 'failed' : 'refused' } : null;
    } catch {
      return null;
    }
  }

  return {
    resting: async (host, client) => (await own.resting(host, client)) ?? told(host),
    admit: async (host, client) => (await told(host)) ?? own.admit(host, client),
    async report(host, heard, retryAfterMs, client) {
      await own.report(host, heard, retryAfterMs, client);
      const rest = await own.resting(host);
      try {
        if (rest) await redis.run((client) => client.set(name(host), rest.after, 'PX', Math.ceil(rest.ms)));
        else if (heard === 'answered') await redis.run((client) => client.del(name(host)));
      } catch {
        // The others find out for themselves.
      }
    },
  };
}
