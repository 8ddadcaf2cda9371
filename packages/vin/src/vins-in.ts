import { hasRightCheckDigit } from './check-digit.ts';

/** Longer texts are truncated. A listing is shorter. */
const MAX_LENGTH = 20_000;
const MAX_VINS = 20;
// ASCII classes instead of the `i` flag, and no letter or digit on either side. "VIN" may touch it.
const ALONE = /(?<![A-Za-z0-9])(?:[Vv][Ii][Nn])?([A-HJ-NPR-Za-hj-npr-z0-9]{17})(?![A-Za-z0-9])/g;
const SPACED =
  /(?<![A-Za-z0-9])(?=((?:[A-HJ-NPR-Za-hj-npr-z0-9][ \u00a0\-\u2010-\u2015.]?){16}[A-HJ-NPR-Za-hj-npr-z0-9](?![A-Za-z0-9])))/g;

/**
 * The VINs in any text (a sentence, a listing, a URL), each once, in order.
 *
 * A run of seventeen characters counts when it has both letters and digits, or a right check digit. Characters
 * with spaces or dashes between them count only with a right check digit: ordinary words add up to seventeen too.
 *
 * @example vinsIn('VIN: 1fm5k7b82dga00000, clean title') // ['1FM5K7B82DGA00000']
 */
export function vinsIn(text: string): string[] {
  const truncated = text.slice(0, MAX_LENGTH);
  const found = new Set<string>();
  for (const [, run = ''] of truncated.matchAll(ALONE)) {
    const vin = run.toUpperCase();
    if ((/[A-Z]/.test(vin) && /\d/.test(vin)) || hasRightCheckDigit(vin)) found.add(vin);
  }
  if (found.size === 0) {
    for (const [, run = ''] of truncated.matchAll(SPACED)) {
      const vin = run.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
      if (vin.length === 17 && /\d/.test(vin) && hasRightCheckDigit(vin)) found.add(vin);
    }
  }
  return [...found].slice(0, MAX_VINS);
}
