import { proofOf } from './proof.ts';
import { blankLabel, type OptionsSum } from './reader.ts';
import type { Label, Proof } from './types.ts';

/**
 * A label without what its own arithmetic speaks against. Prices add up on every real label we know, so a sum that does
 * not is our mistake: a missing price is better than a wrong one.
 */
export function withoutDoubtful(
  label: Label,
  options: OptionsSum | undefined,
  /** The reader has never seen a real label: its prices count only when they add up. */
  isUnproven: boolean,
): { label: Label; proof: Proof } {
  const sure = { ...label, places: { ...label.places } };
  if ((sure.year === null || sure.model === null) && hasBody(sure)) leaveOutDescription(sure);
  const first = proofOf(sure, options);
  if (first.fuelEconomy?.closes === false) leaveOutEconomy(sure);
  const isDoubtful = !first.closes && (isUnproven || first.sum !== null);
  if (isDoubtful) sure.prices = provenPrices(sure, options, isUnproven);
  for (const field of Object.keys(sure.places)) if (!isThere(sure, field)) delete sure.places[field];
  // A sum of options that is not ours may itself be misread.
  return { label: sure, proof: proofOf(sure, isDoubtful && !first.options?.closes ? undefined : options) };
}

/** A whole label says what car it is. A fleet's form has a colour and a VIN only, and neither equipment nor prices. */
function hasBody({ prices, standard }: Label): boolean {
  return prices.base !== null || prices.total !== null || prices.options.length > 0 || standard.length > 0;
}

/** Where the line that says what car it is was not found, the words beside it may be another block's. */
function leaveOutDescription(label: Label): void {
  Object.assign(label, { exterior: null, interior: null, engine: null, transmission: null });
}

/** Combined fuel economy follows from city and highway. Where it does not, one of the three is wrong. */
function leaveOutEconomy(label: Label): void {
  label.fuelEconomy = { ...label.fuelEconomy!, city: null, highway: null, combined: null };
}

/** The manufacturer's sum of options proves our list of them, or the other amounts; what it does not prove is left out. */
function provenPrices(label: Label, options: OptionsSum | undefined, isUnproven: boolean): Label['prices'] {
  const { prices } = label;
  const blank = blankLabel(label.make, label.market).prices;
  if (!options || isUnproven) return blank;
  const { base, destination, total } = prices;
  if (options.printed === options.sum) return { ...blank, options: prices.options };
  // The sum covers the taxes and savings among the options: without our list they are not known either.
  const known = base !== null && total !== null && base + options.printed + (destination ?? 0) === total;
  return known ? { ...blank, base, destination, total } : blank;
}

/** Is there still something at this path, `prices.options.3`? */
function isThere(label: Label, path: string): boolean {
  let value: unknown = label;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value !== null && value !== undefined;
}
