import { boxOf, setPrice, type OptionsSum } from '../../reading/reader.ts';
import { addCharge, addOption, isFee, recordPricePlaces } from '../../reading/price-list.ts';
import { rightOf, rowsOf } from '../../reading/line-search.ts';
import type { Line, Label, OptionLine } from '../../reading/types.ts';
import { cents, isNoCharge, SAVINGS, total as sumOf } from '../../reading/money.ts';

/** A page by its headings. */
export interface PricedPage {
  /** One line per cell, so that columns in one row stay separate. */
  cells: Line[];
  standard: Line | undefined;
  /** The heading of the options. */
  options: Line | undefined;
  prices: Line | undefined;
  bottom: number;
}

/** A line of the price list. */
export interface Entry {
  line: Line;
  name: string;
  /** As printed; null where the row has no amount. */
  amount: string | null;
}

/** The two columns of options and the prices beside them, separated by the distance of a name from their headings. */
export function readPrices(label: Label, page: PricedPage): OptionsSum | null {
  const { cells, options, prices, standard, bottom } = page;
  const left = options ?? standard;
  if (!prices || !left) return null;
  const step = prices.x - left.x;
  const second = left.x + 0.4 * step;
  const third = left.x + 0.8 * step;
  const top = Math.min(left === options ? left.y : prices.y, prices.y);
  const area = cells.filter(
    (cell) => cell.y > top + 0.5 * cell.size && cell.y < bottom && cell.x < prices.x + 0.55 * step,
  );
  // Notes between the columns are set in other type than the lists.
  const isListed = (cell: Line): boolean => Math.abs(cell.size - prices.size) < 0.2 * prices.size;
  const entries = rowsOf(area.filter(isListed), 0.4).flatMap(entriesOf);
  const between = (from: number, to: number): Entry[] =>
    entries.filter(({ line }) => line.x >= from && line.x < to);
  const columns = options ? [between(-Infinity, second), between(second, third)] : [];
  const lines = optionsOf(columns.flatMap(withoutNotes));
  for (const line of lines) addOption(label.prices, line);
  const printed = readPriceBlock(label, between(third, Infinity));
  recordPricePlaces(label);
  readTotal(label, cells);
  return printed === null ? null : { printed, sum: sumOf(lines) };
}

/** A figure below this, in cents, is the ratio of an axle. */
const MIN_AMOUNT_CENTS = 1000;
export const isAmount = (text: string): boolean =>
  isNoCharge(text) ||
  (/\.\d{2}$|^[-–−]?\s?\$/.test(text) && Math.abs(cents(text) ?? 0) >= MIN_AMOUNT_CENTS) ||
  /^\$?0?\.00$/.test(text);
/** A run with name and amount: the amount must end in `.00`, as a name may end in `AXLE 3.73` or `31X10.50`. */
const GLUED = /^(.*?\S)(?:(?:\s|(?<![\d.,]))([-–−]?\s?\$?(?:\d{1,3}(?:,\d{3})+|\d+)\.00)|\s(NO CHARGE))$/;

/** Names of one row, each with the amount that follows it. */
function entriesOf(row: Line[]): Entry[] {
  const entries: Entry[] = [];
  let minus = false;
  for (const cell of row) {
    const last = entries.at(-1);
    if (/^[-–−]$/.test(cell.text)) minus = true;
    else if (isAmount(cell.text)) {
      if (last && last.amount === null) {
        last.amount = minus ? `-${cell.text}` : cell.text;
        last.line = { ...last.line, right: cell.right };
      }
      minus = false;
    } else if (!/^_+$/.test(cell.text)) {
      const [, name = cell.text, amount, free] =
        (/(?:\.00|GE)$/.test(cell.text) && GLUED.exec(cell.text)) || [];
      entries.push({ line: cell, name, amount: amount ?? free ?? null });
    }
  }
  return entries;
}

/** A note has at least this many lines. */
const MIN_NOTE_LINES = 3;

/** The entries of a column without notes to the buyer: sentences in small letters over several lines without an amount. */
function withoutNotes(column: Entry[]): Entry[] {
  const notes = new Set<Entry>();
  let block: Entry[] = [];
  for (const entry of [...column, null]) {
    if (entry && entry.amount === null && /[a-z]{2}/.test(entry.name)) {
      block.push(entry);
      continue;
    }
    const isNote = block.length >= MIN_NOTE_LINES && block.some(({ name }) => /[a-z]\.$/.test(name));
    if (isNote) for (const line of block) notes.add(line);
    block = [];
  }
  return column.filter((entry) => !notes.has(entry));
}

