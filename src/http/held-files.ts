import type { HeldLabel } from '../store/store.ts';
import type { Validators } from './response.ts';
import { httpDate } from './conditional.ts';
import { headOf, inOnePiece, type Head } from './head.ts';
import { type HeaderSets, digestOf } from './headers.ts';
import { createRecentCache } from '../lib/recent-cache.ts';

/** A held label with the lines its PDF has for itself. */
export interface HeldFile extends Validators {
  label: HeldLabel;
  own: Head;
  /** `Content-Length` and `Content-Digest` of the whole file. */
  fullHead: Head;
  until: number;
}

/** The labels asked for last, so that serving one costs neither a decode nor a row. */
export interface HeldFiles {
  get(vin: string): HeldFile | undefined;
  keep(label: HeldLabel): HeldFile;
  /** Forgets one label, or all of them. */
  drop(vin: string | null): void;
  /** Of the whole or of a part, without its length. */
  headOf(file: HeldFile, download: boolean): Head;
}

const MOST = 4096;
const FRESH_MS = 600_000;

export function createHeldFiles(parts: { sets: HeaderSets; now(): number }): HeldFiles {
  const { sets } = parts;
  const memory = createRecentCache<HeldFile>(MOST);
  return {
    get(vin) {
      const known = memory.get(vin);
      if (known === undefined || parts.now() < known.until) return known;
      memory.delete(vin);
      return undefined;
    },
    keep(label) {
      const { vin, sha256, bytes, fetched } = label;
      const etag = `"${sha256}"`;
      const digest = digestOf(sha256);
      const own = headOf('ETag', etag, 'Last-Modified', httpDate(fetched), 'Repr-Digest', digest);
      const file: HeldFile = {
        label,
        etag,
        modified: fetched,
        own: inOnePiece(own),
        unchanged: () => sets.pdfNotModified(etag, fetched),
        fullHead: inOnePiece(headOf('Content-Length', String(bytes), 'Content-Digest', digest)),
        until: parts.now() + FRESH_MS,
      };
      memory.set(vin, file);
      return file;
    },
    drop: (vin) => (vin === null ? memory.clear() : memory.delete(vin)),
    headOf({ own, label }, download) {
      const manner = download ? 'attachment' : 'inline';
      return `${sets.pdfCommon}${own}Content-Disposition: ${manner}; filename="window-sticker-${label.vin}.pdf"\r\n`;
    },
  };
}
