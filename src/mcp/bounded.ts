const MAX_STRING_CHARACTERS = 400;
const MAX_ITEMS = 250;
/** For all strings together: about five times the longest label. */
const MAX_TOTAL_CHARACTERS = 60_000;

// Control, formatting and bidirectional characters: labels don't print them.
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
// Positions on the page are of no use to an assistant.
const OMITTED = new Set(['places', 'at']);

/** A copy with plain, bounded strings: label text is third-party text that goes into an assistant's context. */
export function bounded(value: unknown): unknown {
  let remaining = MAX_TOTAL_CHARACTERS;

  function text(value: string): string {
    const plain = value.replace(INVISIBLE, ' ');
    const max = Math.min(MAX_STRING_CHARACTERS, remaining);
    remaining -= Math.min(plain.length, max);
    return plain.length > max ? `${plain.slice(0, max)}…` : plain;
  }

  function copy(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value.slice(0, MAX_ITEMS)) {
        if (remaining <= 0) break;
        items.push(copy(item));
      }
      return items;
    }
    if (value === null || typeof value !== 'object') return value;
    const kept = Object.entries(value).filter(([key]) => !OMITTED.has(key));
    return Object.fromEntries(kept.map(([key, inner]) => [key, copy(inner)]));
  }

  return copy(value);
}
