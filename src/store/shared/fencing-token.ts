import { AsyncLocalStorage } from 'node:async_hooks';

/** The lease under which the current work was started. */
const currentLease = new AsyncLocalStorage<{ key: string; token: number }>();

export const withFencingToken = <T>(key: string, token: number, work: () => Promise<T>): Promise<T> =>
  currentLease.run({ key, token }, work);

/** For work without a lease: microseconds since the epoch, like the tokens from Redis. */
export const currentToken = (): number => Date.now() * 1000;

/**
 * The fencing token for a write about `key`. A row keeps the highest token and rejects writes with a lower one, so an
 * instance that was suspended past the end of its lease can't overwrite what its successor wrote.
 */
export function fencingTokenFor(key: string): number {
  const lease = currentLease.getStore();
  return lease?.key === key ? lease.token : currentToken();
}
