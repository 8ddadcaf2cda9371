// 49 CFR 565.15: letters have digit values, positions have weights, and position 9 is the weighted sum modulo 11.
const WEIGHTS = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2);
const DIGITS = '0123456789X';
const NO_VALUE = 255;

const values = new Uint8Array(128).fill(NO_VALUE);
for (let digit = 0; digit <= 9; digit++) values[48 + digit] = digit;
const letters = 'ABCDEFGHJKLMNPRSTUVWXYZ';
const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9];
numbers.forEach((number, index) => (values[letters.charCodeAt(index)] = number));

/**
 * The right check digit for the other sixteen characters; null if one of them has no value.
 *
 * @example checkDigit('1M8GDM9A_KP042788') // 'X'
 */
export function checkDigit(vin: string): string | null {
  if (vin.length !== 17) return null;
  let sum = 0;
  for (let index = 0; index < 17; index++) {
    if (index === 8) continue;
    const value = values[vin.charCodeAt(index)] ?? NO_VALUE;
    if (value === NO_VALUE) return null;
    sum += value * (WEIGHTS[index] ?? 0);
  }
  return DIGITS.charAt(sum % 11);
}

/**
 * By how much a character (its code) at `index` changes `checkSumError`, modulo 11; NaN if either character has no value.
 * Position 9 has no weight, so there it's the difference of the digits.
 */
export function checkSumChange(vin: string, index: number, code: number): number {
  if (index === 8) return DIGITS.indexOf(vin.charAt(8)) - DIGITS.indexOf(String.fromCharCode(code));
  const before = values[vin.charCodeAt(index)] ?? NO_VALUE;
  const after = values[code] ?? NO_VALUE;
  if (before === NO_VALUE || after === NO_VALUE) return Number.NaN;
  return (after - before) * (WEIGHTS[index] ?? 0);
}

/** For each value, the characters that have it, digits first. */
const ofValue = Array.from({ length: 11 }, (_, value) =>
  [...DIGITS.slice(0, 10), ...letters]
    .filter((character) => values[character.charCodeAt(0)] === value)
    .join(''),
);
/** By weight, what it is multiplied with to get 1 modulo 11. */
const INVERSES = [0, 1, 6, 4, 3, 9, 2, 8, 7, 5, 10];

/** The characters at `index` (not position 9) that make the check digit right, digits first. `error`: see `checkSumError`, not NaN. */
export function fittingCharacters(vin: string, index: number, error: number): string {
  const value = values[vin.charCodeAt(index)]! - error * INVERSES[WEIGHTS[index]!]!;
  return ofValue[((value % 11) + 11) % 11]!;
}

/** The difference between the right check digit and position 9, modulo 11: 0 if right, NaN if it can't be computed. */
export function checkSumError(vin: string): number {
  const digit = checkDigit(vin);
  const actual = DIGITS.indexOf(vin.charAt(8));
  return digit === null || actual === -1 ? Number.NaN : DIGITS.indexOf(digit) - actual;
}

/** Whether position 9 is the right check digit. Only North American VINs must have one. */
export function hasRightCheckDigit(vin: string): boolean {
  const digit = checkDigit(vin);
  return digit !== null && vin.charCodeAt(8) === digit.charCodeAt(0);
}
