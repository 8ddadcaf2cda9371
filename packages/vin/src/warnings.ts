import { checkDigit } from './check-digit.ts';
import type { RawDecode } from './raw.ts';
import type { Meant, Wrong } from './repairs.ts';
import { isVin, list, parseVin } from './syntax.ts';

/** The parts of a decode that say how far it can be trusted. */
export type Doubts = Wrong & Pick<RawDecode, 'modelYear' | 'otherYear' | 'incomplete'>;

/**
 * vPIC's codes as sentences for people, joined by a space; null when there is nothing to say.
 * `meant` are the VINs to offer, see `meantBy`.
 */
export function warningOf(doubts: Doubts, { vins, repair }: Meant): string | null {
  const { codes, vin } = doubts;
  if (!isVin(vin)) {
    const parsed = parseVin(vin);
    if (!parsed.ok) return parsed.message;
  }
  const has = (code: number): boolean => codes.includes(code);
  const sentences: string[] = [];
  if (has(7)) {
    sentences.push(
      `The manufacturer ${manufacturer(vin)} is not registered with NHTSA, so nothing more is known of this vehicle.`,
    );
  }
  if (has(8)) {
    sentences.push('The manufacturer is known, but NHTSA has no details that match this VIN.');
  }
  if (isEuropean(doubts)) {
    sentences.push(
      'This VIN has the European form, with ZZZ at positions 4 to 6, of which NHTSA keeps no details.',
    );
  } else {
    sentences.push(...wrongForManufacturer(doubts, vins), ...outOfPlace(doubts));
    if (has(1)) sentences.push(...wrongCheckDigit(doubts, repair));
  }
  if (vins.length > 0) sentences.push(didYouMean(vin, vins));
  sentences.push(...uncertainYear(doubts));
  if (has(9)) {
    sentences.push(
      'This is a glider, a vehicle body without engine and transmission, not a complete road vehicle.',
    );
  }
  if (has(10)) sentences.push('This is an off-road vehicle, not certified for public roads.');
  if (doubts.incomplete) {
    sentences.push('The vehicle left the factory incomplete and may have been altered since.');
  }
  return sentences.length > 0 ? sentences.join(' ') : null;
}

function manufacturer(vin: string): string {
  return vin[2] === '9'
    ? `${vin.slice(0, 3)} (with ${vin.slice(11, 14)} at positions 12 to 14)`
    : vin.slice(0, 3);
}

/** European makers fill what they do not use with Z, position 9 often included. */
function isEuropean({ vin, codes }: Doubts): boolean {
  return vin.startsWith('ZZZ', 3) && !codes.includes(0);
}

function uncertainYear({ modelYear, otherYear }: Doubts): string[] {
  if (modelYear === null || otherYear === null) return [];
  return [`The model year may be ${Math.min(modelYear, otherYear)} or ${Math.max(modelYear, otherYear)}.`];
}

// More than a person would try one by one.
const MOST_LISTED = 12;

/** Codes 2 to 5: characters that no pattern of this manufacturer and year has at their position. */
function wrongForManufacturer({ vin, codes, wrong, suggested }: Doubts, vins: string[]): string[] {
  const [only] = wrong;
  if (!only) return [];
  if (wrong.length === 1) {
    const holds = `Position ${only.position} holds ${vin[only.position - 1]}, which this manufacturer does not use there`;
    const right = codes.includes(2) || codes.includes(3) ? suggested?.[only.position - 1] : undefined;
    // Another VIN to offer would be a second answer.
    const agreed = vins.every((to) => to[only.position - 1] === right);
    if (right && right !== '!') return [agreed ? `${holds}; it should be ${right}.` : `${holds}.`];
    return [only.valid ? `${holds}; it may be ${either(only.valid)}.` : `${holds}.`];
  }
  const positions = list(wrong.map((place) => String(place.position)));
  const holds = `The characters at positions ${positions} are not valid for this manufacturer`;
  const choices = wrong.reduce((sum, place) => sum + place.valid.length, 0);
  // With a likely VIN to offer, what each position might hold besides is of no use.
  if (vins.length > 0 || choices > MOST_LISTED) return [`${holds}.`];
  return [
    `${holds}: ${wrong.map((place) => `position ${place.position} may be ${either(place.valid)}`).join('; ')}.`,
  ];
}

/** Codes 400 and 11: a letter in the serial number, no model-year code. Position 9 is the check digit's matter. */
function outOfPlace(doubts: Doubts): string[] {
  const { vin, codes, wrong } = doubts;
  const sentences: string[] = [];
  if (codes.includes(11)) {
    sentences.push(
      `Position 10 holds ${vin[9]}, which is no model-year code, so the model year is not known.`,
    );
  }
  const serial = doubts.outOfPlace.filter(
    (position) => position > 10 && !wrong.some((place) => place.position === position),
  );
  if (serial.length > 1) {
    sentences.push(`Positions ${list(serial.map(String))} hold letters, where only digits can stand.`);
  }
  const [only] = serial;
  if (only && serial.length === 1) {
    sentences.push(`Position ${only} holds ${vin[only - 1]}, where only a digit can stand.`);
  }
  return sentences;
}

function wrongCheckDigit(doubts: Doubts, repair: string | null): string[] {
  const { vin, codes, wrong } = doubts;
  const right = checkDigit(vin);
  const held = vin.charAt(8);
  // Right by plain arithmetic: vPIC would not compute it because of a character already complained of.
  if (right === null || right === held) return [];
  const isDigit = /[0-9X]/.test(held);
  const known = !codes.includes(7) && !codes.includes(8);
  if (!/[1-57]/.test(vin.charAt(0)) && !(known && isDigit)) {
    return [
      `Position 9 would be ${right} in a VIN made for North America; elsewhere it need not be a check digit.`,
    ];
  }
  if (!isDigit) {
    return [
      `Position 9 holds ${held}, where only a digit or X can stand; it should be ${right} if the rest is right.`,
    ];
  }
  if (wrong.length > 0 || codes.includes(400) || codes.includes(11)) {
    return repair ? [] : ['The check digit at position 9 does not fit either.'];
  }
  return [
    `Position 9 should be ${right} if the rest is right: it is a check digit, worked out from the other sixteen characters, so one of the seventeen may be mistyped.`,
  ];
}

function didYouMean(vin: string, vins: string[]): string {
  return `Did you mean ${vins.map((to) => `${to}, with ${change(vin, to)}`).join(', or ')}?`;
}

function change(vin: string, to: string): string {
  const changed = vin.split('').flatMap((character, at) => (character === to[at] ? [] : [at + 1]));
  const [first = 0, second] = changed;
  return second === undefined
    ? `${to[first - 1]} at position ${first}`
    : `positions ${first} and ${second} the other way round`;
}

/** `A`, `A or B`, `A, B or C`. */
function either(characters: string): string {
  if (characters.length < 2) return characters;
  return `${characters.slice(0, -1).split('').join(', ')} or ${characters.at(-1)}`;
}
