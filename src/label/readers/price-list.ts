import type { Label, OptionLine } from '../types.ts';
import { indexOf } from './find.ts';
import type { Line } from './lines.ts';
import { amountOf, cents, isNoCharge, priced } from './money.ts';
import { placeOf } from './places.ts';
import { note } from './reader.ts';

/** How a family words its price list: base, options, freight and total, one under the other. */
export interface PriceWords {
  base: RegExp;
  /** Options begin after this line; without it there are none. */
  options: RegExp;
  destination: RegExp;
  total: RegExp;
  /** Lines among the options that are neither option nor child: sums, headings. */
  skip?: RegExp;
  /** Marks the beginning of an option, where unmarked lines are its children. */
  mark?: RegExp;
}

/** Reads the list into the label. Returns false where the anchors do not stand in their order. */
export function readPriceList(label: Label, printed: Line[], words: PriceWords): boolean {
  const lines = withAmounts(printed);
  const base = indexOf(lines, words.base);
  const destination = indexOf(lines, words.destination, base + 1);
  const total = indexOf(lines, words.total, destination + 1);
  if (base < 0 || destination < 0 || total < 0) return false;
  const { prices } = label;
  prices.base = amountAt(lines, base);
  prices.destination = amountAt(lines, destination);
  prices.total = amountAt(lines, total);
  note(label, 'prices.base', lines[base]);
  note(label, 'prices.destination', lines[destination]);
  note(label, 'prices.total', lines[total]);
  const from = indexOf(lines, words.options);
  if (from >= 0 && from < destination) {
    prices.options = optionsOf(lines.slice(Math.max(from, base) + 1, destination), words);
    prices.options.forEach((option, index) => {
      if (option.at) label.places[`prices.options.${index}`] = option.at;
    });
  }
  return true;
}

/** The amount of a line, or alone on the next one. */
export function amountAt(lines: Line[], index: number): number | null {
  const line = lines[index];
  const next = lines[index + 1];
  return amountOf(line) ?? (line && next ? cents(next.text) : null);
}

const MOST_AMOUNTS = 200;

/** Names with their amounts, where the PDF draws all the names first and the amounts after them. */
export function withAmounts(lines: Line[]): Line[] {
  const joined = new Map<Line, Line>();
  const taken = new Set<Line>();
  for (const amount of lines) {
    if (!amount.positioned || !isMoney(amount.text)) continue;
    // No label prints so many prices: a page made to keep us busy gets no more of our time.
    if (taken.size >= MOST_AMOUNTS) break;
    const [name] = lines
      .filter((line) => isLeftOf(line, amount) && !joined.has(line))
      .toSorted((one, other) => other.right - one.right);
    if (!name) continue;
    taken.add(amount);
    const cells = [...name.cells, ...amount.cells];
    joined.set(name, { ...name, cells, text: `${name.text} ${amount.text}`, right: amount.right });
  }
  return lines.filter((line) => !taken.has(line)).map((line) => joined.get(line) ?? line);
}

/** A bare number beside a name is another box's figure. */
const isMoney = (text: string): boolean =>
  cents(text) !== null && (/\$|\.\d{2}$/.test(text) || isNoCharge(text));

const isLeftOf = (name: Line, amount: Line): boolean =>
  name.page === amount.page &&
  Math.abs(name.y - amount.y) < amount.size * 0.4 &&
  name.right <= amount.x &&
  amount.x - name.right < 260 &&
  amountOf(name) === null;

function optionsOf(lines: Line[], { skip, mark }: PriceWords): OptionLine[] {
  const options: OptionLine[] = [];
  for (const line of lines) {
    if (skip?.test(line.text) || cents(line.text) !== null) continue;
    const { name, printed } = priced(line);
    const price = printed === null ? null : cents(printed);
    const last = options.at(-1);
    const marked = mark?.test(name) ?? false;
    if (price === null && !marked && last) {
      addChild(last, name);
      continue;
    }
    // A line that costs nothing by word is an option all the same; one without any amount before the first is not.
    if (price === null && !marked) continue;
    const plain = mark ? name.replace(mark, '').trim() : name;
    const free = price === 0 && !/\d/.test(printed ?? '');
    options.push({ name: plain, price: free ? null : price, children: [], at: placeOf(line) });
  }
  return options;
}

const OPEN = /(?:\b(?:and|with|for)|w\/|&|,|-)$/i;
const GOES_ON = /^(?:w\/|and |with |& |\()/i;

function addChild(option: OptionLine, name: string): void {
  const last = option.children.at(-1);
  const plain = name.replace(/^[·•*-]\s*/, '');
  if (last !== undefined && (OPEN.test(last) || GOES_ON.test(plain))) {
    option.children[option.children.length - 1] = `${last} ${plain}`;
  } else option.children.push(plain);
}
