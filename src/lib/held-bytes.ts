/** Memory that slow clients take, such as for bodies that haven't arrived or responses that weren't read. */
interface HeldBytes<Key> {
  /** `memory` is what is held. If several keys hold the same, it counts once, and as a whole for each owner. */
  add(key: Key, bytes: number, owner: string, memory?: unknown): void;
  remove(key: Key): void;
}

/**
 * Beyond `maxBytes`, gives up keys of the owner with most bytes, or of several with as many: the slowest first, and of equally
 * slow ones the one that has been there longest.
 */
export function createHeldBytes<Key>(
  maxBytes: number,
  giveUp: (key: Key) => void,
  speedOf: (key: Key) => number = () => 0,
): HeldBytes<Key> {
  const held = new Map<Key, { bytes: number; owner: string; memory: unknown }>();
  const owners = new Map<string, number>();
  /** By memory, how many keys hold it. */
  const holders = new Map<unknown, number>();
  let total = 0;

  /** The new sum. Drops what is zero. */
  function count<T>(sums: Map<T, number>, of: T, by: number): number {
    const sum = (sums.get(of) ?? 0) + by;
    if (sum > 0) sums.set(of, sum);
    else sums.delete(of);
    return sum;
  }

  function remove(key: Key): void {
    const one = held.get(key);
    if (!one) return;
    held.delete(key);
    count(owners, one.owner, -one.bytes);
    if (count(holders, one.memory, -1) === 0) total -= one.bytes;
  }

  function slowestOfLargest(): Key {
    const most = Math.max(...owners.values());
    return [...held]
      .filter(([, { owner }]) => owners.get(owner) === most)
      .map(([key]) => ({ key, speed: speedOf(key) }))
      .reduce((slowest, other) => (other.speed < slowest.speed ? other : slowest)).key;
  }

  return {
    add(key, bytes, owner, memory = key) {
      held.set(key, { bytes, owner, memory });
      count(owners, owner, bytes);
      if (count(holders, memory, 1) === 1) total += bytes;
      while (total > maxBytes) {
        const slowest = slowestOfLargest();
        remove(slowest);
        giveUp(slowest);
      }
    },
    remove,
  };
}
