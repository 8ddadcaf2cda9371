import { createSharedLimiter } from '../lib/limits.ts';
import type { RedisLink } from '../store/shared/redis.ts';
import { budgetOf, decisionsOf, type Limiter, type MemoryLimiter } from './limit.ts';

/**
 * The limit over all instances. If Redis doesn't respond within the link's timeout of 50 ms, this instance counts alone
 * for that request.
 */
export function sharedLimiter(
  redis: RedisLink,
  secret: string,
  fallback: MemoryLimiter,
  onFallback: () => void,
): Limiter {
  const { policy, counts } = fallback;
  const decide = decisionsOf(policy);
  const shared = createSharedLimiter(redis, 'limit', budgetOf(policy), {
    secret,
    local: counts,
    alone: onFallback,
  });
  return {
    policy,
    async take(client) {
      const { allowed, remaining, waitMs } = await shared.take(client);
      return decide(allowed, remaining, waitMs);
    },
  };
}
