import {
  ABSENT_CHARACTER,
  ALPHABET,
  CHECKED_COUNT,
  CHECKED_INDEXES,
  FIRST_YEAR,
  UNKNOWN_CHARACTER,
} from './layout.ts';
import type { WrongPosition } from './types.ts';
import { characterNumbers, linkCovers, linkSchemaOf, type Release } from './reader.ts';

/** What the characters of a VIN say by themselves: its check digit, its year's code, and which of them can't be right. */

const CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const CODED_FROM = 2010;
/** Years until a code is used again. */
export const CYCLE = 30;

/** Character number → the later of its two model years, or 0. */
export const yearOfCharacter = new Uint16Array(64);
for (let i = 0; i < CODES.length; i++) {
  const char = CODES.charCodeAt(i);
  yearOfCharacter[char < 58 ? char - 48 : char - 55] = CODED_FROM + i;
}

/** The character of a model year at position 10. */
export const yearCode = (year: number): string => CODES.charAt((year - FIRST_YEAR) % CYCLE);

const WEIGHTS = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2);
const NINTH = 8;
const X = 33;
/** Check-digit value by character number; none for I, O, Q and anything but letters and digits. */
const NO_VALUE = 99;
const values = new Uint8Array(64).fill(NO_VALUE);
for (let digit = 0; digit < 10; digit++) values[digit] = digit;
'12345678_12345_7_923456789'.split('').forEach((value, letter) => {
  if (value !== '_') values[10 + letter] = Number(value);
});

const isDigit = (code: number): boolean => code < 10;

/** What can be read from the characters alone, without a model year. */
export interface Syntax {
  /** Code 1, before exceptions. */
  wrongCheckDigit: boolean;
  /** Positions with a character that isn't allowed there, as bits; without position 9. */
  invalidPositions: number;
  /** Position 9 is neither a digit nor X. */
  ninthIsInvalid: boolean;
  /** Position 10 is missing or isn't a year code. */
  noYear: boolean;
  /** Fewer than seventeen characters, and the checked positions that are missing. */
  isShort: boolean;
  absentPositions: number;
}

export const newSyntax = (): Syntax => ({
  wrongCheckDigit: false,
  invalidPositions: 0,
  ninthIsInvalid: false,
  noYear: false,
  isShort: false,
  absentPositions: 0,
});

/** Unknown or missing, so it can't be wrong. */
const isOpen = (code: number): boolean => code === UNKNOWN_CHARACTER || code === ABSENT_CHARACTER;

/** The check digit as a character number, −1 if a character has no value. */
function checkDigit(codes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < 17; i++) {
    if (i === NINTH) continue;
    const value = values[codes[i]!]!;
    if (value === NO_VALUE) return -1;
    sum += value * WEIGHTS[i]!;
  }
  const remainder = sum % 11;
  return remainder === 10 ? X : remainder;
}

/** `serial`: index of the first digit of the serial number. Writes to `syntax`, which is reused for every VIN. */
export function readSyntax(codes: Uint8Array, serial: number, length: number, syntax: Syntax): void {
  let invalidPositions = 0;
  for (let i = 0; i < serial; i++) {
    if (values[codes[i]!] === NO_VALUE && i !== NINTH && !isOpen(codes[i]!)) invalidPositions |= 1 << i;
  }
  let computable = true;
  for (let i = serial; i < 17; i++) {
    if (isDigit(codes[i]!)) continue;
    if (!isOpen(codes[i]!)) invalidPositions |= 1 << i;
    computable = false;
  }
  syntax.noYear = yearOfCharacter[codes[9]!] === 0;
  if (syntax.noYear) {
    // An unknown year is an error; a missing one isn't.
    if (codes[9] !== ABSENT_CHARACTER) invalidPositions |= 1 << 9;
    computable = false;
  }
  const ninth = codes[NINTH]!;
  syntax.isShort = length < 17;
  syntax.wrongCheckDigit = !syntax.isShort && (!computable || checkDigit(codes) !== ninth);
  syntax.invalidPositions = invalidPositions;
  syntax.ninthIsInvalid = !isDigit(ninth) && ninth !== X && !isOpen(ninth);
  syntax.absentPositions = 0;
  if (syntax.isShort) {
    CHECKED_INDEXES.forEach((vinIndex, index) => {
      if (vinIndex >= length) syntax.absentPositions |= 1 << index;
    });
  }
}

/** Codes 2–5 by position. */
export interface Explained {
  positions: WrongPosition[];
  possibleValues: string;
  /** Characters of the suggested VIN, by index. */
  replacements: [number, string][];
}

