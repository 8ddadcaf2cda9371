import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Log } from '../../lib/log.ts';
import { inMemorySingleFlight, type SingleFlight } from '../../lib/single-flight.ts';
import { StoreUnavailable } from '../legacy-store.ts';
import { DB_NOW, type Postgres } from './postgres.ts';
import type { RedisLink } from './redis.ts';

/** How long a lease lasts; it is renewed after a third of this time. */
const LEASE_MS = 6000;
/** Longer than any fetch takes with all its retries. */
const ACQUIRE_TIMEOUT_MS = 60_000;

/** In case the message that a lease was released is lost. */
const REDIS_POLL_MS = 500;
const RELEASED_CHANNEL = 'monroney:lease-ended';

// The fencing token is the time on Redis' clock, so it increases with every lease, even across a restart of Redis. A
// holder that was suspended past the end of its lease can't renew or release its successor's lease, and rows reject its
// writes (`fencingTokenFor`).
const ACQUIRE = `
  local time = redis.call('time')
  local token = time[1] .. string.format('%06d', time[2])
  if redis.call('set', KEYS[1], token, 'px', ARGV[1], 'nx') then return token end
  return ''`;
// Sets the lease again if it disappeared before it expired, because Redis was restarted or flushed.
const RENEW = `
  local now = redis.call('get', KEYS[1])
  if now and now ~= ARGV[1] or not now and ARGV[3] ~= 'set' then return 0 end
  redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
  return 1`;
const RELEASE = `
  if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('del', KEYS[1])
  redis.call('publish', KEYS[2], ARGV[2])
  return 1`;

/** What single-flight needs from PostgreSQL. */
interface LeaseDatabase {
  /** A second lease, because Redis may be down or lose the first. */
  leases: FetchLeases;
  /** Microseconds since the epoch, because instances' own clocks may differ. */
  clock(): Promise<number>;
}

/**
 * Runs work for a key on one instance at a time. An instance that finds the key leased waits until it is free and then
 * runs the work itself, so the work must first check whether another instance has done it. If the lease is lost during the
 * work, the work runs once more, because its result may be outdated. Without Redis the lease in PostgreSQL is enough;
 * without PostgreSQL the work is rejected, because nothing could be kept.
 */
export function sharedSingleFlight(redis: RedisLink, log: Log, database?: LeaseDatabase): SingleFlight {
  const local = inMemorySingleFlight();
  const waiting = new Map<string, () => void>();
  redis.subscribe(RELEASED_CHANNEL, (key) => waiting.get(key)?.());

  const redisKey = (key: string) => `monroney:lease:${key}`;
  const tryAcquire = (key: string) =>
    redis.runWithLongTimeout((client) => client.eval(ACQUIRE, 1, redisKey(key), LEASE_MS) as Promise<string>);

  /** The token of the lease; null when Redis is unavailable. */
  async function acquire(key: string): Promise<string | null> {
    const deadline = performance.now() + ACQUIRE_TIMEOUT_MS;
    try {
      for (;;) {
        const token = await tryAcquire(key);
        if (token !== '') return token;
        if (performance.now() > deadline) throw new Error(`Timeout waiting for the lease of ${key}.`);
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, REDIS_POLL_MS);
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

  /** The result of the work, and whether we kept the lease until the end. */
  async function runWithLease<T>(key: string, token: string, work: () => Promise<T>) {
    let renewedAt = performance.now();
    const renewal = setInterval(() => {
      const now = performance.now();
      // After its expiry the lease may have had another holder, which is done by now.
      const ifMissing = now - renewedAt < LEASE_MS ? 'set' : 'leave';
      redis
        .runWithLongTimeout(
          (client) => client.eval(RENEW, 1, redisKey(key), token, LEASE_MS, ifMissing) as Promise<number>,
        )
        .then(
          (renewed) => {
            if (renewed) renewedAt = now;
            else log.warn('lease: lost the lease of running work; another instance may do it too');
          },
          () => {},
        );
    }, LEASE_MS / 3);
    const working = withFencingToken(key, Number(token), work);
    await Promise.allSettled([working]);
    clearInterval(renewal);
    // If this fails, the lease expires.
    const keptLease = await redis
      .runWithLongTimeout((client) => client.eval(RELEASE, 2, redisKey(key), RELEASED_CHANNEL, token, key))
      .then(
        (released) => released === 1,
        () => true,
      );
    return { result: await working, keptLease };
  }

  const databaseToken = async () => (await database?.clock().catch(() => null)) ?? currentToken();

  async function underLease<T>(key: string, work: () => Promise<T>): Promise<T> {
    const run = () => (database ? database.leases.withLease(key, work) : work());
    for (let attempt = 1; ; attempt++) {
      const token = await acquire(key);
      if (token === null) return withFencingToken(key, await databaseToken(), run);
      const { result, keptLease } = await runWithLease(key, token, run);
      if (keptLease || attempt === 2) return result;
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

const DATABASE_POLL_MS = 250;

/**
 * One fetch per VIN, with a lease in PostgreSQL. Works while Redis is down or has lost its leases, and for a few seconds
 * while the holder is cut off from PostgreSQL.
 */
interface FetchLeases {
  /** Rejects with `StoreUnavailable` when PostgreSQL can't be reached: the fetched label could not be kept either. */
  withLease<T>(vin: string, work: () => Promise<T>): Promise<T>;
}

export function fetchLeases(db: Postgres, log: Log): FetchLeases {
  const acquire = db.run(`INSERT INTO fetches (vin, holder, until) VALUES ($1, $2, ${DB_NOW} + ${LEASE_MS})
    ON CONFLICT (vin) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE fetches.until <= ${DB_NOW}`);
  const renew = db.run(`UPDATE fetches SET until = ${DB_NOW} + ${LEASE_MS} WHERE vin = $1 AND holder = $2`);
  const release = db.run('DELETE FROM fetches WHERE vin = $1 AND holder = $2');

  async function waitForLease(vin: string, holder: string): Promise<void> {
    const deadline = performance.now() + ACQUIRE_TIMEOUT_MS;
    while ((await acquire(vin, holder)) === 0) {
      if (performance.now() > deadline)
        throw new StoreUnavailable('Timeout: another instance is still fetching this VIN.');
      await new Promise((resolve) => setTimeout(resolve, DATABASE_POLL_MS));
    }
  }

  return {
    async withLease(vin, work) {
      const holder = randomUUID();
      await waitForLease(vin, holder);
      const renewal = setInterval(() => {
        renew(vin, holder).then(
          (renewed) =>
            renewed || log.warn('lease: lost the lease of a running fetch; another instance may fetch too'),
          () => {},
        );
      }, LEASE_MS / 3);
      try {
        return await work();
      } finally {
        clearInterval(renewal);
        // If this fails, the lease expires.
        await release(vin, holder).catch(() => {});
      }
    },
  };
}

/** The lease under which the current work was started. */
const currentLease = new AsyncLocalStorage<{ key: string; token: number }>();

export const withFencingToken = <T>(key: string, token: number, work: () => Promise<T>): Promise<T> =>
  currentLease.run({ key, token }, work);

/** For work without a lease: microseconds since the epoch, like the tokens from Redis. */
const currentToken = (): number => Date.now() * 1000;

/**
 * The fencing token for a write about `key`. A row keeps the highest token and rejects writes with a lower one, so an
 * instance that was suspended past the end of its lease can't overwrite what its successor wrote.
 */
export function fencingTokenFor(key: string): number {
  const lease = currentLease.getStore();
  return lease?.key === key ? lease.token : currentToken();
}
