import type { CharSet, Key } from './keys.ts';

const PLACES = 14;

/** Numbers sets of characters, and tests (a place and a set). Number 0 is "anything". */
export class Sets {
  readonly lo: number[] = [0];
  readonly hi: number[] = [0];
  readonly #ids = new Map<string, number>();

  id(set: CharSet): number {
    const key = `${set.lo},${set.hi}`;
    let id = this.#ids.get(key);
    if (id === undefined) {
      id = this.lo.length;
      this.#ids.set(key, id);
      this.lo.push(set.lo);
      this.hi.push(set.hi);
    }
    return id;
  }
}

/** The keys of all patterns, as set numbers by place. */
export class KeyTests {
  readonly keys: Key[];
  readonly sets: Sets;
  readonly at: Uint16Array;

  constructor(keys: Key[], sets: Sets) {
    this.keys = keys;
    this.sets = sets;
    this.at = new Uint16Array(keys.length * PLACES);
    keys.forEach((key, k) =>
      key.tests?.forEach((set, place) => {
        if (set) this.at[k * PLACES + place] = sets.id(set);
      }),
    );
  }

  /** Whether one VIN can match both keys. */
  meet(a: number, b: number): boolean {
    const { lo, hi } = this.sets;
    for (let x = a * PLACES, y = b * PLACES, end = x + PLACES; x < end; x++, y++) {
      const s = this.at[x]!;
      const t = this.at[y]!;
      if (s !== 0 && t !== 0 && s !== t && (lo[s]! & lo[t]!) === 0 && (hi[s]! & hi[t]!) === 0) return false;
    }
    return true;
  }

  /** The tests of a key as numbers `place * 65536 + set`, in the order of places. */
  tests(key: number): number[] {
    const found: number[] = [];
    for (let place = 0; place < PLACES; place++) {
      const set = this.at[key * PLACES + place]!;
      if (set !== 0) found.push(place * 65536 + set);
    }
    return found;
  }
}
