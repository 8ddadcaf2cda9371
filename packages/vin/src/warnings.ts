import { checkDigit } from './check-digit.ts';
import type { RawDecode, Decoded } from './types.ts';
import type { Wrong } from './repairs.ts';
import { isVin, list, parseVin } from './syntax.ts';

/** The parts of a raw decode that warnings depend on. */
export type WarningInput = Wrong & Pick<RawDecode, 'suggested' | 'modelYear' | 'otherYear' | 'incomplete'>;

/**
 * vPIC's codes in plain sentences; null if nothing is wrong. `repair`: the VIN that was probably meant, see `meantBy`.
 */
export function warningOf(input: WarningInput, repair: string | null): string | null {
  const { codes, vin } = input;
  if (!isVin(vin)) {
    const parsed = parseVin(vin);
    if (!parsed.ok)
      return repair === null || parsed.message.includes(repair)
        ? parsed.message
        : `${parsed.message} Did you mean ${repair}?`;
  }
  const has = (code: number): boolean => codes.includes(code);
  const sentences: string[] = [];
  if (has(7)) {
    sentences.push(
      `Manufacturer ${manufacturer(vin)} isn't registered with NHTSA, so this VIN can't be decoded.`,
    );
  }
  if (has(8)) sentences.push('NHTSA knows the manufacturer but has no details that match this VIN.');
  if (isEuropean(input)) {
    sentences.push('This VIN has ZZZ at positions 4 to 6, as in Europe. NHTSA has no details for such VINs.');
  } else {
    sentences.push(...wrongForManufacturer(input, repair), ...invalidCharacters(input));
    if (has(1) && !repair) sentences.push(...wrongCheckDigit(input));
  }
  if (repair) sentences.push(`Did you mean ${repair}, with ${change(vin, repair)}?`);
  if (has(12)) sentences.push("The model year you gave isn't the one this VIN names.");
  if (input.otherYear !== null) sentences.push(otherYearSentence(String(input.otherYear)));
  if (has(9)) sentences.push('This is a glider: a vehicle body without an engine and transmission.');
  if (has(10)) sentences.push("This is an off-road vehicle. It isn't certified for public roads.");
  if (input.incomplete) {
    sentences.push('The vehicle left the factory incomplete and may have been altered since.');
  }
  return sentences.length > 0 ? sentences.join(' ') : null;
}

const otherYearSentence = (year: string): string => `The model year could also be ${year}.`;

/**
 * The decode without the doubt about its model year, once a label or NHTSA's live API has confirmed the year. Unchanged
 * if `year` is another one.
 */
export function settleYear(decoded: Decoded, year: string | number | null | undefined): Decoded {
  const { vin, vehicle, codes, suggested, warning, repair, otherYear } = decoded;
  if (otherYear === null || String(year) !== vehicle?.year) return decoded;
  const rest = (warning ?? '').replace(otherYearSentence(otherYear), '').replace(/ {2}/, ' ').trim();
  return { vin, vehicle, codes, suggested, warning: rest || null, repair, otherYear: null };
}

function manufacturer(vin: string): string {
  return vin[2] === '9'
    ? `${vin.slice(0, 3)} (with ${vin.slice(11, 14)} at positions 12 to 14)`
    : vin.slice(0, 3);
}

/** European manufacturers fill unused positions with Z, often including position 9. */
function isEuropean({ vin, codes }: WarningInput): boolean {
  return vin.startsWith('ZZZ', 3) && !codes.includes(0);
}

// More than a person would check.
const MAX_LISTED = 12;

/** Codes 2 to 5: characters that this manufacturer doesn't use at their position in this year. */
function wrongForManufacturer(
  { vin, codes, wrong, suggested }: WarningInput,
  repair: string | null,
): string[] {
  const [only] = wrong;
  if (!only) return [];
  if (wrong.length === 1) {
    const uses = `This manufacturer doesn't use ${vin[only.position - 1]} at position ${only.position}`;
    if (repair) return [`${uses}.`];
    const right = codes.includes(2) || codes.includes(3) ? suggested?.[only.position - 1] : undefined;
    const valid = right && right !== '!' ? right : only.valid;
    return [valid ? `${uses}; it could be ${either(valid)}.` : `${uses}.`];
  }
  const positions = list(wrong.map(({ position }) => String(position)));
  const invalid = `The characters at positions ${positions} aren't valid for this manufacturer`;
  const choices = wrong.reduce((sum, { valid }) => sum + valid.length, 0);
  // With a repair, the other choices don't matter.
  if (repair || choices > MAX_LISTED) return [`${invalid}.`];
  return [
    `${invalid}: position ${wrong.map(({ position, valid }) => `${position} could be ${either(valid)}`).join('; position ')}.`,
  ];
}

/** Codes 400 and 11: a letter in the serial number, no model-year code. Position 9 is part of `wrongCheckDigit`. */
function invalidCharacters(input: WarningInput): string[] {
  const { vin, codes, wrong } = input;
  const sentences: string[] = [];
  if (codes.includes(11)) {
    sentences.push(`Position 10 is ${vin[9]}, which isn't a model-year code, so the model year is unknown.`);
  }
  const serial = input.invalidPositions.filter(
    (position) => position > 10 && !wrong.some((each) => each.position === position),
  );
  if (serial.length > 1) {
    sentences.push(`Positions ${list(serial.map(String))} are letters but must be digits.`);
  }
  const [only] = serial;
  if (only && serial.length === 1) {
    sentences.push(`Position ${only} is ${vin[only - 1]} but must be a digit.`);
  }
  return sentences;
}

function wrongCheckDigit(input: WarningInput): string[] {
  const { vin, codes, wrong } = input;
  const right = checkDigit(vin);
  const actual = vin.charAt(8);
  // Right by plain arithmetic. vPIC doesn't compute it, because of a character that another sentence names.
  if (right === null || right === actual) return [];
  const isDigit = /[0-9X]/.test(actual);
  const known = !codes.includes(7) && !codes.includes(8);
  if (!/[1-57]/.test(vin.charAt(0)) && !(known && isDigit)) {
    return ["Position 9 isn't the right check digit, which only North American VINs must have."];
  }
  if (!isDigit) return [`Position 9 is ${actual} but must be a digit or X.`];
  if (wrong.length > 0 || codes.includes(400) || codes.includes(11)) {
    return ["The check digit at position 9 doesn't match either."];
  }
  if (codes.includes(10)) {
    return ["The check digit at position 9 doesn't match the rest, but off-road vehicles needn't have one."];
  }
  return [
    "The check digit at position 9 doesn't match the rest, so one character is probably wrong. Compare the VIN with the car or its papers.",
  ];
}

function change(vin: string, to: string): string {
  const changed = vin.split('').flatMap((character, index) => (character === to[index] ? [] : [index + 1]));
  const [first = 0, second] = changed;
  return second === undefined
    ? `${to[first - 1]} at position ${first}`
    : `positions ${first} and ${second} swapped`;
}

/** `A`, `A or B`, `A, B or C`. */
function either(characters: string): string {
  if (characters.length < 2) return characters;
  return `${characters.slice(0, -1).split('').join(', ')} or ${characters.at(-1)}`;
}
