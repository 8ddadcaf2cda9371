import { ALPHABET, CHECKED_COUNT, CHECKED_PLACES, FIRST_YEAR, OPEN_YEAR } from './layout.ts';
import type { WrongPosition } from './raw.ts';
import type { Release } from './reader.ts';
import { isYearCode } from './years.ts';

const WEIGHTS = Uint8Array.of(8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2);
const NINTH = 8;
const X = 33;
/** Check-digit value by character number; none for I, O, Q and all that is no letter or digit. */
const NO_VALUE = 99;
const values = new Uint8Array(64).fill(NO_VALUE);
for (let digit = 0; digit < 10; digit++) values[digit] = digit;
'12345678_12345_7_923456789'.split('').forEach((value, letter) => {
  if (value !== '_') values[10 + letter] = Number(value);
});

const isDigit = (code: number): boolean => code < 10;

/** What the characters alone tell, whatever the year. */
export interface Syntax {
  /** Code 1, exceptions aside. */
  wrongCheckDigit: boolean;
  /** Bits of positions that hold a character out of place, the ninth aside. */
  outOfPlace: number;
  /** The ninth is no digit and no X. */
  ninthOutOfPlace: boolean;
}

function checkDigit(codes: Uint8Array): number {
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

/** `serial`: where the digits begin, counted from 0. */
export function readSyntax(codes: Uint8Array, serial: number): Syntax {
  let outOfPlace = 0;
  for (let i = 0; i < serial; i++) if (values[codes[i]!] === NO_VALUE && i !== NINTH) outOfPlace |= 1 << i;
  let computable = true;
  for (let i = serial; i < 17; i++) {
    if (isDigit(codes[i]!)) continue;
    outOfPlace |= 1 << i;
    computable = false;
  }
  if (!isYearCode(codes[9]!)) {
    outOfPlace |= 1 << 9;
    computable = false;
  }
  const ninth = codes[NINTH]!;
  return {
    wrongCheckDigit: !computable || checkDigit(codes) !== ninth,
    outOfPlace,
    ninthOutOfPlace: !isDigit(ninth) && ninth !== X,
  };
}

/** Characters not valid for a manufacturer and year, and what vPIC makes of them. */
export interface Wrong {
  code: 0 | 2 | 3 | 4 | 5;
  positions: WrongPosition[];
  possibleValues: string;
  /** What to write over the VIN, by position from 0. */
  over: [number, string][];
}

export const nothingWrong: Wrong = { code: 0, positions: [], possibleValues: '', over: [] };

/** Digits before letters, as the alphabet has them. */
function charactersOf(lo: number, hi: number): string {
  let text = '';
  for (let i = 0; i < ALPHABET.length; i++)
    if ((((i < 32 ? lo : hi) >>> (i & 31)) & 1) === 1) text += ALPHABET[i];
  return text;
}

export function wrongCharacters(release: Release): (wmi: number, year: number, codes: Uint8Array) => Wrong {
  const { linkFromWmi, linkFrom, linkTo, linkSchema, schemaValid, setLo, setHi } = release;
  const lo = new Int32Array(CHECKED_COUNT);
  const hi = new Int32Array(CHECKED_COUNT);
  const trial = new Uint8Array(17);

  /** Bits of checked places that somebody names, but nobody with this character. */
  function find(wmi: number, year: number, codes: Uint8Array, checked: number): number {
    const at = year - FIRST_YEAR;
    let open = (1 << checked) - 1;
    let named = 0;
    for (let link = linkFromWmi[wmi]!; link < linkFromWmi[wmi + 1]! && open !== 0; link++) {
      if (at < linkFrom[link]! || (at > linkTo[link]! && linkTo[link] !== OPEN_YEAR)) continue;
      const first = linkSchema[link]! * CHECKED_COUNT;
      for (let place = 0; place < checked; place++) {
        const set = schemaValid[first + place]!;
        if (set === 0 || (open & (1 << place)) === 0) continue;
        named |= 1 << place;
        const code = codes[CHECKED_PLACES[place]!]!;
        if ((((code < 32 ? setLo[set]! : setHi[set]!) >>> (code & 31)) & 1) === 1) open &= ~(1 << place);
      }
    }
    return open & named;
  }

  function unite(wmi: number, year: number): void {
    lo.fill(0);
    hi.fill(0);
    const at = year - FIRST_YEAR;
    for (let link = linkFromWmi[wmi]!; link < linkFromWmi[wmi + 1]!; link++) {
      if (at < linkFrom[link]! || (at > linkTo[link]! && linkTo[link] !== OPEN_YEAR)) continue;
      const first = linkSchema[link]! * CHECKED_COUNT;
      for (let place = 0; place < CHECKED_COUNT; place++) {
        lo[place]! |= setLo[schemaValid[first + place]!]!;
        hi[place]! |= setHi[schemaValid[first + place]!]!;
      }
    }
  }

  /** Those of the characters that make the check digit right; none when it cannot be computed. */
  function fitting(codes: Uint8Array, position: number, characters: string, small: boolean): string {
    let fit = '';
    trial.set(codes);
    for (const char of characters) {
      trial[position] = ALPHABET.indexOf(char);
      let computable = true;
      for (let i = small ? 14 : 12; i < 17; i++) computable &&= isDigit(trial[i]!);
      if (computable && checkDigit(trial) === codes[NINTH]) fit += char;
    }
    return fit;
  }

  function judge(positions: WrongPosition[], codes: Uint8Array, small: boolean): Wrong {
    const print = (position: number, characters: string) => `(${position}:${characters})`;
    const possibleValues = positions.map(({ position, valid }) => print(position, valid)).join('');
    const over = positions.map(({ position }): [number, string] => [position - 1, '!']);
    if (positions.length > 1) return { code: 5, positions, possibleValues, over };
    const { position, valid } = positions[0]!;
    if (valid.length === 1) return { code: 2, positions, possibleValues, over: [[position - 1, valid]] };
    const fit = fitting(codes, position - 1, valid, small);
    if (fit.length === 1)
      return { code: 3, positions, possibleValues: print(position, fit), over: [[position - 1, fit]] };
    return { code: 4, positions, possibleValues, over };
  }

  return (wmi, year, codes) => {
    if (year === 0) return nothingWrong;
    const small = codes[2] === 9;
    const found = find(wmi, year, codes, small ? 6 : CHECKED_COUNT);
    if (found === 0) return nothingWrong;
    unite(wmi, year);
    const positions: WrongPosition[] = [];
    for (let place = 0; place < CHECKED_COUNT; place++) {
      if ((found & (1 << place)) === 0) continue;
      positions.push({ position: CHECKED_PLACES[place]! + 1, valid: charactersOf(lo[place]!, hi[place]!) });
    }
    return judge(positions, codes, small);
  };
}
