import type { Problem } from './generated/api.ts';

/** A cached response: a value (JSON, or the bytes of a label) or a lasting problem such as `no-label`. */
export interface Kept {
  /** When it expires, in milliseconds since 1970. */
  until: number;
  value?: unknown;
  problem?: Problem;
}

/** A cache of responses by URL: a folder, a database, `localStorage`, or anything that returns what was stored. */
export interface Cache {
  get(url: string): Kept | undefined | Promise<Kept | undefined>;
  set(url: string, kept: Kept): unknown;
}

/** Caches responses in memory and removes the oldest once they exceed `maxBytes` in total. */
export function memoryCache(maxBytes: number = 32e6): Cache {
  const entries = new Map<string, { kept: Kept; size: number }>();
  let total = 0;
  const remove = (url: string) => {
    total -= entries.get(url)?.size ?? 0;
    entries.delete(url);
  };
  return {
    get: (url) => entries.get(url)?.kept,
    set(url, kept) {
      remove(url);
      const { value } = kept;
      const size = value instanceof Uint8Array ? value.length : JSON.stringify(kept).length;
      if (size > maxBytes) return;
      entries.set(url, { kept, size });
      total += size;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        remove(oldest);
      }
    },
  };
}

interface Flight {
  result: Promise<unknown>;
  callers: number;
  stop: AbortController;
}

/**
 * Concurrent calls with the same key share one piece of work. A caller that aborts doesn't stop it for the others; when
 * the last caller aborts, the work is aborted.
 */
export function createSingleFlight() {
  const flights = new Map<string, Flight>();
  return <T>(
    key: string,
    signal: AbortSignal | undefined,
    work: (stop: AbortController) => Promise<T>,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      let flight = flights.get(key);
      if (!flight) {
        const stop = new AbortController();
        const started: Flight = { stop, callers: 0, result: work(stop) };
        const onEnd = () => void (flights.get(key) === started && flights.delete(key));
        started.result.then(onEnd, onEnd);
        flights.set(key, started);
        flight = started;
      }
      const { result, stop } = flight;
      const shared = flight;
      shared.callers++;
      const onAbort = () => {
        if (--shared.callers === 0) {
          flights.delete(key);
          stop.abort();
        }
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      result
        .then((value) => resolve(value as T), reject)
        .finally(() => signal?.removeEventListener('abort', onAbort));
    });
}
