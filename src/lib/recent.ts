/**
 * What was used recently. It is remembered for one window after its last use, and for one and a half at most, also if nothing
 * more is used.
 */
interface Recent<Value> {
  find(key: string): Value | undefined;
  add(key: string, value: Value): Value;
  size(): number;
}

const GENERATIONS = 3;

/**
 * Three generations of half a window each: what was used moves to the newest, and the oldest is dropped as a whole. So is what was
 * used least recently if there are more than `maxKeys`. A value that is in use stays.
 */
export function createRecent<Value>(
  windowMs: number,
  maxKeys: number,
  isInUse: (value: Value) => boolean = () => false,
): Recent<Value> {
  const generations = Array.from({ length: GENERATIONS }, () => new Map<string, Value>());

  function startGeneration(): void {
    const newest = new Map<string, Value>();
    generations.unshift(newest);
    for (const [key, value] of generations.pop()!) if (isInUse(value)) newest.set(key, value);
  }

  // A timer may be a millisecond early.
  setInterval(startGeneration, windowMs / (GENERATIONS - 1) + 1).unref();

  return {
    find(key) {
      const [newest] = generations as [Map<string, Value>];
      const value = newest.get(key);
      if (value !== undefined) return value;
      for (let age = 1; age < GENERATIONS; age++) {
        const older = generations[age]!.get(key);
        if (older === undefined) continue;
        generations[age]!.delete(key);
        newest.set(key, older);
        return older;
      }
      return undefined;
    },
    add(key, value) {
      if (generations[0]!.size >= maxKeys / GENERATIONS) startGeneration();
      generations[0]!.set(key, value);
      return value;
    },
    size: () => generations.reduce((sum, { size }) => sum + size, 0),
  };
}
