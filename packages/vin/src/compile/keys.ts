import { ALPHABET, OTHER_CHARACTER, UNKNOWN_CHARACTER, CHECKED_INDEXES } from '../layout.ts';

const VIN_CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';

/** The n-th character of a key is for VIN position n + 3; the sixth is a bar in place of the check digit. */
const KEY_LENGTH = 14;
const BAR = 5;

/** A set of characters: one bit for each, by its number in the alphabet. */
export type CharSet = bigint;

const bitOf = (code: number): CharSet => 1n << BigInt(code);

function setOf(characters: string): CharSet {
  let set = 0n;
  for (const char of characters) {
    const code = ALPHABET.indexOf(char);
    set |= bitOf(code === -1 ? OTHER_CHARACTER : code);
  }
  return set;
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

const DIGITS = setOf('0123456789');
const DIGITS_OR_HASH = setOf('0123456789#');
/** Characters outside the alphabet, which a negated bracket matches. */
const OUTSIDE = bitOf(UNKNOWN_CHARACTER) | bitOf(OTHER_CHARACTER);

/** Keys repeat few brackets and characters, and each number of this size is an object. */
const sets = new Map<string, { matches: CharSet; valid: CharSet }>();

function setsOf(part: string): { matches: CharSet; valid: CharSet } {
  let found = sets.get(part);
  if (!found) {
    const set = setOf(part);
    found = part.length > 1 ? bracket(part.slice(1, -1)) : { matches: set, valid: set };
    sets.set(part, found);
  }
  return found;
}

function bracket(inside: string): { matches: CharSet; valid: CharSet } {
  const asWritten = !inside.includes('-') && !inside.includes('^');
  const negated = inside.startsWith('^');
  const body = (negated ? inside.slice(1) : inside).replaceAll('1-A', '1A');
  let listed = 0n;
  for (let i = 0; i < body.length; i++) {
    if (body[i + 1] !== '-' || i + 2 >= body.length) {
      if (body[i] !== '|') listed |= setOf(body[i]!);
      continue;
    }
    for (const char of ALPHABET) if (char >= body[i]! && char <= body[i + 2]!) listed |= setOf(char);
    i += 2;
  }
  const matches = negated ? (setOf(ALPHABET) & ~listed) | OUTSIDE : listed;
  return { matches, valid: asWritten ? matches : matches & setOf(VIN_CHARACTERS) };
}

/** The positions of a key. A bracket is one position; an unclosed bracket, or one longer than all characters, is a plain character. */
function keyPositions(text: string): string[] {
  return text.match(/\[[^\]]{0,99}\]|[^]/gu) ?? [];
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
      const set = setsOf(part);
      tests[index] = set.matches;
      valid[index] = set.valid || null;
      if (isFormula) possible = false;
    } else if (part === '#') {
      tests[index] = DIGITS_OR_HASH;
      valid[index] = DIGITS;
    } else {
      valid[index] = setsOf(part).valid;
      if (part === '_' && !hasBrackets) return;
      tests[index] = setsOf(part).matches;
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

const KEY_POSITIONS = 14;

/** Numbers sets of characters. Number 0 is "anything". */
export class Sets {
  readonly lo: number[] = [0];
  readonly hi: number[] = [0];
  readonly #ids = new Map<CharSet, number>();

  id(set: CharSet): number {
    let id = this.#ids.get(set);
    if (id === undefined) {
      id = this.lo.length;
      this.#ids.set(set, id);
      this.lo.push(Number(set & 0xffffffffn));
      this.hi.push(Number(set >> 32n));
    }
    return id;
  }
}

/** The keys of all patterns, as set numbers by position. */
export class KeyTests {
  readonly keys: (Omit<Key, 'tests' | 'valid'> & { isPossible: boolean })[];
  readonly sets: Sets;
  readonly setIds: Uint16Array;
  /** The characters that each key names at the checked positions. */
  readonly #valid: BigUint64Array;

  constructor(texts: readonly string[], sets: Sets) {
    this.sets = sets;
    this.setIds = new Uint16Array(texts.length * KEY_POSITIONS);
    this.#valid = new BigUint64Array(texts.length * CHECKED_INDEXES.length);
    this.keys = texts.map((text, k) => {
      const { tests, valid, ...key } = readKey(text);
      for (const [index, vinIndex] of CHECKED_INDEXES.entries())
        this.#valid[k * CHECKED_INDEXES.length + index] = valid[vinIndex - 3] ?? 0n;
      tests?.forEach((set, position) => {
        if (set !== null) this.setIds[k * KEY_POSITIONS + position] = sets.id(set);
      });
      return { ...key, isPossible: tests !== null };
    });
  }

  /** The characters that a key names at a checked position; 0 for any. */
  valid(key: number, index: number): CharSet {
    return this.#valid[key * CHECKED_INDEXES.length + index]!;
  }

  /** Whether one VIN can match both keys. */
  canBothMatch(a: number, b: number): boolean {
    const { lo, hi } = this.sets;
    for (let x = a * KEY_POSITIONS, y = b * KEY_POSITIONS, end = x + KEY_POSITIONS; x < end; x++, y++) {
      const s = this.setIds[x]!;
      const t = this.setIds[y]!;
      if (s !== 0 && t !== 0 && s !== t && (lo[s]! & lo[t]!) === 0 && (hi[s]! & hi[t]!) === 0) return false;
    }
    return true;
  }

  /** The tests of a key as numbers `position * 65536 + set`, in the order of positions. */
  tests(key: number): number[] {
    const tests: number[] = [];
    for (let position = 0; position < KEY_POSITIONS; position++) {
      const set = this.setIds[key * KEY_POSITIONS + position]!;
      if (set !== 0) tests.push(position * 65536 + set);
    }
    return tests;
  }
}
