import { HELD_CACHE_CONTROL } from '../lookup/finding-response.ts';
import type { Log } from '../lib/log.ts';
import { andThen, type MaybePromise } from '../lib/maybe-promise.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { StoredResponse, Store, HeldLabel } from '../store/store.ts';
import { createSeenFilter, createRecentCache } from '../lib/recent-cache.ts';
import { flatten, type Head, headOf, httpDate, type Validators } from './response.ts';
import { linesOfBody, type HeaderSets, digestOf } from './headers.ts';

/** What was requested last, ready to send: responses to lookups, and labels with the headers of their PDFs. */

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
const MAX_LABELS = 4096;
const FRESH_MS = 600_000;

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
      if (persist) {
        try {
          const written = andThen(
            store.cacheResponse(vin, { body, etag, version: cacheVersion }),
            () => null,
          );
          if (written instanceof Promise) written.catch(ignoreStoreError);
        } catch (error) {
          ignoreStoreError(error);
        }
      }
      return remember(vin, cachedResponse(body, etag));
    },
  };
}

/** A held label, with the header lines of its PDF. */
export interface CachedLabel extends Validators {
  label: HeldLabel;
  /** The header lines of this PDF alone, without its length. */
  ownHead: Head;
  /** `Content-Length` and `Content-Digest` of the entire file. */
  fullHead: Head;
  staleAt: number;
}

/** The labels requested last, so that serving one needs neither a decode nor a row. */
export interface LabelCache {
  get(vin: string): CachedLabel | undefined;
  set(label: HeldLabel): CachedLabel;
  /** Drops one VIN, or all (null). */
  drop(vin: string | null): void;
  /** The head of the entire file or of a range, without its length. */
  headOf(cached: CachedLabel, download: boolean): Head;
}

export function createLabelCache(options: { headerSets: HeaderSets; now(): number }): LabelCache {
  const { headerSets, now } = options;
  const memory = createRecentCache<CachedLabel>(MAX_LABELS);
  return {
    get(vin) {
      const cached = memory.get(vin);
      if (cached === undefined || now() < cached.staleAt) return cached;
      memory.delete(vin);
      return undefined;
    },
    set(label) {
      const { vin, sha256, bytes, fetched } = label;
      const etag = `"${sha256}"`;
      const digest = digestOf(sha256);
      const cached: CachedLabel = {
        label,
        etag,
        modified: fetched,
        ownHead: flatten(headOf('ETag', etag, 'Last-Modified', httpDate(fetched), 'Repr-Digest', digest)),
        unchanged: () => headerSets.pdfNotModified(etag, fetched),
        fullHead: flatten(headOf('Content-Length', String(bytes), 'Content-Digest', digest)),
        staleAt: now() + FRESH_MS,
      };
      memory.set(vin, cached);
      return cached;
    },
    drop: (vin) => (vin === null ? memory.clear() : memory.delete(vin)),
    headOf({ ownHead, label }, download) {
      const disposition = download ? 'attachment' : 'inline';
      return `${headerSets.pdfCommon}${ownHead}Content-Disposition: ${disposition}; filename="window-sticker-${label.vin}.pdf"\r\n`;
    },
  };
}
