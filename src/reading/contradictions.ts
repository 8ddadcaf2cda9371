import { proofOf } from './proof.ts';
import { blankLabel, type OptionsSum } from './reader.ts';
import type { Label, Proof } from './types.ts';

/**
 * Leaves out facts that the label's own arithmetic contradicts. Prices that don't add up stay if the reader has been
 * tested on real labels: `proof` reports the difference, and the printed total is still worth knowing.
 */
export function withoutContradictions(
  label: Label,
  options: OptionsSum | undefined,
  /** The reader was never tested on a real label, so its prices count only if they add up. */
  isUnproven: boolean,
): { label: Label; proof: Proof } {
  const checked = { ...label, places: { ...label.places } };
  if ((checked.year === null || checked.model === null) && hasBody(checked)) leaveOutDescription(checked);
  const first = proofOf(checked, options);
  if (!first.closes && isUnproven) checked.prices = blankLabel(checked.make, checked.market).prices;
  for (const field of Object.keys(checked.places)) if (!isThere(checked, field)) delete checked.places[field];
  return { label: checked, proof: proofOf(checked, options) };
}

/** Full labels name the car. A fleet's form has only a color and a VIN, without equipment or prices. */
function hasBody({ prices, standard }: Label): boolean {
  return prices.base !== null || prices.total !== null || prices.options.length > 0 || standard.length > 0;
}

/** If the line that names the car was not found, the text beside it may belong to another block. */
function leaveOutDescription(label: Label): void {
  Object.assign(label, { exterior: null, interior: null, engine: null, transmission: null });
}

/** True if there is still a value at this path, such as `prices.options.3`. */
function isThere(label: Label, path: string): boolean {
  let value: unknown = label;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value !== null && value !== undefined;
}
