import type { FuelEconomy, Label, PriceLine, Proof } from './types.ts';
import type { OptionsSum } from './reader.ts';

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
