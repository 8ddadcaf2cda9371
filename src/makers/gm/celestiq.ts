import type { Label, OptionLine } from '../../reading/types.ts';
import { indexOf, until } from '../../reading/line-search.ts';
import { fromTop } from '../../reading/reading-order.ts';
import type { Line } from '../../reading/lines.ts';
import { cents, priced } from '../../reading/money.ts';
import { total as sumOf } from '../../reading/proof.ts';
import { recordPlace, type OptionsSum } from '../../reading/reader.ts';

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
  recordPlace(label, 'prices.base', anchors[0]);
  recordPlace(label, 'prices.destination', anchors[2]);

  const at = indexOf(lines, TOTAL);
  const total = lines
    .slice(Math.max(at, 0))
    .find((line) => amountOf(line) !== null && (!line.positioned || !isSum(line, lines[at]!)));
  prices.total = at < 0 || !total ? null : amountOf(total);
  recordPlace(label, 'prices.total', total);

  const options = selectionsOf(lines);
  const itemized = options.some((option) => option.price !== null);
  if (itemized) prices.options = options;
  else if (selections !== undefined) {
    prices.options = [
      {
        name: 'PERSONAL SELECTIONS',
        price: selections,
        children: options.flatMap((option) => [option.name, ...option.children]),
      },
    ];
    recordPlace(label, 'prices.options.0', anchors[1]);
  }
  return itemized && selections !== undefined ? { printed: selections, sum: sumOf(options) } : undefined;
}

/** Each sum beside its words, or the first three amounts under the first of them, in its order. */
function sumsOf(lines: Line[]): (number | undefined)[] {
  const beside = SUMS.map((sum) => {
    const line = lines[indexOf(lines, sum)];
    return (line && amountOf(line)) ?? undefined;
  });
  if (beside.every((sum) => sum !== undefined)) return beside;
  const from = lines[indexOf(lines, BASE)];
  if (!from) return [];
  const under = from.positioned
    ? fromTop(lines.filter((line) => line.x >= from.x && line.y > from.y - from.size && isSum(line, from)))
    : lines.slice(lines.indexOf(from), lines.indexOf(from) + 12);
  return under.flatMap((line) => amountOf(line) ?? []).slice(0, 3);
}

/** The total is set larger than the sums. */
const isSum = (line: Line, words: Line): boolean => line.size < 1.4 * words.size;

function selectionsOf(lines: Line[]): OptionLine[] {
  const from = indexOf(lines, SELECTIONS);
  const options: OptionLine[] = [];
  if (from < 0) return options;
  let above: Line | null = null;
  for (const line of until(lines, from + 1, BASE)) {
    const option = options.at(-1);
    const isChild = CHILD.test(line.text);
    const { name, price } = priced(line);
    if (option && isChild) option.children.push(line.text.replace(CHILD, ''));
    else if (option && above && price === null && goesOn(above, line)) {
      if (option.children.length > 0) option.children.push(`${option.children.pop()} ${line.text}`);
      else option.name = `${option.name} ${line.text}`;
    } else options.push({ name, price, children: [] });
    above = line;
  }
  return options;
}

const OPEN = /(?:\b(?:AND|WITH|FOR|OF|IN)|W\/|[&,/–-])$/i;

/** A line continues the one above if that ends in the middle of a phrase, or if it is indented under it. */
function goesOn(above: Line, line: Line): boolean {
  if (OPEN.test(above.text) || /^[a-z(&]/.test(line.text)) return true;
  const indent = line.x - above.x;
  return line.positioned && line.y > above.y && indent > 0.25 * line.size && indent < 6 * line.size;
}

function amountOf(line: Line): number | null {
  const amount = line.text.includes('$') ? priced(line).printed : null;
  return amount === null ? null : cents(amount);
}
