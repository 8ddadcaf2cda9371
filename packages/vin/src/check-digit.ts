// 49 CFR 565.15: letters count as digits, each position weighs, the sum modulo 11 stands at position 9.
const WEIGHTS = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2);
const DIGITS = '0123456789X';
const NO_VALUE = 255;

const values = new Uint8Array(128).fill(NO_VALUE);
for (let digit = 0; digit <= 9; digit++) values[48 + digit] = digit;
const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';
const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9];
numbers.forEach((number, at) => (values[letters.charCodeAt(at)] = number));

/**
 * The check digit that the other sixteen characters ask for, null when one of them has no value.
 *
 * @example checkDigit('1M8GDM9A_KP042788') // 'X'
 */
export function checkDigit(vin: string): string | null {
  if (vin.length !== 17) return null;
  let sum = 0;
  for (let at = 0; at < 17; at++) {
    if (at === 8) continue;
    const value = values[vin.charCodeAt(at)] ?? NO_VALUE;
    if (value === NO_VALUE) return null;
    sum += value * (WEIGHTS[at] ?? 0);
  }
  return DIGITS.charAt(sum % 11);
}

/**
 * How much putting `character` at `at` (from 0) adds to the sum, modulo 11; NaN when either has no value.
 * Position 9 weighs nothing there: it takes away from what is asked of it instead.
 */
export function addedBy(vin: string, at: number, character: string): number {
  if (at === 8) return DIGITS.indexOf(vin.charAt(8)) - DIGITS.indexOf(character);
  const before = values[vin.charCodeAt(at)] ?? NO_VALUE;
  const after = values[character.charCodeAt(0)] ?? NO_VALUE;
  if (before === NO_VALUE || after === NO_VALUE) return Number.NaN;
  return (after - before) * (WEIGHTS[at] ?? 0);
}

/** How far the sum is from what position 9 asks for, modulo 11: 0 when it is right, NaN when it cannot be told. */
export function offBy(vin: string): number {
  const digit = checkDigit(vin);
  const held = DIGITS.indexOf(vin.charAt(8));
  return digit === null || held === -1 ? Number.NaN : DIGITS.indexOf(digit) - held;
}

/** Whether position 9 holds what the rest asks for. Only North American VINs must. */
export function hasRightCheckDigit(vin: string): boolean {
  const digit = checkDigit(vin);
  return digit !== null && vin.charCodeAt(8) === digit.charCodeAt(0);
}
