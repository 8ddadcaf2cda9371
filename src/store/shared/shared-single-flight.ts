import type { Log } from '../../lib/log.ts';
import { inMemorySingleFlight, type SingleFlight } from '../../lib/single-flight.ts';
import { StoreUnavailable } from '../store.ts';
import { currentToken, withFencingToken } from './fencing-token.ts';
import type { RedisLink } from './redis.ts';
import type { FetchLeases } from './fetch-leases.ts';

/** A holder that dies is noticed after this long; one that lives renews three times as often. */
const LEASE_MS = 6000;
/** In case the message that a lease ended was lost. */
const POLL_MS = 500;
/** Longer than any asking may take with all its tries. */
const PATIENCE_MS = 60_000;
const DONE = 'monroney:lease-ended';

// The token is the time on Redis' clock and grows with every lease, even over a restart of Redis. So a holder that slept through its
// time can neither renew nor end the lease of the one that came after, and rows refuse what it writes (`fencing-token.ts`).
const TAKE = `
  local time = redis.call('time')
  local token = time[1] .. string.format('%06d', time[2])
  if redis.call('set', KEYS[1], token, 'px', ARGV[1], 'nx') then return token end
  return ''`;
// Redis may have been restarted or flushed: a lease that is gone before its time, and that nobody took, is set again.
const RENEW = `
  local now = redis.call('get', KEYS[1])
  if now and now ~= ARGV[1] or not now and ARGV[3] ~= 'set' then return 0 end
  redis.call('set', KEYS[1], ARGV[1], 'px', ARGV[2])
  return 1`;
const END = `
  if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
  redis.call('del', KEYS[1])
  redis.call('publish', KEYS[2], ARGV[2])
  return 1`;

/** What PostgreSQL does for leases. */
export interface LeaseDatabase {
  /** A second lease: Redis may be away, or lose the first. */
  leases: FetchLeases;
  /** Microseconds since the epoch; instances' own clocks may differ. */
  clock(): Promise<number>;
}

/**
 * One piece of work per key across all instances. Whoever finds the key held waits until it is free and then runs
 * the work itself, so the work must first look whether another instance has done it. Whoever lost the lease while
 * working does the same once more: what it brought may not be what stands now. Without Redis the lease in
 * PostgreSQL is enough; without PostgreSQL the work is refused, because nothing could be kept.
 */
export function sharedSingleFlight(redis: RedisLink, log: Log, database?: LeaseDatabase): SingleFlight {
  const local = inMemorySingleFlight();
  const waiting = new Map<string, () => void>();
  redis.listen(DONE, (key) => waiting.get(key)?.());

  const nameOf = (key: string) => `monroney:lease:${key}`;
  const take = (key: string) =>
    redis.runWithLongTimeout((client) => client.eval(TAKE, 1, nameOf(key), LEASE_MS) as Promise<string>);

  /** The token of the lease, null when Redis cannot give one. */
  async function lease(key: string): Promise<string | null> {
    const until = performance.now() + PATIENCE_MS;
    try {
      for (;;) {
        const token = await take(key);
        if (token !== '') return token;
        if (performance.now() > until) throw new Error(`The lease of ${key} was never given back.`);
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

  /** What the work came to, and whether the lease was ours to the end. */
  async function hold<T>(key: string, token: string, work: () => Promise<T>) {
    let heldAt = performance.now();
    const renewal = setInterval(() => {
      const at = performance.now();
      // Whoever slept through its lease may have had a successor, which is done by now.
      const lost = at - heldAt < LEASE_MS ? 'set' : 'leave';
      redis
        .runWithLongTimeout(
          (client) => client.eval(RENEW, 1, nameOf(key), token, LEASE_MS, lost) as Promise<number>,
        )
        .then(
          (renewed) => {
            if (renewed) heldAt = at;
            else log.warn('lease: lost while working; another instance may ask too');
          },
          () => {},
        );
    }, LEASE_MS / 3);
    const working = withFencingToken(key, Number(token), work);
    await Promise.allSettled([working]);
    clearInterval(renewal);
    // Unanswered, it ends by itself.
    const ours = await redis
      .runWithLongTimeout((client) => client.eval(END, 2, nameOf(key), DONE, token, key))
      .then(
        (ended) => ended === 1,
        () => true,
      );
    return { result: await working, ours };
  }

  const tokenNow = async () => (await database?.clock().catch(() => null)) ?? currentToken();

  async function underLease<T>(key: string, work: () => Promise<T>): Promise<T> {
    const locked = () => (database ? database.leases.under(key, work) : work());
    for (let turn = 1; ; turn++) {
      const token = await lease(key);
      if (token === null) return withFencingToken(key, await tokenNow(), locked);
      const { result, ours } = await hold(key, token, locked);
      if (ours || turn === 2) return result;
    }
  }

  return {
    once: (key, work) => local.once(key, () => underLease(key, work)),
    get running() {
      return local.running;
    },
    settled: () => local.settled(),
  };
}
