const MOST_CHARACTERS = 400;
const MOST_ITEMS = 250;
/** All the text of one answer together: about five times the longest label there is. */
const MOST_TEXT = 60_000;

// Characters that control, hide or turn round text: no label prints them on purpose.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
// Places on the page help a picture, not an assistant.
const LEFT_OUT = new Set(['places', 'at']);

/** A copy whose texts are plain and have an end: a label is third-party text on its way into an assistant's context. */
export function bounded(value: unknown): unknown {
  let left = MOST_TEXT;

  function text(value: string): string {
    const plain = value.replace(UNSEEN, ' ');
    const most = Math.min(MOST_CHARACTERS, left);
    left -= Math.min(plain.length, most);
    return plain.length > most ? `${plain.slice(0, most)}…` : plain;
  }

  function copy(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) {
      const items: unknown[] = [];
      for (const item of value.slice(0, MOST_ITEMS)) {
        if (left <= 0) break;
        items.push(copy(item));
      }
      return items;
    }
    if (value === null || typeof value !== 'object') return value;
    const kept = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
    return Object.fromEntries(kept.map(([key, inner]) => [key, copy(inner)]));
  }

  return copy(value);
}
