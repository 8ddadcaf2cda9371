import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../../lib/log.ts';
import { inMemorySingleFlight, type SingleFlight } from '../../lib/promises.ts';
import { StoreUnavailable } from '../errors.ts';
import type { RedisLink } from './redis.ts';

/** How long a lease lasts; it is renewed after a third of this time. */
const LEASE_MS = 6000;
/** Longer than any fetch takes with all its retries. */
const ACQUIRE_TIMEOUT_MS = 60_000;
/** How often an instance looks whether a lease is free. */
const POLL_MS = 200;

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
  return redis.call('del', KEYS[1])`;

/**
 * Runs work for a key on one instance at a time. An instance that finds the key leased waits until it is free and then
 * runs the work itself, so the work must first check whether another instance has done it. Without Redis, or if it loses
 * the lease, two instances may do the same work: impolite, not wrong, because the first row of a VIN wins.
 */
export function sharedSingleFlight(redis: RedisLink, log: Log): SingleFlight {
  const local = inMemorySingleFlight();
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
        await wait(POLL_MS);
      }
    } catch (error) {
      if (error instanceof StoreUnavailable) return null;
      throw error;
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
        .runWithLongTimeout((client) => client.eval(RELEASE, 1, redisKey(key), token))
        .catch(() => {});
    }
  }

  return { ...local, once: (key, work) => local.once(key, () => underLease(key, work)) };
}