const HEADING =
  /^(?:OPTIONAL EQUIPMENT|DEALER INSTALLED|INCLUDED ON THIS VEHICLE|\(MSRP\)|(?:19|20)\d{2}(?:\.5| 1\/2)? MODEL YEAR$)/;

/** The options of both columns, with the contents of packages and equipment groups as their children. */
export function optionsOf(entries: Entry[]): OptionLine[] {
  const lines: OptionLine[] = [];
  let holder: OptionLine | null = null;
  for (const { line, name, amount } of entries) {
    if (amount === null && HEADING.test(name)) {
      holder = null;
      continue;
    }
    if (holder && amount === null && contains(holder, name)) {
      holder.children.push(plainName(name));
      continue;
    }
    const price = amount === null || isNoCharge(amount) ? null : cents(amount);
    const at = boxOf(line);
    const option: OptionLine = { name: plainName(name), price, children: [], ...(at ? { at } : {}) };
    lines.push(option);
    holder = hasContents(name) ? option : null;
  }
  return lines;
}

const FIELDS = [
  ['BASE PRICE', 'base'],
  ['TOTAL VEHICLE & OPTIONS', 'subtotal'],
  ['DESTINATION', 'destination'],
] as const;

/** Reads base, destination, charges and discounts; returns the printed sum of the options. */
export function readPriceBlock(label: Label, entries: Entry[]): number | null {
  const { prices } = label;
  let printed: number | null = null;
  for (const { line, name, amount } of entries) {
    const price = amount === null || isNoCharge(amount) ? null : cents(amount);
    if (price === null) continue;
    const field = FIELDS.find(([words]) => name.startsWith(words))?.[1];
    if (field) setPrice(label, field, price, line);
    else if (name.startsWith('TOTAL OPTIONS')) printed = price;
    else if (!/^(?:SUB)?\s?TOTAL\b/.test(name)) addCharge(prices, { name, price, at: boxOf(line) });
  }
  // Without the destination, its amount may have been taken for that of another line.
  if (prices.destination === null) prices.fees = prices.fees.filter(({ name }) => isFee(name));
  return printed;
}

const DOLLARS = /^\$\s?\d[\d,]*(?:\.\d{2})?$/;

/** The total at the bottom: in the row of its words, or just below them. */
function readTotal(label: Label, cells: Line[]): void {
  const anchor = cells.find(({ text }) => text.startsWith('TOTAL MSRP'));
  if (!anchor) return;
  const glued = anchor.text.replace(/^TOTAL MSRP\s*/, '');
  const amount = DOLLARS.test(glued)
    ? anchor
    : (rightOf(cells, anchor).find(({ text }) => DOLLARS.test(text)) ??
      cells.find(
        (cell) =>
          DOLLARS.test(cell.text) &&
          Math.abs(cell.y - anchor.y) < 2 * anchor.size &&
          Math.abs(cell.x - anchor.x) < 30 * anchor.size,
      ));
  if (!amount) return;
  setPrice(label, 'total', cents(amount === anchor ? glued : amount.text), anchor, amount);
}

const MARK = /^[.•·]\s*/;
/** Names are cut after 30 characters. The weight rating is called a package, but has no contents. */
const PACKAGE = /^(?!.*\bGVWR\b).*\b(?:PKG|PACK(?:A|AG|AGE)?)\b/;

/** The name of an option without the mark before it. */
const plainName = (name: string): string => name.replace(MARK, '');

/** Whether what is listed below this line may belong to it. */
const hasContents = (line: string): boolean => isGroup(line) || (PACKAGE.test(line) && !MARK.test(line));

/**
 * Whether a line without a price belongs to the package or group above it: in a group every one does, in a package those
 * with a dot. A dot below anything else marks an option of its own, which the one above requires.
 */
const contains = ({ name }: OptionLine, line: string): boolean => isGroup(name) || MARK.test(line);

const isGroup = (name: string): boolean => /^EQUIPMENT GROUP\b/.test(name) && !SAVINGS.test(name);

/** Headings of the standard equipment. */
export const SECTION =
  /^(?:EXTERIOR|INTERIOR|FUNCTIONAL|SAFETY\s?\/\s?SECURITY|SAFETY|WARRANTY|TECHNOLOGY|POWERTRAIN|CONVENIENCE)$/;
