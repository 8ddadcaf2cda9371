import type { FuelEconomy, Label, PriceLine, Proof } from './types.ts';
import type { OptionsSum } from './reader.ts';

/** The sums that a correct reading always satisfies. */
export function proofOf(label: Label, options?: OptionsSum): Proof {
  const { prices } = label;
  const known = prices.base !== null && prices.total !== null;
  const lines = [...prices.options, ...prices.taxes, ...prices.fees, ...prices.discounts];
  const sum = known ? prices.base! + total(lines) + (prices.destination ?? 0) : null;
  const difference = sum === null ? null : sum - prices.total!;
  const proof: Proof = { closes: difference === 0, sum, total: prices.total, difference };
  if (options) proof.options = { ...options, closes: options.sum === options.printed };
  const fuel = label.fuelEconomy && fuelProof(label.fuelEconomy);
  return fuel ? { ...proof, fuelEconomy: fuel } : proof;
}

/** Whether the prices add up, in words. Some labels, such as those of heavy trucks, print no prices at all. */
export function proofWords({ closes, difference }: Proof): string {
  if (closes) return 'The prices add up to the total.';
  return difference === null
    ? "We couldn't find all prices, so we can't check the sum. Check the PDF."
    : "The prices don't add up: check the PDF.";
}

/**
 * Combined is the harmonic 55/45 mean of city and highway; of a consumption (per 100 km) that is the plain mean.
 * The printed figures are rounded separately, so a difference of one in the last digit is not an error.
 */
function fuelProof(fuel: FuelEconomy): Proof['fuelEconomy'] | null {
  const { city, highway, combined } = fuel;
  if (!city || !highway || !combined) return null;
  const consumption = fuel.unit.includes('/100');
  const mean = consumption ? 0.55 * city + 0.45 * highway : 1 / (0.55 / city + 0.45 / highway);
  const digit = consumption ? 10 : 1;
  const computed = Math.round(mean * digit) / digit;
  return { combined, computed, closes: Math.abs(computed - combined) * digit < 1.5 };
}

export function total(lines: PriceLine[]): number {
  return lines.reduce((sum, line) => sum + (line.price ?? 0), 0);
}
