import { readFileSync } from 'node:fs';
import { sources } from '../../makers/index.ts';
import type { SpecimenRow } from '../../makers/maker.ts';
import { readerVersionOf } from '../../makers/read.ts';
import type { Paint } from '../../reading/types.ts';
import type { HeldLabel } from '../../store/store.ts';
import drawn from './drawn.json' with { type: 'json' };
import { general } from './general.ts';

/** A documented VIN that always answers the same, on every instance, without asking anyone. */
export interface Specimen extends SpecimenRow {
  /** What the reader reads off its label; null without a label, and for a picture. */
  paint: Paint | null;
  /** Our drawing, as if held; null where the specimen shows an answer without a label. */
  label: HeldLabel | null;
}

/** When the first of them were drawn: the drawings are part of the source, so this never changes. */
const FETCHED = Date.UTC(2026, 10, 15);
const files: Record<string, { bytes: number; sha256: string } | undefined> = drawn;

/** Labels first, then every way of having none. */
const rows = [...sources.flatMap((source) => source.specimens ?? []), ...general].toSorted(
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

const byVin = new Map(specimens.map((specimen) => [specimen.vin, specimen]));
const pdfs = new Map<string, Buffer>();

export function specimen(vin: string): Specimen | null {
  return byVin.get(vin) ?? null;
}

/** The drawing's bytes, read once and kept. */
export function specimenPdf(vin: string): Buffer {
  const kept = pdfs.get(vin);
  if (kept) return kept;
  const pdf = readFileSync(new URL(`${vin}.pdf`, import.meta.url));
  pdfs.set(vin, pdf);
  return pdf;
}
