import { LRUCache } from 'lru-cache';

/**
 * Everything in memory that was computed and can be computed again, within one bound: compressed bodies, pages, link previews,
 * and why files can't be opened. What is used least goes first, whatever it is.
 */
export type MemoryCache = ReturnType<typeof createMemoryCache>;

const MAX_BYTES = 32 * 1024 * 1024;
/** A key and its place in the cache. */
const ENTRY_BYTES = 256;

export function createMemoryCache(maxBytes = MAX_BYTES) {
  const cache = new LRUCache<string, object | string>({ maxSize: maxBytes });
  return {
    /** The values of one kind. `sizeOf` is in bytes. */
    of: <Value extends object | string>(kind: string, sizeOf: (value: Value) => number, ttl = 0) => ({
      get: (key: string) => cache.get(`${kind} ${key}`) as Value | undefined,
      set: (key: string, value: Value) =>
        void cache.set(`${kind} ${key}`, value, { size: ENTRY_BYTES + sizeOf(value), ttl }),
    }),
  };
}
