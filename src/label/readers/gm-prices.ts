import type { Label, OptionLine } from '../types.ts';
import type { Line } from './lines.ts';
import { cents, priced } from './money.ts';
import { placeOf } from './places.ts';
import { note } from './reader.ts';

export const OPTIONS = /^OPTIONS\s*(?:&|ET)\s*PRICING\b|^OPTIONS (?:&|ET) PRIX/i;
const BASE = /^STANDARD VEHICLE PRICE\b/i;
const TAIL =
  /^(?:TOTAL OPTIONS|TOTAL VEHICLE|SUB.?TOTAL|DESTINATION CHARGE|TOTAL BEFORE|PRIX TOTAL|AIR CONDITIONING CHARGE)/i;
const TOTAL = /^(?:TOTAL VEHICLE PRICE|PRIX TOTAL)/i;
const EXPLANATION =
  /^(?:OPTIONS INSTALL|STANDARD EQUIPMENT SHOWN|\(PEUVENT REMPLACER|MANUFACTURER.S SUGGESTED|PRIX DE D[ÉE]TAIL|PRIX DE BASE)/i;
const BULLET = /^[•·]\s*/;
const TAX = /\bTAXE?\b|GUZZLER|\bLEVY\b|[EÉ]CO.?PR[EÉ]L|AIR CONDITIONING|CLIMATISATION/i;

/** A name over one or more lines, and its price from the first of them. */
interface Entry extends OptionLine {
  lines: Line[];
}

/** Prices of the one block that is not painted over. Gives the printed sum of options, where there is one. */
export function readPrices(label: Label, block: Line[]): number | undefined {
  readBase(label, block);
  const from = block.findIndex((line) => OPTIONS.test(line.text));
  const body = block.slice(from + 1).filter((line) => !isExplanation(line));
  const end = body.findIndex((line) => TAIL.test(line.text));
  if (from >= 0) for (const entry of entriesOf(body.slice(0, end < 0 ? 0 : end))) fileOption(label, entry);
  return readTail(label, end < 0 ? [] : body.slice(end));
}

/** The base may stand before or after the heading of the options, and its amount up to two lines below its words. */
function readBase(label: Label, block: Line[]): void {
  const at = block.findIndex((line) => BASE.test(line.text));
  if (at < 0) return;
  for (const line of block.slice(at, at + 4)) {
    const printed = cents(line.text) === null ? priced(line).printed : line.text;
    if (printed === null) continue;
    label.prices.base = cents(printed);
    note(label, 'prices.base', block[at], line);
    return;
  }
}

function isExplanation(line: Line): boolean {
  if (line.positioned && line.size < 8) return true;
  return (
    EXPLANATION.test(line.text) || BASE.test(line.text) || (line.size > 10.5 && cents(line.text) !== null)
  );
}

/**
 * A price begins an entry and a bullet a child; a line with neither goes on with whichever came last,
 * across a column break as well.
 */
function entriesOf(lines: Line[]): Entry[] {
  const entries: Entry[] = [];
  for (const line of lines) {
    const entry = entries.at(-1);
    const { name, price, printed } = priced(line);
    if (entry && BULLET.test(line.text)) entry.children.push(line.text.replace(BULLET, ''));
    else if (entry && name === '' && entry.price === null) entry.price = price;
    else if (printed !== null || !entry) entries.push({ name, price, children: [], lines: [line] });
    else if (entry.children.length > 0) entry.children.push(`${entry.children.pop()} ${line.text}`);
    else {
      entry.name = `${entry.name} ${line.text}`.trim();
      entry.lines.push(line);
    }
  }
  return entries;
}

function fileOption(label: Label, entry: Entry): void {
  if (entry.price !== null && TAX.test(entry.name)) file(label, 'taxes', entry);
  else file(label, 'options', entry);
}

/** After the options: sums that are skipped, charges, savings, and the total that ends it all. */
function readTail(label: Label, lines: Line[]): number | undefined {
  let printed: number | undefined;
  for (const entry of entriesOf(lines)) {
    const { name, price } = entry;
    if (price === null) continue;
    if (TOTAL.test(name)) {
      label.prices.total = price;
      note(label, 'prices.total', entry.lines[0]);
      break;
    }
    if (/^TOTAL OPTIONS/i.test(name)) printed = price;
    else if (/^DESTINATION/i.test(name)) {
      label.prices.destination = price;
      note(label, 'prices.destination', ...entry.lines);
    } else if (!/^(?:SUB.?)?TOTAL/i.test(name)) {
      file(label, price < 0 ? 'discounts' : TAX.test(name) ? 'taxes' : 'fees', entry);
    }
  }
  return printed;
}

function file(label: Label, list: 'options' | 'discounts' | 'taxes' | 'fees', entry: Entry): void {
  const at = placeOf(...entry.lines);
  const line = { name: entry.name, price: entry.price, ...(at ? { at } : {}) };
  const index =
    list === 'options'
      ? label.prices.options.push({ ...line, children: entry.children })
      : label.prices[list].push(line);
  if (at) label.places[`prices.${list}.${index - 1}`] = at;
}
