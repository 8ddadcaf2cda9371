import type { Decoder } from '@monroney/vin';
import { sources } from '../../makers/index.ts';

/** Releases grow. A table that lost more than this is incomplete. */
const MIN_SHARE_OF_ROWS = 0.97;
/** Small ones may lose a row. */
const MIN_ROWS = 100;
/** For each make that has stickers, and as many of any make. */
const SAMPLES = 10;
/** NHTSA corrects a few patterns in each release. */
const MIN_SAME = 0.97;

/** What is wrong with new data, compared with the data in effect; null if nothing is. */
export function vpicProblem(fresh: Decoder, current: Decoder): string | null {
  for (const [table, count] of Object.entries(current.counts)) {
    const now = fresh.counts[table] ?? 0;
    if (count >= MIN_ROWS && now < count * MIN_SHARE_OF_ROWS)
      return `The table ${table} has ${now} rows. The data in effect has ${count}.`;
  }
  for (const { id, example } of sources) {
    const [before, after] = [current, fresh].map((vpic) => vpic.decode(example).vehicle?.make);
    if (before !== after)
      return `${example}, an example of ${id}, decodes as ${after ?? 'no make'} instead of ${before}.`;
  }
  const makes = [undefined, ...sources.flatMap((source) => source.makes)];
  const samples = makes.flatMap((make) =>
    Array.from({ length: SAMPLES }, (_, seed) => current.testVin({ make, seed })).filter(
      (vin) => vin !== null,
    ),
  );
  const same = samples.filter((vin) => carOf(fresh, vin) === carOf(current, vin)).length;
  return same < samples.length * MIN_SAME
    ? `Of ${samples.length} sample VINs, only ${same} decode to the same make, model and year as before.`
    : null;
}

function carOf(vpic: Decoder, vin: string): string {
  const { make, model, year } = vpic.decode(vin).vehicle ?? {};
  return `${year} ${make} ${model}`;
}
