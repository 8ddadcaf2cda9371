import type { Line } from './types.ts';

const MINUS = '[-–—−]';
const AMOUNT = String.raw`(?:\d{1,3}(?:,\s?\d{3}|\s\d{3})+|\d+)(?:[.,]\d{2})?|\.\d{2}`;
/** For text with single spaces. */
const AMOUNT_ONLY = new RegExp(`^(${MINUS})? ?(\\$)? ?(${MINUS})? ?(${AMOUNT}) ?(\\$)? ?(${MINUS})?$`);
const NO_CHARGE = /^(?:NO[ -]CHARGE|N\/C|INCLUDED|INCLD\.?|INC\.?|INCL\.?|STD\.?|SANS FRAIS|INCLUS)$/i;

/** True for the words that labels print for no charge. */
export function isNoCharge(text: string): boolean {
  return NO_CHARGE.test(text.trim());
}

/** Cents of a text that is nothing but an amount: `$52,980`, `1,495.00`, `–$445`, `- 2,000.00`, `10 000 $`, `.00`. Words for no charge are 0. */
export function cents(text: string): number | null {
  const plain = text.replaceAll(/[\s\u00A0\u202F]+/g, ' ').trim();
  if (isNoCharge(plain)) return 0;
  const found = AMOUNT_ONLY.exec(plain);
  if (!found) return null;
  const [, before, , between, amount = '', , after] = found;
  const [, whole = '', part = '00'] = /^(.*?)(?:[.,](\d{2}))?$/.exec(amount) ?? [];
  const value = Number(whole.replaceAll(/[,\s]/g, '') || '0') * 100 + Number(part);
  const negative = before ?? between ?? after;
  return negative && value > 0 ? -value : value;
}

/** True if the text is an amount. A bare number is a figure of another box. */
export const isMoney = (text: string): boolean =>
  cents(text) !== null && (/\$|\.\d{2}$/.test(text) || isNoCharge(text));

interface Priced {
  name: string;
  /** Null where the line has no amount, or says that there is no charge. */
  price: number | null;
  /** The amount as printed: `INC.`, `$1,495`. */
  printed: string | null;
}

/** Money has a dollar sign or ends in `.00`. Another number at the end of a name, `AXLE RATIO 3.73`, is part of the name. */
const AT_END = new RegExp(
  `(?:(?:^|\\s)(?:${MINUS}\\s?)?|${MINUS})?(?:\\$\\s?(?:${MINUS}\\s?)?(?:\\d[\\d, ]*)(?:\\.\\d{2})?|(?:\\d{1,3}(?:,\\d{3}){1,3}|\\d{1,9})?\\.00)$`,
);
/** A cell with a bare number, such as a tire size, is not an amount. */
const MARKED = /\$|[.,]\d{2}$|[A-Z]/i;
const LONE_MINUS = new RegExp(`^${MINUS}$`);
/** What labels call a discount, as opposed to the credit for a deleted option. */
export const SAVINGS = /\b(?:Savings?|Discounts?)\b|[ÉE]conomies/i;
const WORDS_AT_END = /\s(?:NO CHARGE|N\/C|INCLUDED|INCLD\.?|INC\.)$/i;

/**
 * The line's name and its price. The amount is a separate cell, or the end of the text if the PDF joins
 * them (`SEATS1,595.00`) and in recorded text.
 */
export function priced(line: Line): Priced {
  const cells = line.cells.map((cell) => cell.text);
  const last = cells.pop()!;
  if (cells.length > 0 && MARKED.test(last) && cents(last) !== null) {
    const sign = LONE_MINUS.test(cells.at(-1)!) ? cells.pop() : '';
    return of(cells.join(' '), `${sign}${last}`);
  }
  // On a page, words for no charge are a separate cell: a name may end in `3 YEAR SUBSCRIPTION INCLUDED`.
  const found = AT_END.exec(line.text) ?? (line.positioned ? null : WORDS_AT_END.exec(line.text));
  if (!found) return { name: line.text, price: null, printed: null };
  return of(line.text.slice(0, found.index).trim(), found[0].trim());
}

/** A value without the amount at its end: `PEARL INCLD` is the color `PEARL`. */
export function withoutAmount(text: string): string {
  return text
    .replace(/(?<!\s)\s+(?:\$\s?\d[\d,.]*|NO[ -]CHARGE|N\/C|INCLUDED|INCLD\.?|INCL?\.)$/i, '')
    .trim();
}

/** The amount at the end of a line, 0 for words for no charge. */
export function amountOf(line: Line | null | undefined): number | null {
  const printed = line && priced(line).printed;
  return printed ? cents(printed) : null;
}

function of(name: string, printed: string): Priced {
  return { name, price: isNoCharge(printed) ? null : cents(printed), printed };
}
