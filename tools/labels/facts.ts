/** Each fact of a reading by its path, without positions and the reader's name. */
export function factsOf(reading: object): Map<string, unknown> {
  const facts = new Map<string, unknown>();
  const add = (value: unknown, path: string): void => {
    if (value === null || value === undefined) return;
    if (typeof value !== 'object') facts.set(path, value);
    else
      for (const [key, part] of Object.entries(value))
        if (key !== 'places' && key !== 'at' && key !== 'reader') add(part, path ? `${path}.${key}` : key);
  };
  add(reading, '');
  return facts;
}
