import type { OptionsSum } from './reader.ts';
import type { Box, FuelEconomy, Label, Line, PriceLine, Proof } from './types.ts';

/** Amounts: how labels write them, and whether those of a reading add up. */

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

/**
 * Whether the prices can be trusted. `unread` is what the page contradicts them with: prices that add up prove nothing
 * while there are others on the page.
 */
export function proofOf(label: Label, unread: Proof['reason'] = null, options?: OptionsSum): Proof {
  const { total: printed } = label.prices;
  const sum = sumOf(label.prices);
  const difference = sum === null || printed === null ? null : sum - printed;
  const reason = difference === null ? 'no-total' : (unread ?? (difference === 0 ? null : 'sum-differs'));
  const proof: Proof = { closes: reason === null, reason, sum, total: printed, difference };
  if (options) proof.options = { ...options, closes: options.sum === options.printed };
  const fuel = label.fuelEconomy && fuelProof(label.fuelEconomy);
  return fuel ? { ...proof, fuelEconomy: fuel } : proof;
}

/** Null without a base price or a total. Every label with prices has a destination charge; without it, it was taken for something else. */
function sumOf({ base, destination, total: printed, ...lists }: Label['prices']): number | null {
  if (base === null || destination === null || printed === null) return null;
  return base + total([...lists.options, ...lists.taxes, ...lists.fees, ...lists.discounts]) + destination;
}

export function addsUp(prices: Label['prices']): boolean {
  return prices.total !== null && sumOf(prices) === prices.total;
}

/** Why prices can't be confirmed, in words. Some labels, such as those of heavy trucks, print no prices at all. */
export const DOUBTS: Readonly<Record<NonNullable<Proof['reason']>, string>> = {
  'no-total': 'we couldn’t find all of them',
  'unread-priced-lines': 'the sticker has others that we couldn’t place',
  'subtotal-differs': 'a subtotal on the sticker doesn’t match them',
  'sum-differs': 'they don’t add up to the total',
};

/** Whether the prices add up, in a sentence for tools and terminals. */
export function proofWords({ reason }: { reason: string | null }): string {
  if (reason === null) return 'The prices add up to the total.';
  const doubt = DOUBTS[reason as keyof typeof DOUBTS] ?? 'they may be wrong';
  return `We can't confirm the prices: ${doubt.replaceAll('’', "'")}. Check the PDF.`;
}

/** Combined is the harmonic 55/45 mean of city and highway; of a consumption (per 100 km) that is the plain mean. */
export function combinedOf(city: number, highway: number, isConsumption: boolean): number {
  return isConsumption ? 0.55 * city + 0.45 * highway : 1 / (0.55 / city + 0.45 / highway);
}

/** The printed figures are rounded separately, so a difference of one in the last digit is not an error. */
function fuelProof(fuel: FuelEconomy): Proof['fuelEconomy'] | null {
  const { city, highway, combined } = fuel;
  if (!city || !highway || !combined) return null;
  const consumption = fuel.unit.includes('/100');
  const digit = consumption ? 10 : 1;
  const computed = Math.round(combinedOf(city, highway, consumption) * digit) / digit;
  return { combined, computed, closes: Math.abs(computed - combined) * digit < 1.5 };
}

export function total(lines: PriceLine[]): number {
  return lines.reduce((sum, line) => sum + (line.price ?? 0), 0);
}

/** An amount of the reading. Recorded text has no boxes. */
interface Claim {
  cents: number;
  box: Box | undefined;
}

/** An amount at the end of a printed line. */
interface Printed {
  line: Line;
  name: string;
  cents: number;
  /** `1,495.00`, as opposed to `$1,495`. */
  hasCents: boolean;
}

/** Sums that labels print between the lines that they add up. */
const SUM = /^\W*(?:SUB.?TOTAL|TOTAL|PRIX TOTAL|MSRP INCLUDING|PERSONAL SELECTIONS MSRP)\b/i;
/** Labels with prices in whole dollars have remarks beside them that the total doesn't contain: `Package Value Savings of $3,125`. */
const REMARK =
  /\b(?:VALUE|VALEUR|SAVINGS?|TAX CREDIT)(?: OF| DE)?\W{0,3}$|^\W{0,3}(?:VALUE|TOTAL PACKAGE|[ÉE]CONOMIES)\b/i;
/** Under these, options are listed. */
const OPTIONS_HEADING =
  /^(?:OPTIONAL EQUIPMENT|OPTIONS (?:&|ET) PRI|ACCESSOIRES OPTIONNELS|ADDED FEATURES|ADDITIONAL INSTALLED|PERSONAL SELECTIONS$|INCLUDED ON THIS VEHICLE)/i;
/** How wide a column of options is at most, in em of its heading. */
const COLUMN_EM = 32;
/** How far from the prices that were read another may be. */
const MARGIN_EM = 6;
/** Smaller amounts are the ratio of an axle or the price of a gallon. */
const MIN_CENTS = 2000;
/** No label has more amounts. This bounds the work for other pages. */
const MAX_AMOUNTS = 1000;

/**
 * Why the page contradicts the prices of a reading although they may add up: it prints an amount that the reading does
 * not use, or a sum that the reading does not give. The search does not rely on where the reader looked.
 */
