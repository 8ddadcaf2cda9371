const ENTRY = 3;
const FIRST_CAPACITY = 4_096;
const [MIX_LOW, MIX_HIGH] = [0x9e3779b1, 0x85ebca6b];

/**
 * Where something is kept for each kind of car: for characters 1 to 8, 10 and 11 of a VIN. A map would need a string for each VIN
 * only to look it up.
 */
export class Kinds {
  /** For each kind, its characters in two numbers, then the place plus one. */
  #table = new Int32Array(FIRST_CAPACITY * ENTRY);
  #bits = Math.log2(FIRST_CAPACITY);
  #count = 0;

  /** The kind that was looked for last. */
  #low = 0;
  #high = 0;

  /** The place for a VIN's character numbers, −1 if there is none. */
  find(codes: Uint8Array): number {
    this.#low = lowOf(codes);
    this.#high = highOf(codes);
    return this.#table[this.#entryOf(this.#low, this.#high) + 2]! - 1;
  }

  /** Keeps the place of the kind that was looked for last. */
  keep(place: number): void {
    // Half empty, so that entries are found at once.
    if (this.#count * 2 >= 1 << this.#bits) this.#grow();
    this.#put(this.#low, this.#high, place + 1);
  }

  #put(low: number, high: number, value: number): void {
    const entry = this.#entryOf(low, high);
    if (this.#table[entry + 2] === 0) this.#count++;
    this.#table[entry] = low;
    this.#table[entry + 1] = high;
    this.#table[entry + 2] = value;
  }

  /** The entry of a kind, or the empty one where it would be. */
  #entryOf(low: number, high: number): number {
    const table = this.#table;
    const mask = (1 << this.#bits) - 1;
    const mixed = Math.imul(Math.imul(low, MIX_LOW) ^ high, MIX_HIGH);
    let index = (mixed ^ (mixed >>> 15)) & mask;
    for (;;) {
      const entry = index * ENTRY;
      if (table[entry + 2] === 0 || (table[entry] === low && table[entry + 1] === high)) return entry;
      index = (index + 1) & mask;
    }
  }

  #grow(): void {
    const before = this.#table;
    this.#bits++;
    this.#table = new Int32Array(ENTRY << this.#bits);
    this.#count = 0;
    for (let entry = 0; entry < before.length; entry += ENTRY)
      if (before[entry + 2] !== 0) this.#put(before[entry]!, before[entry + 1]!, before[entry + 2]!);
  }
}

/** Five characters of six bits each. */
const lowOf = (codes: Uint8Array): number =>
  (codes[0]! << 24) | (codes[1]! << 18) | (codes[2]! << 12) | (codes[3]! << 6) | codes[4]!;

const highOf = (codes: Uint8Array): number =>
  (codes[5]! << 24) | (codes[6]! << 18) | (codes[7]! << 12) | (codes[9]! << 6) | codes[10]!;

const BUCKETS = 4_096;

/** The rows in an order in which those of a manufacturer and year, which need the same patterns, follow each other. */
export function byManufacturer(vins: readonly (string | null)[]): Uint32Array {
  const bucketOf = (vin: string | null): number =>
    vin === null || vin.length < 10
      ? 0
      : (vin.charCodeAt(2) * 31 + vin.charCodeAt(1) * 961 + vin.charCodeAt(0) * 677 + vin.charCodeAt(9) * 5) &
        (BUCKETS - 1);
  const from = new Uint32Array(BUCKETS + 1);
  for (const vin of vins) from[bucketOf(vin) + 1]!++;
  for (let bucket = 1; bucket <= BUCKETS; bucket++) from[bucket]! += from[bucket - 1]!;
  const rows = new Uint32Array(vins.length);
  vins.forEach((vin, row) => (rows[from[bucketOf(vin)]!++] = row));
  return rows;
}
