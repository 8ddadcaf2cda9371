/**
 * A bounded cache with two generations instead of a list in order of use: a hit is one map lookup, and an entry that was
 * not used while a generation filled up is dropped. Holds at least `most` entries and at most twice as many.
 */
export interface RecentCache<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  clear(): void;
}

export function createRecentCache<T>(most: number): RecentCache<T> {
  let young = new Map<string, T>();
  let old = new Map<string, T>();

  function set(key: string, value: T): void {
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(key, value);
  }

  return {
    get(key) {
      const known = young.get(key);
      if (known !== undefined) return known;
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
