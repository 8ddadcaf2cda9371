/**
 * What was asked for last, bounded. Two generations instead of a list in order of use: a hit is one look into a map, and
 * what nobody asked for while a whole generation filled up is gone. Holds `most` entries at least, twice as many at most.
 */
export interface Recent<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
  clear(): void;
}

export function createRecent<T>(most: number): Recent<T> {
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
