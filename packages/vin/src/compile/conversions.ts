import { convert } from './decimal.ts';
import type { Pair, Pairs } from './pairs.ts';
import type { Tables } from './tables.ts';

/** Unit conversions, computed for every attribute that can be converted. */
export function readConversions(tables: Tables, pairs: Pairs) {
  const conversions = tables
    .get('conversion')!
    .map(([id, from, to, formula]) => ({
      id: Number(id),
      from: Number(from),
      to: Number(to),
      formula: formula ?? '',
    }))
    .sort((a, b) => a.id - b.id);
  /** Elements that are converted, in order of priority. */
  const convertible = new Map<number, number>();
  for (const { from } of conversions) if (!convertible.has(from)) convertible.set(from, convertible.size);
  const targets = new Map<string, Pair>();
  const given = pairs.all().filter((pair) => !pair.formula && convertible.has(pair.element.id));
  for (const { id, from, to, formula } of conversions) {
    for (const pair of given) {
      if (pair.element.id !== from) continue;
      targets.set(`${id} ${pair.attribute}`, pairs.of(to, convert(formula, pair.attribute)));
    }
  }
  return {
    conversions,
    convertible,
    /** The converted pairs; none for pairs that are results of a conversion. */
    target: (conversion: number, pair: Pair): Pair | undefined =>
      targets.get(`${conversion} ${pair.attribute}`),
  };
}
