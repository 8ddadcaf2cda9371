/**
 * Whether a text was seen lately, without keeping it: a table of fingerprints that later ones overwrite. May forget
 * early, and once in a few thousand millions takes one for another; fit where being wrong costs a little time.
 */
export function createSeen(slots: number): (text: string) => boolean {
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
