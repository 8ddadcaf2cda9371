import type { Log } from '../../lib/log.ts';
import { inMemorySingleFlight, type SingleFlight } from '../../lib/single-flight.ts';
import { StoreUnavailable } from '../errors.ts';
import type { RedisLink } from './redis.ts';

/** How long a lease lasts; it is renewed after a third of this time. */
const LEASE_MS = 6000;
/** Longer than any fetch takes with all its retries. */
const ACQUIRE_TIMEOUT_MS = 60_000;
/** In case the message that a lease was released is lost. */
const POLL_MS = 500;
const RELEASED_CHANNEL = 'monroney:lease-ended';

// The token is the time on Redis' clock, so a holder that was suspended past the end of its lease can't renew or release
// its successor's.
const ACQUIRE = `
  local time = redis.call('time')
  local token = time[1] .. string.format('%06d', time[2])
  if redis.call('set', KEYS[1], token, 'px', ARGV[1], 'nx') then return token end
  return ''`;
const RENEW = `
  if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
  return redis.call('pexpire', KEYS[1], ARGV[2])`;
const RELEASE = `
  if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('del', KEYS[1])
  redis.call('publish', KEYS[2], ARGV[2])
  return 1`;

/**
 * Runs work for a key on one instance at a time. An instance that finds the key leased waits until it is free and then
 * runs the work itself, so the work must first check whether another instance has done it. Without Redis, or if it loses
 * the lease, two instances may do the same work: impolite, not wrong, because the first row of a VIN wins.
 */
export function sharedSingleFlight(redis: RedisLink, log: Log): SingleFlight {
  const local = inMemorySingleFlight();
  const waiting = new Map<string, () => void>();
  redis.subscribe(RELEASED_CHANNEL, (key) => waiting.get(key)?.());

  const redisKey = (key: string) => `monroney:lease:${key}`;

  /** The token of the lease; null when Redis is unavailable. */
  async function acquire(key: string): Promise<string | null> {
    const deadline = performance.now() + ACQUIRE_TIMEOUT_MS;
    try {
      for (;;) {
        const token = await redis.runWithLongTimeout(
          (client) => client.eval(ACQUIRE, 1, redisKey(key), LEASE_MS) as Promise<string>,
        );
        if (token !== '') return token;
        if (performance.now() > deadline) throw new Error(`Timeout waiting for the lease of ${key}.`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, POLL_MS);
          waiting.set(key, () => {
            clearTimeout(timer);
            resolve();
          });
        });
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) return null;
      throw error;
    } finally {
      waiting.delete(key);
    }
  }

  async function underLease<T>(key: string, work: () => Promise<T>): Promise<T> {
    const token = await acquire(key);
    if (token === null) return work();
    const renewal = setInterval(() => {
      redis
        .runWithLongTimeout(
          (client) => client.eval(RENEW, 1, redisKey(key), token, LEASE_MS) as Promise<number>,
        )
        .then(
          (renewed) =>
            renewed || log.warn('lease: lost the lease of running work; another instance may do it too'),
          () => {},
        );
    }, LEASE_MS / 3);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
      // If this fails, the lease expires.
      await redis
        .runWithLongTimeout((client) => client.eval(RELEASE, 2, redisKey(key), RELEASED_CHANNEL, token, key))
        .catch(() => {});
    }
  }

  return {
    once: (key, work) => local.once(key, () => underLease(key, work)),
    startedAt: (key) => local.startedAt(key),
    get running() {
      return local.running;
    },
    settled: () => local.settled(),
  };
}
