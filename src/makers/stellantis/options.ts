import type { Label, OptionLine } from '../../reading/types.ts';
import { isFee, isTax } from '../../reading/charges.ts';
import { indexOf } from '../../reading/find.ts';
import type { Line } from '../../reading/lines.ts';
import { cents, SAVINGS } from '../../reading/money.ts';
import { placeOf } from '../../reading/places.ts';

/** Anchored: the same words stand inside the heading of the standard equipment. */
export const OPTIONS =
  /^(?:OPTIONAL EQUIPMENT|ACCESSOIRES (?:OPTIONNELS|EN OPTION)|[ÉE]QUIPEMENTS? (?:OPTIONNELS?|EN OPTION))(?!\s*\))/i;
/** Children stand 3.6 to 4 points further right than their parents. */
const INDENT = 1.8;
/** The columns are some 285 points apart. */
const COLUMN = 200;

/** Options from their heading to the destination charge, out of the left column into the right. */
export function readOptions(label: Label, lines: Line[], end: number): void {
  const from = indexOf(lines, OPTIONS);
  if (from < 0 || end <= from) return;
  const block = lines.slice(from + 1, end).filter((line) => line.text.length > 1 && line.size < 12);
  let parent: { option: OptionLine; line: Line } | null = null;
  const children = childrenOf(block, lines[from]!, lines[end]!, label.year);
  for (const line of block) {
    const { name, price } = amountAtRight(line);
    if (price === null && children.has(line) && parent) {
      parent.option.children.push(name);
      continue;
    }
    const option: OptionLine = { name, price, children: [] };
    file(label, option, line);
    parent = { option, line };
  }
}

function file(label: Label, option: OptionLine, line: Line): void {
  const { prices, places } = label;
  const at = placeOf(line);
  const plain = { name: option.name, price: option.price, ...(at ? { at } : {}) };
  let field = `prices.options.${prices.options.length}`;
  if (isTax(option.name)) field = `prices.taxes.${prices.taxes.push(plain) - 1}`;
  else if (isFee(option.name)) field = `prices.fees.${prices.fees.push(plain) - 1}`;
  else if (option.price !== null && option.price < 0 && SAVINGS.test(option.name)) {
    field = `prices.discounts.${prices.discounts.push(plain) - 1}`;
  } else prices.options.push(at ? Object.assign(option, { at }) : option);
  if (at) places[field] = at;
}

/** An amount counts only as a run of its own at the right: a child may say `(vs 25MY: $2,515)`. */
function amountAtRight(line: Line): { name: string; price: number | null } {
  const last = line.cells.at(-1)!;
  if (line.cells.length > 1 && isAmount(last.text)) {
    const names = line.cells.slice(0, -1).map((cell) => cell.text);
    return { name: names.join(' '), price: cents(last.text) };
  }
  const item = line.items.at(-1)!;
  const text = item.text.trim();
  if (line.items.length > 1 && isAmount(text)) {
    return { name: line.text.slice(0, line.text.lastIndexOf(text)).trim(), price: cents(text) };
  }
  const recorded = line.positioned ? null : /\s([–-]?\$[\d,]+)$/.exec(line.text);
  if (recorded) return { name: line.text.slice(0, recorded.index), price: cents(recorded[1]!) };
  return { name: line.text, price: null };
}

function isAmount(text: string): boolean {
  return text.includes('$') && cents(text) !== null;
}

/** Lines set in from their column's margin. The margins are those of the heading and of the destination charge. */
function childrenOf(block: Line[], heading: Line, destination: Line, year: number | null): Set<Line> {
  const left = block.filter((line) => line.x < heading.x + COLUMN);
  const right = block.filter((line) => line.x >= heading.x + COLUMN);
  const margin =
    destination.x >= heading.x + COLUMN ? destination.x : Math.min(...right.map((line) => line.x));
  const indented = (line: Line): boolean =>
    line.x - (line.x < heading.x + COLUMN ? heading.x : margin) > INDENT;
  const children = new Set(block.filter(indented));
  // Some labels of 2018 set the left column's children flush with their parents.
  const flush = year === 2018 && right.length > 0 && !left.some((line) => children.has(line));
  if (flush) for (const line of flushChildren(left)) children.add(line);
  return children;
}

/** A package sold at no charge is named as one; other unpriced lines belong to the line above. */
function flushChildren(left: Line[]): Line[] {
  const first = left.findIndex((line) => amountAtRight(line).price !== null || isPackage(line.text));
  return left.slice(first + 1).filter((line) => !isPackage(line.text));
}

function isPackage(name: string): boolean {
  return /(?:Package|Pkg|Ensemble|Group)\.?\s+(?:–\s+)?\d[A-Z0-9]{2}$/i.test(name);
}
