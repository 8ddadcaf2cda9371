import { AsyncLocalStorage } from 'node:async_hooks';

/** The lease that the work running now was started under. */
const holding = new AsyncLocalStorage<{ key: string; token: number }>();

export const withFencingToken = <T>(key: string, token: number, work: () => Promise<T>): Promise<T> =>
  holding.run({ key, token }, work);

/** For work without a lease: microseconds since the epoch, which is what Redis' tokens are too. */
export const currentToken = (): number => Date.now() * 1000;

/**
 * The token that a write about `key` carries. A row remembers the greatest it has seen and refuses lower ones: a
 * holder that slept through its lease cannot overwrite what the one after it wrote.
 */
export function fencingTokenFor(key: string): number {
  const lease = holding.getStore();
  return lease?.key === key ? lease.token : currentToken();
}
