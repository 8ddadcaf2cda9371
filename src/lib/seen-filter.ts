/**
 * Whether a text was seen recently, by a table of 32-bit fingerprints that later ones overwrite. It may forget early, and
 * once in some four thousand million it mistakes one text for another: only for uses where that costs a little time.
 */
export function createSeenFilter(slots: number): (text: string) => boolean {
  const prints = new Int32Array(slots);
  return (text) => {
    let print = 0x811c9dc5 | 0;
    for (let at = 0; at < text.length; at++) print = Math.imul(print ^ text.charCodeAt(at), 0x01000193);
    const slot = (print >>> 0) % slots;
    if (prints[slot] === print) return true;
    prints[slot] = print;
    return false;
  };
}
