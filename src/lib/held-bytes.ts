/** Memory that slow clients take, such as for bodies that haven't arrived or responses that weren't read. */
interface HeldBytes<Key> {
  add(key: Key, bytes: number): void;
  remove(key: Key): void;
}

/** Beyond `maxBytes`, gives up the key that has been there longest. */
export function createHeldBytes<Key>(maxBytes: number, giveUp: (key: Key) => void): HeldBytes<Key> {
  const held = new Map<Key, number>();
  let total = 0;

  function remove(key: Key): void {
    total -= held.get(key) ?? 0;
    held.delete(key);
  }

  return {
    add(key, bytes) {
      held.set(key, (held.get(key) ?? 0) + bytes);
      total += bytes;
      for (const oldest of held.keys()) {
        if (total <= maxBytes) return;
        remove(oldest);
        giveUp(oldest);
      }
    },
    remove,
  };
}
