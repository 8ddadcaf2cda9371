import { checkDigit, type Vpic } from '../../packages/vin/src/index.ts';

export { randomFrom } from '../../packages/vin/src/random.ts';

const LETTERS_AND_DIGITS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';
const DIGITS = '0123456789';
const MAX_CORRECTIONS = 8;

export function pick(from: string, random: () => number): string {
  return from.charAt(Math.floor(random() * from.length));
}

export function replaceAt(vin: string, position: number, character: string): string {
  return vin.slice(0, position - 1) + character + vin.slice(position);
}

/**
 * A made-up VIN of a manufacturer and year: random characters, each replaced by one that the decoder calls valid at its
 * position, and the right check digit.
 */
export function makeUpVin(
  wmi: string,
  yearCode: string,
  vpic: Vpic,
  random: () => number,
  now: Date,
): string {
  const small = wmi.length === 6;
  let vin = wmi.slice(0, 3);
  while (vin.length < 17) {
    const position = vin.length + 1;
    if (position === 10) vin += yearCode;
    else if (small && position >= 12 && position <= 14) vin += wmi.charAt(position - 9);
    else vin += pick(position > 12 || position === 9 ? DIGITS : LETTERS_AND_DIGITS, random);
  }
  for (let round = 0; round < MAX_CORRECTIONS; round++) {
    const invalidPositions = [...vpic.decodeFull(vin, { now }).possibleValues.matchAll(/\((\d+):([^)]+)\)/g)];
    if (invalidPositions.length === 0) break;
    for (const [, position, valid = ''] of invalidPositions) {
      // Some manufacturers' patterns have characters that VINs never use.
      const possible = valid.replace(/[^A-HJ-NPR-Z0-9]/g, '');
      if (possible) vin = replaceAt(vin, Number(position), pick(possible, random));
    }
  }
  return replaceAt(vin, 9, checkDigit(vin) ?? '0');
}

/** The VIN with one realistic mistake: a mistyped character, a wrong check digit, or two adjacent characters swapped. */
export function mistype(vin: string, random: () => number): string {
  const kind = random();
  const position = 1 + Math.floor(random() * 16);
  if (kind < 0.3) return replaceAt(vin, 9, pick('0123456789X', random));
  if (kind < 0.6)
    return (
      vin.slice(0, position - 1) + vin.charAt(position) + vin.charAt(position - 1) + vin.slice(position + 1)
    );
  return replaceAt(vin, position, pick(LETTERS_AND_DIGITS, random));
}
