import { endsInCountry } from './countries.ts';
import type { Line } from './lines.ts';
import { isMoney } from './money.ts';
import type { Box, Label, TextItem, Proof } from './types.ts';
import { proofOf } from './proof.ts';
import { blankLabel, type OptionsSum } from './reader.ts';

/** The widest space between two words of a value, in em. On no real label is one wider than 0.3. */
const MAX_SPACE_EM = 0.45;
/** Runs that share more of a row than this, in em, are printed over each other. */
const MAX_OVERLAP_EM = 0.5;
const FIELDS = ['interior', 'engine', 'transmission'] as const;

/**
 * Leaves out colors, engine, transmission and assembly point that are printed with a gap in them, with an amount or under
 * other words: a neighbor's text, or text stamped over the label, is then part of the value.
 */
export function leaveOutBrokenValues(label: Label, lines: Line[]): void {
  const rowsOf = (field: string): TextItem[][] => {
    const box = label.places[field];
    return box ? lines.flatMap((line) => runsInside(line, box)) : [];
  };
  const isBroken = (field: string, value: string): boolean =>
    hasAmount(value) || hasGap(rowsOf(field)) || hasOverprint(rowsOf(field), lines);
  if (label.exterior && isBroken('exterior', label.exterior.color)) label.exterior = null;
  for (const field of FIELDS) {
    const value = label[field];
    if (value && isBroken(field, value)) label[field] = null;
  }
  const plant = rowsOf('assembly');
  // Some makers print the country at a distance from the town.
  const isApart = hasGap(plant) && !endsInCountry(label.assembly ?? '');
  if (isApart || hasOverprint(plant, lines)) label.assembly = null;
}

function hasAmount(value: string): boolean {
  // A figure such as 3.73 is the ratio of an axle.
  return (
    /\$\s?\d/.test(value) || value.split(' ').some((word) => isMoney(word) && /\d{2}\.|\.00$/.test(word))
  );
}

/** The runs of a line that lie inside the box, from left to right. */
function runsInside(line: Line, box: Box): TextItem[][] {
  const isInside =
    line.positioned &&
    line.page === box.page &&
    line.y > box.y + 0.5 * line.size &&
    line.y < box.y + box.height;
  if (!isInside) return [];
  const items = line.items.filter(
    ({ x, width, sideways }) => !sideways && x > box.x - 1 && x + width < box.x + box.width + 1,
  );
  return items.length > 0 ? [items.toSorted((one, other) => one.x - other.x)] : [];
}

/** True if there is a gap between two words of a line. */
function hasGap(rows: TextItem[][]): boolean {
  return rows.some((items) =>
    items.some(({ x, size }, at) => {
      const before = items[at - 1];
      return before !== undefined && x - before.x - before.width > MAX_SPACE_EM * size;
    }),
  );
}

/** True if other words are printed over these. */
function hasOverprint(rows: TextItem[][], lines: Line[]): boolean {
  const own = rows.flat();
  return lines.some(({ positioned, y, size, items }) => {
    const near = positioned && own.some((run) => Math.abs(run.y - y) < MAX_OVERLAP_EM * size);
    return (
      near && items.some((item) => !item.sideways && own.some((run) => run !== item && isOver(item, run)))
    );
  });
}

function isOver(one: TextItem, other: TextItem): boolean {
  const size = Math.min(one.size, other.size);
  const shared = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  return Math.abs(one.y - other.y) < MAX_OVERLAP_EM * size && shared > MAX_OVERLAP_EM * size;
}

/**
 * Leaves out facts that the label's own arithmetic contradicts. Prices that don't add up stay if the reader has been
 * tested on real labels: `proof` reports the difference, and the printed total is still worth knowing.
 */
export function withoutContradictions(
  label: Label,
  unread: Proof['reason'],
  options: OptionsSum | undefined,
  /** The reader was never tested on a real label of this make, so its prices count only if they add up. */
  isUnproven: boolean,
): { label: Label; proof: Proof } {
  const checked = { ...label, places: { ...label.places } };
  if ((checked.year === null || checked.model === null) && hasBody(checked)) leaveOutDescription(checked);
  const first = proofOf(checked, unread, options);
  if (!first.closes && isUnproven) checked.prices = blankLabel(checked.make, checked.market).prices;
  for (const field of Object.keys(checked.places)) if (!isThere(checked, field)) delete checked.places[field];
  return { label: checked, proof: { ...proofOf(checked, unread, options), reason: first.reason } };
}

/** Full labels name the car. A fleet's form has only a color and a VIN, without equipment or prices. */
function hasBody({ prices, standard }: Label): boolean {
  return prices.base !== null || prices.total !== null || prices.options.length > 0 || standard.length > 0;
}

/** If the line that names the car was not found, the text beside it may belong to another block. */
function leaveOutDescription(label: Label): void {
  Object.assign(label, { exterior: null, interior: null, engine: null, transmission: null });
}

/** True if there is still a value at this path, such as `prices.options.3`. */
function isThere(label: Label, path: string): boolean {
  let value: unknown = label;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value !== null && value !== undefined;
}
