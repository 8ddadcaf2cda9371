import type { Problem } from './api.ts';

/** An answer to keep: a value (JSON, or the bytes of a label) or a problem that is a fact, such as `no-label`. */
export interface Kept {
  /** Milliseconds since 1970; not to be used after it. */
  until: number;
  value?: unknown;
  problem?: Problem;
}

/** Where answers are kept, by address. A folder, a database, `localStorage`: anything that gives back what it was given. */
export interface Cache {
  get(url: string): Kept | undefined | Promise<Kept | undefined>;
  set(url: string, kept: Kept): unknown;
}

/** Keeps answers in memory and lets the oldest go when they are more than `maxBytes` together. */
export function memoryCache(maxBytes: number = 32e6): Cache {
  const all = new Map<string, { kept: Kept; size: number }>();
  let total = 0;
  const drop = (url: string) => {
    total -= all.get(url)?.size ?? 0;
    all.delete(url);
  };
  return {
    get: (url) => all.get(url)?.kept,
    set(url, kept) {
      drop(url);
      const { value } = kept;
      const size = value instanceof Uint8Array ? value.length : JSON.stringify(kept).length;
      if (size > maxBytes) return;
      all.set(url, { kept, size });
      total += size;
      for (const oldest of all.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
