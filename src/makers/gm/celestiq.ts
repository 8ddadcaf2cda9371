import type { Label, OptionLine } from '../../reading/types.ts';
import { indexOf, until } from '../../reading/find.ts';
import type { Line } from '../../reading/lines.ts';
import { cents, priced } from '../../reading/money.ts';
import { total as sumOf } from '../../reading/proof.ts';
import { note, type OptionsSum } from '../../reading/reader.ts';

const SELECTIONS = /^PERSONAL SELECTIONS$/i;
const BASE = /^STANDARD VEHICLE MSRP/i;
const SUMS = [BASE, /^PERSONAL SELECTIONS MSRP/i, /^DESTINATION CHARGE/i];
const TOTAL = /^TOTAL MANUFACTURER.S SUGGESTED RETAIL PRICE/i;
const CHILD = /^[-–•]\s*/;

export function isCelestiq(lines: Line[]): boolean {
  return indexOf(lines, BASE) >= 0 && indexOf(lines, SUMS[1]!) >= 0;
}

/** Cars made to order print one sum for all selections: three words for sums, then their three amounts. */
export function readCelestiq(label: Label, lines: Line[]): OptionsSum | undefined {
  const { prices } = label;
  const [base, selections, destination] = sumsOf(lines);
  prices.base = base ?? null;
  prices.destination = destination ?? null;
  const anchors = SUMS.map((sum) => lines[indexOf(lines, sum)]);
  note(label, 'prices.base', anchors[0]);
  note(label, 'prices.destination', anchors[2]);

  const at = indexOf(lines, TOTAL);
  const total = lines
    .slice(Math.max(at, 0))
    .find((line) => amountOf(line) !== null && (line.size > 15 || !line.positioned));
  prices.total = at < 0 || !total ? null : amountOf(total);
  note(label, 'prices.total', total);

  const options = selectionsOf(lines);
  const itemised = options.some((option) => option.price !== null);
  if (itemised) prices.options = options;
  else if (selections !== undefined) {
    prices.options = [
      {
        name: 'PERSONAL SELECTIONS',
        price: selections,
        children: options.flatMap((option) => [option.name, ...option.children]),
      },
    ];
    note(label, 'prices.options.0', anchors[1]);
  }
  return itemised && selections !== undefined ? { printed: selections, sum: sumOf(options) } : undefined;
}

function sumsOf(lines: Line[]): (number | undefined)[] {
  const from = indexOf(lines, BASE);
  const amounts: number[] = [];
  for (const line of lines.slice(from, from + 12)) {
    const amount = amountOf(line);
    if (amount !== null && amounts.length < 3) amounts.push(amount);
  }
  return amounts;
}

function selectionsOf(lines: Line[]): OptionLine[] {
  const from = indexOf(lines, SELECTIONS);
  const options: OptionLine[] = [];
  if (from < 0) return options;
  for (const line of until(lines, from + 1, BASE)) {
    const option = options.at(-1);
    if (option && CHILD.test(line.text)) option.children.push(line.text.replace(CHILD, ''));
    else {
      const { name, price } = priced(line);
      options.push({ name, price, children: [] });
    }
  }
  return options;
}

function amountOf(line: Line): number | null {
  const amount = line.text.includes('$') ? priced(line).printed : null;
  return amount === null ? null : cents(amount);
}
