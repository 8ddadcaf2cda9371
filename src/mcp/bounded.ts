const MOST_CHARACTERS = 400;
const MOST_ITEMS = 250;

/** A copy whose texts and lists have an end: a label is third-party text on its way into an assistant's context. */
export function bounded(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > MOST_CHARACTERS ? `${value.slice(0, MOST_CHARACTERS)}…` : value;
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map(bounded);
  if (value === null || typeof value !== 'object') return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    // Boxes on the page help a picture, not an assistant.
    if (key !== 'places' && key !== 'at') copy[key] = bounded(inner);
  }
  return copy;
}
