import { hasRightCheckDigit } from '@monroney/vin/check-digit';
import type { Line } from './lines.ts';

/** The last four characters are always digits. */
const VIN = /[A-HJ-NPR-Z0-9]{13}\d{4}/;
/** Barcode fonts print their first and last bar as an `I`. */
const WORD = new RegExp(`^I?(${VIN.source})I?$`);
const LABELED_VIN = new RegExp(`(?:VIN|VEHICLEID(?:ENTIFICATION)?(?:NUMBER|NO))(${VIN.source})`);

/**
 * The VIN printed on a label. It may contain dashes and have barcode letters around it (`1C6–SRFFT1TN–270078`), so all
 * other characters are removed first. Without the word `VIN` before it, only the check digit identifies it.
 */
export function vinIn(lines: Line[], expected?: string): string | null {
  const alphanumeric = lines.map((line) => line.text.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''));
  if (expected && alphanumeric.some((text) => text.includes(expected))) return expected;
  for (const text of alphanumeric) {
    const named = LABELED_VIN.exec(text)?.[1];
    if (named) return named;
  }
  // Single words first, because serial numbers side by side may look like a VIN.
  for (const line of lines) {
    for (const [word] of line.text.toUpperCase().matchAll(/[A-Z0-9\p{Pd}]+/gu)) {
      const vin = WORD.exec(word.replaceAll(/[^A-Z0-9]/g, ''))?.[1];
      if (vin && hasRightCheckDigit(vin)) return vin;
    }
  }
  for (const text of alphanumeric) {
    for (let from = 0; from + 17 <= text.length; from++) {
      const run = text.slice(from, from + 17);
      if (VIN.test(run) && hasRightCheckDigit(run)) return run;
    }
  }
  return null;
}
