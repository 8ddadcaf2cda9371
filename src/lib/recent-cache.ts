/**
 * A bounded cache with two generations instead of a list in order of use: a hit is one map lookup, and an entry that was
 * not used while a generation filled up is dropped. Keeps at least the last `minEntries` entries and at most twice as many.
 */
interface RecentCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  clear(): void;
}

export function createRecentCache<T>(minEntries: number): RecentCache<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();

  function set(key: string, value: T): void {
    if (young.size >= minEntries) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      young = new Map();
      old = new Map();
    },
  };
}

const BUCKET_SLOTS = 4;

/**
 * Whether a text was seen recently, by a table of 32-bit FNV-1a hashes in which new entries replace old ones. It may forget
 * early, and takes one text for another once in about a billion: only for uses where an error costs a little time.
 * Each text belongs to a bucket of four, the newest first. With a single slot, texts that come again and again could keep
 * replacing each other, and would never be recognized.
 */
export function createSeenFilter(slots: number): (text: string) => boolean {
  const hashes = new Int32Array(slots);
  return (text) => {
    let hash = 0x811c9dc5 | 0;
    for (let index = 0; index < text.length; index++)
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    // The lower bits of the hashes of similar texts are alike.
    const bucket = (((hash ^ (hash >>> 16)) >>> 0) % (slots / BUCKET_SLOTS)) * BUCKET_SLOTS;
    let previous = hash;
    for (let slot = bucket; slot < bucket + BUCKET_SLOTS; slot++) {
      const older = hashes[slot]!;
      hashes[slot] = previous;
      if (older === hash) return true;
      previous = older;
    }
    return false;
  };
}
