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
  intersects(other: CharSet): boolean {
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
  /** By position in the key, null for any character. Null instead of the list if no VIN can match. */
  tests: (CharSet | null)[] | null;
  /** The characters the key names, for "valid characters", by position. */
  valid: (CharSet | null)[];
  /** Bits 0–4: positions 4–8, bit 5: position 11, where the key names something. */
  named: number;
  isFormula: boolean;
  /** From the first to the last `#`, as indexes in the VIN. */
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
    for (const char of ALPHABET) if (!listed.intersects(new CharSet(char))) matches.add(char);
    matches.addCode(UNKNOWN_CHARACTER);
    matches.addCode(OTHER_CHARACTER);
  } else matches.addAll(listed);
  if (asWritten) return { matches, valid: matches };
  const valid = new CharSet();
  for (const char of VIN_CHARACTERS) if (matches.intersects(new CharSet(char))) valid.add(char);
  return { matches, valid };
}

/** The positions of a key. A bracket is one position; an unclosed bracket is a plain character. */
function keyPositions(text: string): string[] {
  return text.match(/\[[^\]]*\]|[^]/gu) ?? [];
}

export function readKey(text: string): Key {
  const isFormula = text.includes('#');
  const hasBrackets = text.includes('[') && !isFormula;
  const tests: (CharSet | null)[] = [];
  const valid: (CharSet | null)[] = [];
  let possible = true;
  let named = 0;
  keyPositions(text).forEach((part, index) => {
    tests[index] = valid[index] = null;
    if (part === '*') return;
    if (index < BAR) named |= 1 << index;
    if (index === 7) named |= 1 << 5;
    if (part.length > 1) {
      const set = bracket(part.slice(1, -1));
      tests[index] = set.matches;
      valid[index] = set.valid.empty ? null : set.valid;
      if (isFormula) possible = false;
    } else if (part === '#') {
      tests[index] = new CharSet('0123456789#');
      valid[index] = DIGITS;
    } else {
      valid[index] = new CharSet(part);
      if (part === '_' && !hasBrackets) return;
      tests[index] = new CharSet(part);
      if (isFormula && part >= '0' && part <= '9') possible = false;
    }
    if (index !== BAR) return;
    if (part !== '|' && !(part.length > 1 && part.includes('|'))) possible = false;
    tests[index] = null;
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
