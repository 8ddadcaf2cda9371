import type { Decoded } from '@monroney/vin';
import type { LookupResult } from '../lookup/finding.ts';

const WRONG_CHECK_DIGIT = 1;

export function failsCheckDigit({ codes }: Decoded): boolean {
  return codes.includes(WRONG_CHECK_DIGIT);
}

/** The page of a VIN as it was typed: someone who insisted once is not asked about the check digit again. */
export function stickerPath({ vin, decoded }: LookupResult): string {
  return `/window-sticker/${vin}${failsCheckDigit(decoded) ? '?as=typed' : ''}`;
}
