import { hash } from 'node:crypto';
import type { RedisLink } from '../store/shared/redis.ts';
import { decisionsOf, type LimitDecision, type Limiter, type MemoryLimiter } from './limit.ts';

// The same rule as in memory: the times of the last ten requests, and a block that further requests don't extend. Uses the
// clock of Redis, so that instances with different clocks agree.
const script = (requests: number, windowMs: number) => `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  local blocked = redis.call('pttl', KEYS[2])
  if blocked > 0 then return { 0, 0, blocked } end
  local oldest = redis.call('lindex', KEYS[1], 0)
  while oldest and now - tonumber(oldest) >= ${windowMs} do
    redis.call('lpop', KEYS[1])
    oldest = redis.call('lindex', KEYS[1], 0)
  end
  local counted = redis.call('llen', KEYS[1])
  if counted >= ${requests} then
    redis.call('set', KEYS[2], 1, 'px', ${windowMs})
    redis.call('del', KEYS[1])
    return { 0, 0, ${windowMs} }
  end
  redis.call('rpush', KEYS[1], now)
  redis.call('pexpire', KEYS[1], ${windowMs})
  return { 1, ${requests} - 1 - counted, (oldest or now) + ${windowMs} - now }`;

/**
 * The limit over all instances. If Redis doesn't respond within the link's timeout of 50 ms, this instance counts alone
 * for that request.
 */
export function sharedLimiter(redis: RedisLink, fallback: MemoryLimiter, onFallback: () => void): Limiter {
  const { policy } = fallback;
  const take = script(policy.requests, policy.seconds * 1000);
  const decide = decisionsOf(policy);
  return {
    policy,
    async take(ip): Promise<LimitDecision> {
      try {
        // A hash, because no IP address may leave this process.
        const name = hash('sha256', `monroney ${ip}`).slice(0, 32);
        const [allowed, remaining, ms] = await redis.run(
          (client) =>
            client.eval(take, 2, `monroney:limit:{${name}}`, `monroney:block:{${name}}`) as Promise<
              [number, number, number]
            >,
        );
        return decide(allowed === 1, remaining, ms);
      } catch {
        onFallback();
        return fallback.take(ip);
      }
    },
  };
}
