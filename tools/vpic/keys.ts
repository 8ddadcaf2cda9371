import { ALPHABET, OTHER_CHARACTER, UNKNOWN_CHARACTER } from '../../packages/vin/src/layout.ts';

const VIN_CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';

/** The n-th character of a key is for VIN position n + 3; the sixth is a bar in place of the check digit. */
const KEY_LENGTH = 14;
const BAR = 5;

/** A set of characters as two 32-bit words, by their numbers in the alphabet. */
export class CharSet {
  lo = 0;
  hi = 0;
  constructor(characters = '') {
    for (const char of characters) this.add(char);
  }
  add(char: string): void {
    const code = ALPHABET.indexOf(char);
    this.addCode(code === -1 ? OTHER_CHARACTER : code);
  }
  addCode(code: number): void {
    if (code < 32) this.lo = (this.lo | (1 << code)) >>> 0;
    else this.hi = (this.hi | (1 << (code - 32))) >>> 0;
  }
  meets(other: CharSet): boolean {
    return (this.lo & other.lo) !== 0 || (this.hi & other.hi) !== 0;
  }
  addAll(other: CharSet): void {
    this.lo = (this.lo | other.lo) >>> 0;
    this.hi = (this.hi | other.hi) >>> 0;
  }
  get empty(): boolean {
    return this.lo === 0 && this.hi === 0;
  }
}

export interface Key {
  text: string;
  /** By place in the key, null for any character. Null instead of the list if no VIN can match. */
  tests: (CharSet | null)[] | null;
  /** The characters the key names, for "valid characters", by place. */
  valid: (CharSet | null)[];
  /** Bits 0–4: positions 4–8, bit 5: position 11, where the key names something. */
  named: number;
  isFormula: boolean;
  /** First and last `#`, as places in the VIN counted from 0. */
  formula: { start: number; length: number } | null;
  /** For sorting competing patterns. */
  length: number;
  plain: string;
}

const DIGITS = new CharSet('0123456789');

function bracket(inside: string): { matches: CharSet; valid: CharSet } {
  const asWritten = !inside.includes('-') && !inside.includes('^');
  const negated = inside.startsWith('^');
  const body = (negated ? inside.slice(1) : inside).replaceAll('1-A', '1A');
  const listed = new CharSet();
  for (let i = 0; i < body.length; i++) {
    if (body[i + 1] !== '-' || i + 2 >= body.length) {
      if (body[i] !== '|') listed.add(body[i]!);
      continue;
    }
    for (const char of ALPHABET) if (char >= body[i]! && char <= body[i + 2]!) listed.add(char);
    i += 2;
  }
  const matches = new CharSet();
  if (negated) {
    for (const char of ALPHABET) if (!listed.meets(new CharSet(char))) matches.add(char);
    matches.addCode(UNKNOWN_CHARACTER);
    matches.addCode(OTHER_CHARACTER);
  } else matches.addAll(listed);
  if (asWritten) return { matches, valid: matches };
  const valid = new CharSet();
  for (const char of VIN_CHARACTERS) if (matches.meets(new CharSet(char))) valid.add(char);
  return { matches, valid };
}

/** The places of a key. A bracket is one place; an unclosed bracket is a plain character. */
function places(text: string): string[] {
  return text.match(/\[[^\]]*\]|[^]/gu) ?? [];
}

export function readKey(text: string): Key {
  const isFormula = text.includes('#');
  const hasBrackets = text.includes('[') && !isFormula;
  const tests: (CharSet | null)[] = [];
  const valid: (CharSet | null)[] = [];
  let possible = true;
  let named = 0;
  places(text).forEach((place, at) => {
    tests[at] = valid[at] = null;
    if (place === '*') return;
    if (at < BAR) named |= 1 << at;
    if (at === 7) named |= 1 << 5;
    if (place.length > 1) {
      const set = bracket(place.slice(1, -1));
      tests[at] = set.matches;
      valid[at] = set.valid.empty ? null : set.valid;
      if (isFormula) possible = false;
    } else if (place === '#') {
      tests[at] = new CharSet('0123456789#');
      valid[at] = DIGITS;
    } else {
      valid[at] = new CharSet(place);
      if (place === '_' && !hasBrackets) return;
      tests[at] = new CharSet(place);
      if (isFormula && place >= '0' && place <= '9') possible = false;
    }
    if (at !== BAR) return;
    if (place !== '|' && !(place.length > 1 && place.includes('|'))) possible = false;
    tests[at] = null;
  });
  if (tests.length > KEY_LENGTH) possible = false;
  const first = text.indexOf('#');
  return {
    text,
    tests: possible ? tests : null,
    valid,
    named,
    isFormula,
    formula: isFormula ? { start: first + 3, length: text.lastIndexOf('#') - first + 1 } : null,
    length: text.replaceAll('*', '').length,
    plain: text.replace(/[[\]]/g, ''),
  };
}
