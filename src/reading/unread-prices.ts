import type { Line } from './lines.ts';
import { cents, priced } from './money.ts';
import { isTax } from './price-list.ts';
import { total } from './proof.ts';
import type { OptionsSum } from './reader.ts';
import type { Box, Label, PriceLine, Proof } from './types.ts';

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
/** A sentence that mentions an amount: `Package Value Savings of $3,125`. */
const SENTENCE = /\b(?:of|to|from|save|spend|vs\.?|over|under|de|jusqu.à)\W{0,3}$/i;
/** Without a dollar sign, a smaller figure in cents is the ratio of an axle. */
const MIN_CENTS = 1000;
/** No label has more amounts. This bounds the work for other pages. */
const MAX_AMOUNTS = 1000;

/**
 * Why the page contradicts the prices of a reading although they may add up: it prints an amount that the reading does
 * not use, or a sum that the reading does not give. The search does not rely on where the reader looked.
 */
export function unreadPrices(label: Label, lines: Line[], options?: OptionsSum): Proof['reason'] {
  const claims = claimsOf(label.prices, label.places);
  const sums = sumsOf(label.prices, options);
  const used: Printed[] = [];
  const unused: Printed[] = [];
  const amounts = lines.flatMap(amountOf);
  if (amounts.length > MAX_AMOUNTS) return 'unread-priced-lines';
  for (const printed of amounts) {
    const at = claims.findIndex((claim) => isClaimed(printed, claim));
    if (at >= 0) claims.splice(at, 1);
    (at >= 0 ? used : unused).push(printed);
  }
  const hasCents = used.some((amount) => amount.hasCents);
  const others = unused.filter(
    (amount) =>
      // The box of the fuel economy prints whole dollars, also where the prices have cents.
      amount.hasCents === hasCents &&
      (amount.name === '' ? isInColumn(amount, used) : !isRepeatedTax(amount, label.prices.taxes)),
  );
  if (others.some(({ name }) => !SUM.test(name))) return 'unread-priced-lines';
  const { subtotal } = label.prices;
  const printedSums = [...others.map((sum) => sum.cents), ...(subtotal === null ? [] : [subtotal])];
  if (printedSums.some((sum) => !sums.has(Math.abs(sum)))) return 'subtotal-differs';
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
    prices[list].forEach(({ price, at }, index) => add(price, at ?? places[`prices.${list}.${index}`]));
  return claims;
}

function amountOf(line: Line): Printed[] {
  const { name, printed } = priced(line);
  const value = Math.abs(cents(printed ?? '') ?? 0);
  if (!printed || value === 0 || SENTENCE.test(name)) return [];
  if (value < MIN_CENTS && !printed.includes('$')) return [];
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

/** An amount without a name counts only under or above amounts that were read. */
function isInColumn({ line }: Printed, used: Printed[]): boolean {
  const column = used.filter(
    (other) => other.line.page === line.page && Math.abs(other.line.right - line.right) < line.size,
  );
  return column.some((other) => other.line.y <= line.y) && column.some((other) => other.line.y >= line.y);
}

/** The box of the fuel economy prints the gas guzzler tax again. */
function isRepeatedTax({ name, cents: value }: Printed, taxes: PriceLine[]): boolean {
  return isTax(name) && taxes.some(({ price }) => price !== null && Math.abs(price) === value);
}

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
