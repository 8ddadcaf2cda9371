import { below, indexOf, rightOf } from './find.ts';
import { fromTop } from './reading-order.ts';
import type { Line } from './lines.ts';
import { isMoney } from './money.ts';

export interface Fact {
  text: string;
  line: Line;
}

/** The maximum distance between a name and its value, in em. */
const MAX_VALUE_GAP_EM = 25;

/**
 * The value of a name with a colon: on the same line, beside it, or below it. `isFact` matches the names of other facts,
 * which are never values.
 */
export function factOf(lines: Line[], anchor: RegExp, isFact: RegExp): Fact | null {
  const at = indexOf(lines, anchor);
  const line = lines[at];
  if (!line) return null;
  const own = line.text
    .replace(anchor, '')
    .replace(new RegExp(`\\s*${isFact.source}.*$`, 'i'), '')
    .trim();
  if (own) return { text: own, line };
  const value = line.positioned ? nearestValue(lines, line) : (lines[at + 1] ?? null);
  return value && !isFact.test(value.text) && !isMoney(value.text) ? { text: value.text, line: value } : null;
}

function nearestValue(lines: Line[], name: Line): Line | null {
  const [beside] = rightOf(lines, name);
  return beside && beside.x - name.right < MAX_VALUE_GAP_EM * name.size ? beside : below(lines, name);
}

/** The lines of the column that a priced line belongs to, from top to bottom. Recorded text has one column. */
export function columnOf(lines: Line[], priced: Line): Line[] {
  const amount = priced.cells.at(-1);
  if (!priced.positioned || !amount || priced.cells.length < 2) return lines;
  const left = priced.x - 6 * priced.size;
  return fromTop(lines.filter((line) => line.page === priced.page && line.x >= left && line.x < amount.x));
}
