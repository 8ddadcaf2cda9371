/**
 * Whether a text was seen recently, by a table of 32-bit FNV-1a hashes in which new entries overwrite old ones. It may forget
 * early, and takes one text for another once in about four billion: only for uses where an error costs a little time.
 */
export function createSeenFilter(slots: number): (text: string) => boolean {
  const hashes = new Int32Array(slots);
  return (text) => {
    let hash = 0x811c9dc5 | 0;
    for (let index = 0; index < text.length; index++)
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    const slot = (hash >>> 0) % slots;
    if (hashes[slot] === hash) return true;
    hashes[slot] = hash;
    return false;
  };
}
