import { addCharge, addOption, recordPricePlaces } from '../../reading/price-list.ts';
import type { Label, OptionLine, Line } from '../../reading/types.ts';
import { cents, priced, total } from '../../reading/money.ts';
import { boxOf, setPrice, type OptionsSum } from '../../reading/reader.ts';
import { withoutSlash } from '../../reading/line-search.ts';

export const OPTIONS = /^OPTIONS\s*(?:&|ET)\s*PRICING\b|^OPTIONS (?:&|ET) PRIX/i;
const BASE = /^STANDARD VEHICLE PRICE\b/i;
const TAIL =
  /^(?:TOTAL OPTIONS|TOTAL VEHICLE (?:&|PRICE)|SUB.?TOTAL|DESTINATION CHARGE|TOTAL BEFORE|PRIX TOTAL|AIR CONDITIONING CHARGE|MAXIMUM DEALER FEE)/i;
const SUBTOTAL = /^(?:TOTAL VEHICLE &|SUB.?TOTAL)/i;
const TOTAL = /^(?:TOTAL VEHICLE PRICE|PRIX TOTAL)/i;
const EXPLANATION =
  /^(?:OPTIONS INSTALL|STANDARD EQUIPMENT SHOWN|\(PEUVENT REMPLACER|MANUFACTURER.S SUGGESTED|PRIX DE D[ÉE]TAIL|PRIX DE BASE)/i;
/** In the label's own points: explanations are set in 7, and lists shrink by halves from 10 until all fit. */
const SMALL = { explanation: 7.25, step: 0.5 };
const LONE_MINUS = /^[-–−]$/;
const BULLET = /^[•·]\s*/;

/** A name over one or more lines, and its price from the first of them. */
interface Entry extends OptionLine {
  lines: Line[];
  /** Words of a sum or charge that still wait for their amount. */
  open: boolean;
  /** Its minus came as a run of its own. */
  credit: boolean;
}

/** The size below which type is not part of the lists. A very long list may shrink to that of the explanations. */
export function smallTypeOf(lines: Line[], unit: number): number {
  const listed = lines.filter(({ positioned, text }) => positioned && (BULLET.test(text) || TAIL.test(text)));
  const smallest = listed.reduce((size, line) => Math.min(size, line.size), Infinity);
  return Math.min(SMALL.explanation * unit, smallest - (SMALL.step / 2) * unit);
}

/** Prices of the one block that is not painted over. Returns the printed sum of options, where there is one, and ours. */
export function readPrices(label: Label, block: Line[], small: number): OptionsSum | undefined {
  const base = readBase(label, block);
  const from = block.findIndex((line) => OPTIONS.test(line.text));
  const body = block.slice(from + 1).filter((line) => !base.includes(line) && !isExplanation(line, small));
  const end = body.findIndex((line) => TAIL.test(line.text));
  const options = from < 0 ? [] : entriesOf(body.slice(0, Math.max(end, 0)));
  addOptions(label, options);
  const printed = readTail(label, end < 0 ? [] : body.slice(end));
  return printed === undefined ? undefined : { printed, sum: total(options) };
}

/** The base may come before or after the heading of the options, and its amount up to three lines below its words. */
function readBase(label: Label, block: Line[]): Line[] {
  const at = block.findIndex((line) => BASE.test(line.text));
  const near = at < 0 ? [] : block.slice(at, at + 4);
  const amount = near.findIndex((line) => amountOf(line) !== null);
  // A name on the way belongs to an option, and so does the amount after it.
  const isOwn = (line: Line, index: number): boolean =>
    index === 0 || cents(line.text) !== null || EXPLANATION.test(line.text);
  if (amount < 0 || !near.slice(0, amount + 1).every(isOwn)) return [];
  const lines = near.slice(0, amount + 1);
  setPrice(label, 'base', amountOf(near[amount]!), ...lines);
  return lines;
}

function amountOf(line: Line): number | null {
  return cents(line.text) ?? cents(priced(line).printed ?? '');
}

function isExplanation(line: Line, small: number): boolean {
  return (line.positioned && line.size < small) || EXPLANATION.test(line.text);
}

/**
 * A price begins an entry and a bullet a child; a line with neither continues whichever came last,
 * across a column break as well.
 */
export function entriesOf(lines: Line[], bullet = BULLET): Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const entry = entries.at(-1);
    const { name, price, printed } = priced(line);
    const begins = printed !== null || !entry || TAIL.test(line.text);
    if (entry && bullet.test(line.text)) entry.children.push(line.text.replace(bullet, ''));
    else if (entry && LONE_MINUS.test(line.text)) entry.credit = true;
    else if (entry?.open && printed !== null && !TAIL.test(line.text)) {
      Object.assign(entry, { name: joined(entry.name, name), price, open: false });
      entry.lines.push(line);
    } else if (begins) {
      const open = printed === null && TAIL.test(line.text);
      entries.push({ name, price, children: [], lines: [line], open, credit: false });
    } else if (entry.children.length > 0) entry.children.push(`${entry.children.pop()} ${line.text}`);
    else {
      entry.name = joined(entry.name, line.text);
      entry.lines.push(line);
    }
  }
  for (const entry of entries) if (entry.credit && entry.price !== null) entry.price = -Math.abs(entry.price);
  return entries;
}

/** Both are trimmed already. Trimming the result would copy a name of 20,000 lines once for each of them. */
const joined = (name: string, more: string): string => (name && more ? `${name} ${more}` : name || more);

export function addOptions(label: Label, entries: Entry[]): void {
  for (const entry of entries) addOption(label.prices, optionOf(entry));
  recordPricePlaces(label);
}

function optionOf({ name, price, children, lines }: Entry): OptionLine {
  const at = boxOf(...lines);
  return { name, price, children, ...(at ? { at } : {}) };
}

/** After the options: sums, charges, savings, and the total that ends it all. */
function readTail(label: Label, lines: Line[]): number | undefined {
  let printed: number | undefined;
  const entries = entriesOf(lines);
  const end = entries.findIndex(({ name, price }) => price !== null && TOTAL.test(name));
  for (const entry of end < 0 ? entries : entries.slice(0, end)) {
    const { name, price } = entry;
    if (price === null) continue;
    if (/^TOTAL OPTIONS/i.test(name)) printed = price;
    else if (SUBTOTAL.test(name) && label.prices.subtotal === null)
      setPrice(label, 'subtotal', price, ...entry.lines);
    else if (/^DESTINATION/i.test(name)) setPrice(label, 'destination', price, ...entry.lines);
    else if (!/^(?:SUB.?)?TOTAL/i.test(name))
      addCharge(label.prices, { ...optionOf(entry), name: withoutSlash(name), price });
  }
  recordPricePlaces(label);
  setPrice(label, 'total', entries[end]?.price ?? null, entries[end]?.lines[0]);
  return printed;
}
