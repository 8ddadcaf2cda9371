/** Memory that slow clients take, such as for bodies that haven't arrived or responses that weren't read. */
interface HeldBytes<Key> {
  add(key: Key, bytes: number, owner: string): void;
  remove(key: Key): void;
}

/** Beyond `maxBytes`, gives up keys of the owner with most bytes, beginning with the one that has been there longest. */
export function createHeldBytes<Key>(maxBytes: number, giveUp: (key: Key) => void): HeldBytes<Key> {
  const held = new Map<Key, { bytes: number; owner: string }>();
  const owners = new Map<string, number>();
  let total = 0;

  function change(owner: string, bytes: number): void {
    total += bytes;
    const sum = (owners.get(owner) ?? 0) + bytes;
    if (sum > 0) owners.set(owner, sum);
    else owners.delete(owner);
  }

  function remove(key: Key): void {
    const one = held.get(key);
    if (!one) return;
    held.delete(key);
    change(one.owner, -one.bytes);
  }

  function oldestOfLargest(): Key {
    const [largest] = [...owners].reduce((most, other) => (other[1] > most[1] ? other : most));
    return [...held].find(([, { owner }]) => owner === largest)![0];
  }

  return {
    add(key, bytes, owner) {
      held.set(key, { bytes: (held.get(key)?.bytes ?? 0) + bytes, owner });
      change(owner, bytes);
      for (;;) {
        if (total <= maxBytes) return;
        const oldest = oldestOfLargest();
        remove(oldest);
        giveUp(oldest);
      }
    },
    remove,
  };
}
