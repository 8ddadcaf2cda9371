import { ABSENT_CHARACTER, CHECKED_INDEXES, UNKNOWN_CHARACTER } from './layout.ts';
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
export function checkDigit(codes: Uint8Array): number {
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
  syntax.noYear = !isYearCode(codes[9]!);
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
