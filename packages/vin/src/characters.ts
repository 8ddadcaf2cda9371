import { ABSENT_CHARACTER, CHECKED_PLACES, UNKNOWN_CHARACTER } from './layout.ts';
import { isYearCode } from './years.ts';

const WEIGHTS = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2);
export const NINTH = 8;
const X = 33;
/** Check-digit value by character number; none for I, O, Q and anything but letters and digits. */
const NO_VALUE = 99;
const values = new Uint8Array(64).fill(NO_VALUE);
for (let digit = 0; digit < 10; digit++) values[digit] = digit;
'12345678_12345_7_923456789'.split('').forEach((value, letter) => {
  if (value !== '_') values[10 + letter] = Number(value);
});

export const isDigit = (code: number): boolean => code < 10;

/** What can be read from the characters alone, without a model year. */
export interface Syntax {
  /** Code 1, before exceptions. */
  wrongCheckDigit: boolean;
  /** Positions with a character that isn't allowed there, as bits; without position 9. */
  outOfPlace: number;
  /** Position 9 is neither a digit nor X. */
  ninthOutOfPlace: boolean;
  /** Position 10 is missing or isn't a year code. */
  noYear: boolean;
  /** Fewer than seventeen characters, and the checked places that are missing. */
  isShort: boolean;
  absentPlaces: number;
}

export const newSyntax = (): Syntax => ({
  wrongCheckDigit: false,
  outOfPlace: 0,
  ninthOutOfPlace: false,
  noYear: false,
  isShort: false,
  absentPlaces: 0,
});

/** Unknown or missing, so it can't be wrong. */
const isOpen = (code: number): boolean => code === UNKNOWN_CHARACTER || code === ABSENT_CHARACTER;

/** The check digit as a character number, −1 if a character has no value. */
export function checkDigit(codes: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < 17; i++) {
    if (i === NINTH) continue;
    const value = values[codes[i]!]!;
    if (value === NO_VALUE) return -1;
    sum += value * WEIGHTS[i]!;
  }
  const rest = sum % 11;
  return rest === 10 ? X : rest;
}

/** `serial`: index of the first digit of the serial number. Writes to `syntax`, which is reused for every VIN. */
export function readSyntax(codes: Uint8Array, serial: number, length: number, syntax: Syntax): void {
  let outOfPlace = 0;
  for (let i = 0; i < serial; i++) {
    if (values[codes[i]!] === NO_VALUE && i !== NINTH && !isOpen(codes[i]!)) outOfPlace |= 1 << i;
  }
  let computable = true;
  for (let i = serial; i < 17; i++) {
    if (isDigit(codes[i]!)) continue;
    if (!isOpen(codes[i]!)) outOfPlace |= 1 << i;
    computable = false;
  }
  syntax.noYear = !isYearCode(codes[9]!);
  if (syntax.noYear) {
    // An unknown year is an error; a missing one isn't.
    if (codes[9] !== ABSENT_CHARACTER) outOfPlace |= 1 << 9;
    computable = false;
  }
  const ninth = codes[NINTH]!;
  syntax.isShort = length < 17;
  syntax.wrongCheckDigit = !syntax.isShort && (!computable || checkDigit(codes) !== ninth);
  syntax.outOfPlace = outOfPlace;
  syntax.ninthOutOfPlace = !isDigit(ninth) && ninth !== X && !isOpen(ninth);
  syntax.absentPlaces = 0;
  if (syntax.isShort) {
    CHECKED_PLACES.forEach((place, index) => {
      if (place >= length) syntax.absentPlaces |= 1 << index;
    });
  }
}
