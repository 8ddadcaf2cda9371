/** Repeatable random numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shuffle<T>(list: Iterable<T>, random: () => number): T[] {
  const shuffled = [...list];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const index = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[index]] = [shuffled[index]!, shuffled[last]!];
  }
  return shuffled;
}
