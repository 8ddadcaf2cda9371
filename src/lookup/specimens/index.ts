import { readFileSync } from 'node:fs';
import type { Decoded } from '@monroney/vin';
import { sources } from '../../makers/index.ts';
import type { SpecimenRow, Source } from '../../makers/maker.ts';
import { readerVersionOf } from '@monroney/label/read-text';
import type { Paint, PrintedCar } from '@monroney/label/reading/types';
import type { HeldLabel } from '../../store/store.ts';
import type { Finding, LookupResult } from '../finding.ts';
import drawn from './drawn.json' with { type: 'json' };

/** A documented test VIN: the same response on every instance, without a request to a source. */
export interface Specimen extends SpecimenRow {
  /** The paint that the reader finds; null without a label, and for a picture. */
  paint: Paint | null;
  /** Our drawing, as a held label; null if the specimen shows an outcome without a label. */
  label: HeldLabel | null;
}

/** What `npm run specimens` writes about a drawing. */
export interface Drawn {
  bytes: number;
  sha256: string;
  car: PrintedCar | null;
}

/** Fixed, because the drawings are part of the source code. */
const FETCHED = Date.UTC(2026, 10, 15);
const files = drawn as Record<string, Drawn | undefined>;

/** Specimens that belong to no maker in our list. */
const withoutSource: readonly SpecimenRow[] = [
  { vin: '1HGCV3F53MA000000', make: 'Honda', shows: 'a make that publishes no labels', state: 'no-source' },
  {
    vin: '1ZZAA1AA8TA000000',
    make: '',
    shows: 'an unregistered manufacturer',
    state: 'no-source',
  },
];

/** Those with a label first. */
const rows = [...sources.flatMap((source) => source.specimens ?? []), ...withoutSource].toSorted(
  (one, other) => Number(other.state === 'held') - Number(one.state === 'held'),
);

export const specimens: readonly Specimen[] = rows.map((row) => {
  const paint = row.paint ?? null;
  const file = files[row.vin];
  const label = file && {
    vin: row.vin,
    make: row.make,
    source: 'specimen',
    host: 'specimen',
    fetched: FETCHED,
    ...file,
    paint,
    reader: readerVersionOf(row.make),
  };
  return { ...row, paint, label: label ?? null };
});

export const specimenByVin: ReadonlyMap<string, Specimen> = new Map(
  specimens.map((specimen) => [specimen.vin, specimen]),
);
const pdfs = new Map<string, Buffer>();

/** The PDF, cached after the first read. */
export function specimenPdf(vin: string): Buffer {
  const cached = pdfs.get(vin);
  if (cached) return cached;
  const pdf = readFileSync(new URL(`${vin}.pdf`, import.meta.url));
  pdfs.set(vin, pdf);
  return pdf;
}

/** The lookup result of a specimen: the same on every instance, without a request to a source. */
export function specimenResult(
  specimen: Specimen,
  decoded: Decoded,
  source: Source | null,
  sticker: boolean,
): LookupResult {
  return { vin: specimen.vin, decoded, source, finding: finding(specimen, sticker), specimen: true };
}

function finding(specimen: Specimen, sticker: boolean): Finding {
  switch (specimen.state) {
    case 'held':
      return { state: 'held', label: specimen.label! };
    case 'off':
      return {
        state: 'off',
        reason: 'this test VIN shows what a paused make looks like',
        since: null,
      };
    case 'no-source':
      return { state: 'no-source' };
    case 'none':
      return { state: 'none', why: 'specimen', until: Number.MAX_SAFE_INTEGER };
    case 'failed':
      return sticker ? { state: 'failed', why: 'specimen', retryAfter: 30 } : { state: 'not-asked' };
  }
}
