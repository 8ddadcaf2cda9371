import type { CharSet, Key } from './keys.ts';

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
  readonly keys: Key[];
  readonly sets: Sets;
  readonly setIds: Uint16Array;

  constructor(keys: Key[], sets: Sets) {
    this.keys = keys;
    this.sets = sets;
    this.setIds = new Uint16Array(keys.length * KEY_POSITIONS);
    keys.forEach((key, k) =>
      key.tests?.forEach((set, position) => {
        if (set !== null) this.setIds[k * KEY_POSITIONS + position] = sets.id(set);
      }),
    );
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