export function unreadPrices(label: Label, lines: Line[], options?: OptionsSum): Proof['reason'] {
  const { prices } = label;
  const amounts = lines.flatMap(printedAmount);
  if (amounts.length > MAX_AMOUNTS) return 'unread-priced-lines';
  const claims = claimsOf(prices, label.places);
  const used: Printed[] = [];
  const unused: Printed[] = [];
  for (const printed of amounts) {
    const at = claims.findIndex((claim) => isClaimed(printed, claim));
    if (at >= 0) claims.splice(at, 1);
    (at >= 0 ? used : unused).push(printed);
  }
  const hasCents = used.some((amount) => amount.hasCents);
  // The total may be printed again above, and the gas guzzler tax in the box of the fuel economy.
  const repeated = new Set(
    [prices.base, prices.subtotal, prices.total, ...prices.taxes.map(({ price }) => price)].map(Number),
  );
  const headings = lines.filter(({ text }) => OPTIONS_HEADING.test(text));
  const others = unused.filter(
    (amount) =>
      // The box of the fuel economy prints whole dollars, also where the prices have cents.
      amount.hasCents === hasCents &&
      !repeated.has(amount.cents) &&
      (hasCents || !REMARK.test(amount.name)) &&
      isAmongPrices(amount, used, headings),
  );
  const listed = [...prices.options, ...prices.taxes, ...prices.fees, ...prices.discounts];
  if (others.some(({ name }) => !SUM.test(name)) || listed.some(({ name }) => name === ''))
    return 'unread-priced-lines';
  const sums = sumsOf(prices, options);
  const printedSums = [...others.map((sum) => sum.cents), prices.subtotal ?? 0];
  if (printedSums.some((sum) => sum !== 0 && !sums.has(Math.abs(sum)))) return 'subtotal-differs';
  return options && options.sum !== options.printed ? 'subtotal-differs' : null;
}

function claimsOf(prices: Label['prices'], places: Label['places']): Claim[] {
  const claims: Claim[] = [];
  const add = (price: number | null | undefined, box: Box | undefined): void => {
    if (price) claims.push({ cents: Math.abs(price), box });
  };
  for (const field of ['base', 'subtotal', 'destination', 'total'] as const)
    add(prices[field], places[`prices.${field}`]);
  for (const list of ['options', 'taxes', 'fees', 'discounts'] as const)
    for (const { price, at } of prices[list]) add(price, at);
  return claims;
}

function printedAmount(line: Line): Printed[] {
  const { name, printed } = priced(line);
  const value = Math.abs(cents(printed ?? '') ?? 0);
  if (!printed || value < MIN_CENTS) return [];
  return [{ line, name, cents: value, hasCents: /[.]\d{2}$/.test(printed) }];
}

/** True if the amount is printed inside the box that the reading took it from. */
function isClaimed({ line, cents: value }: Printed, claim: Claim): boolean {
  const { box } = claim;
  if (value !== claim.cents) return false;
  if (!box || !line.positioned) return true;
  const middle = line.y - 0.3 * line.size;
  return (
    box.page === line.page &&
    middle > box.y &&
    middle < box.y + box.height &&
    line.right > box.x &&
    line.right < box.x + box.width + line.size
  );
}

/**
 * True if an amount is where prices are: in a column of amounts that were read, between them, or under a heading of
 * options. Other amounts are in the box of the fuel economy, in notes and on other pages.
 */
function isAmongPrices({ line, name }: Printed, used: Printed[], headings: Line[]): boolean {
  if (!line.positioned) return name !== '';
  const read = used.filter((other) => other.line.page === line.page).map((other) => other.line);
  // The same label again, with other prices.
  if (read.length === 0) return used.some((other) => other.name !== '' && other.name === name);
  const column = read.filter(({ right }) => Math.abs(right - line.right) < line.size);
  // An amount without a name counts only in a column.
  if (name === '') return isBetween(line.y, baselines(column), 0);
  const margin = MARGIN_EM * line.size;
  const edges = read.flatMap(({ x, right }) => [x, right]);
  return (
    column.length > 0 ||
    (isBetween(line.y, baselines(read), margin) && isBetween(line.right, edges, margin)) ||
    headings.some(
      ({ page, x, y, size }) =>
        page === line.page && line.y > y && line.x > x - size && line.right < x + COLUMN_EM * size,
    )
  );
}

const baselines = (lines: Line[]): number[] => lines.map(({ y }) => y);

const isBetween = (value: number, others: number[], margin: number): boolean =>
  value >= Math.min(...others) - margin && value <= Math.max(...others) + margin;

/** The sums that a label may print: of the options and of what is listed with them, with or without the rest; of the discounts. */
function sumsOf(
  { base, destination, ...lists }: Label['prices'],
  options: OptionsSum | undefined,
): Set<number> {
  const optional = total(lists.options);
  const listed = options?.sum ?? optional;
  const [taxes, fees, discounts] = [total(lists.taxes), total(lists.fees), total(lists.discounts)];
  const sums = [optional, listed].flatMap((sum) => [sum, sum + (base ?? 0)]);
  for (const part of [taxes, fees, destination ?? 0, discounts]) sums.push(...sums.map((sum) => sum + part));
  // Discounts may be listed among the options, and the others added up.
  const amongOptions = [listed - optional, listed - optional - taxes];
  sums.push(discounts, ...amongOptions.map((sum) => discounts - sum));
  return new Set(sums.map(Math.abs));
}
