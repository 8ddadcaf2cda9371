import type { Decoded } from '@monroney/vin';
import type { LookupResult } from '../lookup/finding.ts';

const WRONG_CHECK_DIGIT = 1;

export function failsCheckDigit({ codes }: Decoded): boolean {
  return codes.includes(WRONG_CHECK_DIGIT);
}

/** The path of a VIN's page. `as=typed` skips the question about a wrong check digit, which was answered before. */
export function stickerPath({ vin, decoded }: LookupResult): string {
  return `/window-sticker/${vin}${failsCheckDigit(decoded) ? '?as=typed' : ''}`;
}
