import { createRecentCache } from '../lib/recent-cache.ts';
import type { HeldLabel } from '../store/store.ts';
import { digestOf, type HeaderSets } from './headers.ts';
import { flatten, type Head, headOf, httpDate, type Validators } from './response.ts';
import { FRESH_MS } from './response-cache.ts';

const MAX_LABELS = 4096;

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
      let unchanged: Head | undefined;
      const cached: CachedLabel = {
        label,
        etag,
        modified: fetched,
        ownHead: flatten(headOf('ETag', etag, 'Last-Modified', httpDate(fetched), 'Repr-Digest', digest)),
        unchanged: () => (unchanged ??= flatten(headerSets.pdfNotModified(etag, fetched))),
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
