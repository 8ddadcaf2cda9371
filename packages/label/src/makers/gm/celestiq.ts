import type { Label, Line } from '../../reading/types.ts';
import { indexOf, until, columnsByEdge, fromTop } from '../../reading/line-search.ts';
import { amountOf, total as sumOf } from '../../reading/money.ts';
import { setPrice, type OptionsSum } from '../../reading/reader.ts';
import { addOptions, entriesOf } from './prices.ts';

const SELECTIONS = /^PERSONAL SELECTIONS$/i;
const BASE = /^STANDARD VEHICLE MSRP/i;
const SELECTIONS_SUM = /^PERSONAL SELECTIONS MSRP/i;
const DESTINATION = /^DESTINATION CHARGE/i;
const TOTAL = /^TOTAL MANUFACTURER.S SUGGESTED RETAIL PRICE/i;
const CHILD = /^[-–•]\s*/;

/** A car made to order has a form of its own: the selections with their prices, and the sums under them. */
export function isCelestiq(lines: Line[]): boolean {
  return indexOf(lines, BASE) >= 0 && indexOf(lines, SELECTIONS_SUM) >= 0;
}

/** The selections and the sums. The boxes required by law are beside them, not below. */
export function celestiqBlock(lines: Line[]): Line[] {
  const heading = lines.find((line) => SELECTIONS.test(line.text));
  const total = lines.find((line) => TOTAL.test(line.text));
  if (!heading || !total) return [];
  return fromTop(
    lines.filter(
      ({ page, y, x }) => page === heading.page && y > heading.y - heading.size / 2 && x < total.right,
    ),
  );
}

/** `step` is the minimum distance between the left edges of two columns. */
export function readCelestiq(label: Label, block: Line[], step: number): OptionsSum | undefined {
  const find = (anchor: RegExp): Line | undefined => block[indexOf(block, anchor)];
  const list = until(block, indexOf(block, SELECTIONS) + 1, BASE);
  const selections = entriesOf(list[0]?.positioned ? columnsByEdge(list, step).flat() : list, CHILD);
  addOptions(label, selections);
  setPrice(label, 'base', amountOf(find(BASE)), find(BASE));
  setPrice(label, 'destination', amountOf(find(DESTINATION)), find(DESTINATION));
  // The total is below its words, in larger type.
  const total = block.slice(indexOf(block, TOTAL)).find((line) => line.text.startsWith('$'));
  setPrice(label, 'total', amountOf(total), total);
  const printed = amountOf(find(SELECTIONS_SUM));
  return printed === null ? undefined : { printed, sum: sumOf(selections) };
}

/** Year and make in small type, the model's name in large type under them, and the edition beside that. */
export function celestiqTitle(lines: Line[]): Line[] {
  const first = lines.find((line) => line.positioned && /^20\d{2} [A-Z]+$/.test(line.text));
  const name =
    first &&
    lines.find(
      ({ page, x, y, size }) =>
        page === first.page &&
        Math.abs(x - first.x) < first.size &&
        y > first.y &&
        y - first.y < 1.5 * size &&
        size > 2 * first.size,
    );
  if (!name) return [];
  const edition = lines.find(
    ({ page, x, y }) =>
      page === name.page &&
      x > name.right &&
      x < name.right + 4 * name.size &&
      Math.abs(y - name.y) < name.size / 4,
  );
  return [first, name, ...(edition ? [edition] : [])];
}