/** The characters of a set in vPIC's order: `_`, digits, letters. */
export function charactersOf(lo: number, hi: number): string {
  let text = '';
  for (let i = 0; i < ALPHABET.length; i++) {
    if ((((i < 32 ? lo : hi) >>> (i & 31)) & 1) === 0) continue;
    text = ALPHABET[i] === '_' ? `_${text}` : text + ALPHABET[i];
  }
  return text;
}

/** Finds characters that no pattern of the manufacturer and year has at their position. */
export function validity(release: Release) {
  const { linkFromWmi, links, schemaValid, setLo, setHi, wmiPositions } = release;
  const trial = new Uint8Array(17);

  /**
   * Checked positions, as bits, that some key names but none with this VIN's character; for all years if `year` is 0.
   * `resolved` positions are skipped.
   */
  function find(wmi: number, year: number, codes: Uint8Array, resolved: number): number {
    // Manufacturers with six-character identifiers are free to use the rest of the serial number.
    let open = (codes[2] === 9 ? 0x3f : 0x1ff) & wmiPositions(wmi) & ~resolved;
    if (open === 0) return 0;
    const yearOffset = year - FIRST_YEAR;
    const end = linkFromWmi[wmi + 1]!;
    let constrained = 0;
    for (let link = linkFromWmi[wmi]!; link < end && open !== 0; link++) {
      if (year !== 0 && !linkCovers(links[link]!, yearOffset)) continue;
      const first = linkSchemaOf(links[link]!) * CHECKED_COUNT;
      for (let checked = 0; checked < CHECKED_COUNT; checked++) {
        if ((open & (1 << checked)) === 0) continue;
        const set = schemaValid[first + checked]!;
        if (set === 0) continue;
        constrained |= 1 << checked;
        const code = codes[CHECKED_INDEXES[checked]!]!;
        if ((((code < 32 ? setLo[set]! : setHi[set]!) >>> (code & 31)) & 1) === 1) open &= ~(1 << checked);
      }
    }
    return open & constrained;
  }

  /** The characters valid at a checked position, over all schemas of the year. */
  function valid(wmi: number, year: number, checked: number): string {
    const yearOffset = year - FIRST_YEAR;
    let lo = 0;
    let hi = 0;
    for (let link = linkFromWmi[wmi]!; link < linkFromWmi[wmi + 1]!; link++) {
      if (!linkCovers(links[link]!, yearOffset)) continue;
      const set = schemaValid[linkSchemaOf(links[link]!) * CHECKED_COUNT + checked]!;
      lo |= setLo[set]!;
      hi |= setHi[set]!;
    }
    return charactersOf(lo, hi);
  }

  /** The characters that make the check digit right; none if it can't be computed. */
  function fitting(codes: Uint8Array, position: number, characters: string): string {
    for (let i = codes[2] === 9 ? 14 : 12; i < 17; i++) if (i !== position && !isDigit(codes[i]!)) return '';
    const digitsOnly = position >= (codes[2] === 9 ? 14 : 12);
    let fit = '';
    trial.set(codes);
    for (let i = 0; i < characters.length; i++) {
      const code = characterNumbers[characters.charCodeAt(i)]!;
      if (digitsOnly && !isDigit(code)) continue;
      trial[position] = code;
      if (checkDigit(trial) === codes[NINTH]) fit += characters[i];
    }
    return fit;
  }

  /** Code 2–5 for the positions found, 0 for none. */
  function codeOf(wmi: number, year: number, codes: Uint8Array, bits: number): 0 | 2 | 3 | 4 | 5 {
    if (bits === 0) return 0;
    if ((bits & (bits - 1)) !== 0) return 5;
    const checked = 31 - Math.clz32(bits);
    const characters = valid(wmi, year, checked);
    if (characters.length === 1) return 2;
    return fitting(codes, CHECKED_INDEXES[checked]!, characters).length === 1 ? 3 : 4;
  }

  function explain(wmi: number, year: number, codes: Uint8Array, bits: number, code: number): Explained {
    const positions: WrongPosition[] = [];
    const replacements: [number, string][] = [];
    let possibleValues = '';
    for (let checked = 0; checked < CHECKED_COUNT; checked++) {
      if ((bits & (1 << checked)) === 0) continue;
      const index = CHECKED_INDEXES[checked]!;
      const characters = valid(wmi, year, checked);
      positions.push({ position: index + 1, valid: characters });
      const right = code === 3 ? fitting(codes, index, characters) : characters;
      replacements.push([index, code === 2 || code === 3 ? right : '!']);
      possibleValues += `(${index + 1}:${right})`;
    }
    return { positions, possibleValues, replacements };
  }

  return { find, codeOf, explain, valid };
}
