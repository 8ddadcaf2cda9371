import { hasRightCheckDigit } from '@monroney/vin';
import type { Line } from './lines.ts';

/** The last four are digits on every car. */
const VIN = /[A-HJ-NPR-Z0-9]{13}\d{4}/;
/** Barcode fonts print their first and last bar as an `I`. */
const WORD = new RegExp(`^I?(${VIN.source})I?$`);
const NAMED = new RegExp(`(?:VIN|VEHICLEID(?:ENTIFICATION)?(?:NUMBER|NO))(${VIN.source})`);

/**
 * The VIN a label prints. Dashes and barcode letters stand in and around it (`1C6–SRFFT1TN–270078`),
 * so all that is no letter or digit is taken away first; without the words `VIN` before it, only its check digit tells.
 */
export function vinIn(lines: Line[], expected?: string): string | null {
  const squashed = lines.map((line) => line.text.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''));
  if (expected && squashed.some((text) => text.includes(expected))) return expected;
  for (const text of squashed) {
    const named = NAMED.exec(text)?.[1];
    if (named) return named;
  }
  // A word of its own before letters that other words lend: serial numbers side by side may look like a VIN.
  for (const line of lines) {
    for (const [word] of line.text.toUpperCase().matchAll(/[A-Z0-9\p{Pd}]+/gu)) {
      const vin = WORD.exec(word.replaceAll(/[^A-Z0-9]/g, ''))?.[1];
      if (vin && hasRightCheckDigit(vin)) return vin;
    }
  }
  for (const text of squashed) {
    for (let from = 0; from + 17 <= text.length; from++) {
      const run = text.slice(from, from + 17);
      if (VIN.test(run) && hasRightCheckDigit(run)) return run;
    }
  }
  return null;
}
