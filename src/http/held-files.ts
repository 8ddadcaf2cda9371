import type { HeldLabel } from '../store/store.ts';
import { headOf, inOnePiece, type Head } from './head.ts';
import { IMMUTABLE, type HeaderSets, digestOf } from './headers.ts';
import type { Version } from './if-changed.ts';
import { createRecent } from '../recent.ts';

/** A held label with the heads its PDF is sent with. */
export interface HeldFile extends Version {
  label: HeldLabel;
  inline: Head;
  attachment: Head;
  /** `Content-Length` and `Content-Digest` of the whole. */
  whole: Head;
  until: number;
}

/** The labels asked for last, so that serving one costs neither a decode nor a row. */
export interface HeldFiles {
  get(vin: string): HeldFile | undefined;
  keep(label: HeldLabel): HeldFile;
}

const MOST = 4096;
const FRESH_MS = 600_000;

export function createHeldFiles(parts: { sets: HeaderSets; now(): number }): HeldFiles {
  const { sets } = parts;
  const memory = createRecent<HeldFile>(MOST);
  return {
    get(vin) {
      const known = memory.get(vin);
      if (known === undefined || parts.now() < known.until) return known;
      memory.delete(vin);
      return undefined;
    },
    keep(label) {
      const etag = `"${label.sha256}"`;
      const file: HeldFile = {
        label,
        etag,
        modified: label.fetched,
        inline: inOnePiece(sets.pdf(label, false)),
        attachment: inOnePiece(sets.pdf(label, true)),
        unchanged: inOnePiece(sets.notModified(etag, IMMUTABLE, label.fetched)),
        whole: headOf('Content-Length', String(label.bytes), 'Content-Digest', digestOf(label.sha256)),
        until: parts.now() + FRESH_MS,
      };
      memory.set(label.vin, file);
      return file;
    },
  };
}
