import { HELD_CACHE_CONTROL } from '../lookup/finding-response.ts';
import type { Log } from '../lib/log.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { StoredResponse, Store } from '../store/store.ts';
import { createSeenFilter, createRecentCache } from '../lib/recent-cache.ts';
import { flatten, type Head, type Validators } from './response.ts';
import { linesOfBody, type HeaderSets } from './headers.ts';

/** The response to a lookup of a held label, ready to send. */
export interface CachedResponse extends Validators {
  body: string;
  /** The header lines of this response alone; `headOf` adds those that all share. */
  ownHead: Head;
  /** When to read it from the store again, because another process may have read the label again. */
  staleAt: number;
}

/**
 * Responses to lookups of held labels, which don't depend on the state of a source. In memory for recent VINs, and in
 * the store with the version that made them.
 */
export interface ResponseCache {
  /** From memory, if `vin` is spelled exactly as it was cached. */
  recent(vin: string): CachedResponse | undefined;
  /** From memory or the store. */
  find(vin: string): MaybePromise<CachedResponse | null>;
  headOf(response: CachedResponse): Head;
  /** Drops one VIN, or all (null), from memory. */
  drop(vin: string | null): void;
  /** `persist`: also writes it to the store. */
  set(vin: string, body: string, etag: string, persist: boolean): CachedResponse;
}

const MAX_RESPONSES = 8192;
/** How long a response or a label is served from memory before the store is read again. */
export const FRESH_MS = 600_000;

export function createResponseCache(options: {
  store: Pick<Store, 'cachedResponse' | 'cacheResponse'>;
  cacheVersion: string;
  headerSets: HeaderSets;
  log: Log;
  metrics: Pick<Metrics, 'counter'>;
  now(): number;
}): ResponseCache {
  const { store, cacheVersion, headerSets, log, metrics, now } = options;
  const memory = createRecentCache<CachedResponse>(MAX_RESPONSES);
  const seenBefore = createSeenFilter(2 * MAX_RESPONSES);
  const counter = (result: string) =>
    metrics.counter('monroney_cache_requests_total', { cache: 'answer', result });
  const [hits, misses] = [counter('hit'), counter('miss')];
  const common = flatten(headerSets.jsonCommon(HELD_CACHE_CONTROL));

  function cachedResponse(body: string, etag: string): CachedResponse {
    // Built on demand: few requests are conditional.
    let unchanged: Head | undefined;
    return {
      body,
      etag,
      modified: null,
      ownHead: linesOfBody(body, etag),
      unchanged: () => (unchanged ??= flatten(headerSets.notModified(etag, HELD_CACHE_CONTROL, null))),
      staleAt: now() + FRESH_MS,
    };
  }

  function remember(vin: string, response: CachedResponse): CachedResponse {
    memory.set(vin, response);
    return response;
  }

  function recent(vin: string): CachedResponse | undefined {
    const cached = memory.get(vin);
    if (cached === undefined) return undefined;
    if (now() < cached.staleAt) {
      hits.value++;
      return cached;
    }
    memory.delete(vin);
    return undefined;
  }

  function fromStore(vin: string, row: StoredResponse | null, keepInMemory: boolean): CachedResponse | null {
    if (row?.version !== cacheVersion) return null;
    const response = cachedResponse(row.body, row.etag);
    return keepInMemory ? remember(vin, response) : response;
  }

  /** Without the store, the response is computed again. The store reports its own failures. */
  const ignoreStoreError = (error: unknown) => {
    log.debug('response cache unavailable', { error: String(error) });
    return null;
  };

  async function write(vin: string, body: string, etag: string): Promise<void> {
    try {
      await store.cacheResponse(vin, { body, etag, version: cacheVersion });
    } catch (error) {
      ignoreStoreError(error);
    }
  }

  return {
    recent,
    headOf: ({ ownHead }) => common + ownHead,
    find(vin) {
      const cached = recent(vin);
      if (cached) return cached;
      misses.value++;
      try {
        const row = store.cachedResponse(vin);
        if (row instanceof Promise)
          return row.then((found) => fromStore(vin, found, true)).catch(ignoreStoreError);
        // A synchronous read is cheap: most VINs are requested once, so keep only those that come again.
        return fromStore(vin, row, seenBefore(vin));
      } catch (error) {
        return ignoreStoreError(error);
      }
    },
    drop: (vin) => (vin === null ? memory.clear() : memory.delete(vin)),
    set(vin, body, etag, persist) {
      const response = remember(vin, cachedResponse(body, etag));
      // After the response was sent, unless the label has changed since.
      if (persist) setImmediate(() => memory.get(vin) === response && void write(vin, body, etag));
      return response;
    },
  };
}
