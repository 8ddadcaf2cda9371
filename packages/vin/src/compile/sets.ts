import { CHECKED_INDEXES } from '../layout.ts';
import { type CharSet, type Key, readKey } from './keys.ts';

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
