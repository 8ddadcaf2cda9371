import { hasRightCheckDigit } from './check-digit.ts';

/** A normalized VIN: seventeen characters, upper case, without I, O and Q. */
export const VIN_PATTERN = /^[A-HJ-NPR-Z0-9]{17}$/;

// Spelled out, because the `i` flag and toUpperCase would accept a dotless ı or a long ſ.
const EITHER_CASE = /^[A-HJ-NPR-Za-hj-npr-z0-9]{17}$/;
const IN_VIN = /^[A-HJ-NPR-Za-hj-npr-z0-9]$/;
// Separators that people and word processors add: white space, dashes, invisible joiners.
const SEPARATORS = /[\s\p{Pd}\u00ad\u200b-\u200f\u2060\ufeff_.·]+/gu;
// As Chinese and Japanese keyboards type ASCII.
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const MAX_COUNTED = 200;

export type ParsedVin =
  | { ok: true; vin: string }
  | {
      ok: false;
      reason: 'empty' | 'length' | 'character';
      /** The first wrong position, counted from 1. */
      position?: number;
      /** The character there, if it's printable ASCII. */
      character?: string;
      /** What's wrong and what to do about it; plain text of limited length. */
      message: string;
    };

type NotAVin = Extract<ParsedVin, { ok: false }>;

export function isVin(text: string): boolean {
  return VIN_PATTERN.test(text);
}

/**
 * Parses any string as a VIN, or says what's wrong with it.
 *
 * @example
 * parseVin('1fm5k7b82dga00000') // { ok: true, vin: '1FM5K7B82DGA00000' }
 * parseVin('1FM5K7B82DGAOOOOO') // { ok: false, reason: 'character', position: 13, character: 'O', … }
 */
export function parseVin(text: string): ParsedVin {
  if (EITHER_CASE.test(text)) return { ok: true, vin: text.toUpperCase() };
  const characters = firstCharacters(text);
  if (characters.length === 0) {
    return { ok: false, reason: 'empty', message: 'There is no VIN here. Give its 17 letters and digits.' };
  }
  return characters.length === 17
    ? wrongCharacter(text, characters)
    : { ok: false, reason: 'length', message: lengthMessage(text, characters) };
}

/** Typed or pasted text without spaces and dashes, in upper case ASCII. Not validated: pass it to `parseVin`. */
export function tidyVin(text: string): string {
  return text
    .replace(FULL_WIDTH, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(SEPARATORS, '')
    .replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

function firstCharacters(text: string): string[] {
  const characters: string[] = [];
  for (const character of text) {
    characters.push(character);
    if (characters.length > MAX_COUNTED) break;
  }
  return characters;
}

function lengthMessage(text: string, characters: string[]): string {
  const given = characters.length > MAX_COUNTED ? `more than ${MAX_COUNTED}` : String(characters.length);
  const tidy = characters.length > MAX_COUNTED ? '' : tidyVin(text);
  if (tidy.length === 17 && isVin(tidy)) {
    return `A VIN has 17 characters. This has ${given}. Leave out everything but the letters and digits: ${tidy}.`;
  }
  // In a URL people add `.pdf` or `.json`.
  const [, vin = ''] = /^([a-z0-9]{17})[^a-z0-9]/i.exec(text) ?? [];
  if (isVin(vin.toUpperCase()))
    return `A VIN has 17 characters. This has ${given}. Leave out what follows the VIN: ${vin.toUpperCase()}.`;
  const missing = 17 - characters.length;
  const problem =
    missing > 0
      ? `, so ${missing === 1 ? 'one is' : `${missing} are`} missing.`
      : characters.length > MAX_COUNTED
        ? '. Enter only the VIN.'
        : `, which is ${missing === -1 ? 'one' : -missing} too many.`;
  return `A VIN has 17 characters. This has ${given}${problem}`;
}

function wrongCharacter(text: string, characters: string[]): NotAVin {
  const wrong = characters.flatMap((character, index) => (IN_VIN.test(character) ? [] : [index]));
  const first = wrong[0] ?? 0;
  const character = characters[first] ?? '';
  const printable = /^[!-~]$/.test(character);
  const others = wrong.slice(1).map((index) => index + 1);
  return {
    ok: false,
    reason: 'character',
    position: first + 1,
    ...(printable ? { character } : {}),
    message: `Position ${first + 1} is ${describe(character)}. ${advice(character)}${alsoWrong(others)}${missingNote(text)}`,
  };
}

function alsoWrong(positions: number[]): string {
  if (positions.length === 0) return '';
  if (positions.length === 1) return ` Position ${positions[0]} is wrong too.`;
  return positions.length > 6
    ? ` ${positions.length} other positions are wrong too.`
    : ` Positions ${list(positions.map(String))} are wrong too.`;
}

function describe(character: string): string {
  if (/^[ioq]$/i.test(character)) return `the letter ${character.toUpperCase()}`;
  if (/^\s$/u.test(character)) return 'a space';
  if (/^[!-~]$/.test(character)) return `"${character}"`;
  return `a character that is neither a letter A to Z nor a digit (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')})`;
}

function advice(character: string): string {
  if (/^[ioq]$/i.test(character)) {
    return `VINs never use the letters I, O and Q, so it is probably ${/^i$/i.test(character) ? 'the digit 1' : 'the digit 0'}.`;
  }
  return 'A VIN has only the digits 0 to 9 and the letters A to Z without I, O and Q.';
}

/** If a space or dash is among the 17 characters, others are missing. */
function missingNote(text: string): string {
  const tidy = tidyVin(text);
  return tidy.length < 17 && /^[A-Z0-9]*$/.test(tidy)
    ? ` Without spaces and dashes this has ${tidy.length} characters, and a VIN has 17.`
    : '';
}

/** `4`, `4 and 5`, `4, 5 and 6`. */
export function list(words: string[]): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

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
