import { LEVEL_SHIFT } from '../layout.ts';
import { repeating, fold, type Pair, type Pairs } from './elements.ts';
import { groupBy } from '../group-by.ts';
import { microseconds, type Tables } from './tables.ts';

interface EngineRow {
  id: number;
  pair: Pair;
  date: number;
}

/** Engine name, trimmed and folded → its rows in order of id. */
export function readEngines(tables: Tables, pairs: Pairs): Map<string, EngineRow[]> {
  const names = new Map(tables.get('enginemodel')!.map(([id, name]) => [id!, fold((name ?? '').trim())]));
  const rows = tables
    .get('enginemodelpattern')!
    .filter(([, engine]) => names.has(engine!))
    .sort((a, b) => Number(a[0]) - Number(b[0]))
    .map(([id, engine, element, attribute, date]) => ({
      name: names.get(engine!)!,
      id: Number(id),
      pair: pairs.of(Number(element), attribute ?? ''),
      date: microseconds(date ?? null),
    }));
  return groupBy(rows, ({ name }) => name);
}

/** The items an engine adds, as level << 18 | pair: the newest per element, or all of a repeating one in order of id. */
export function engineWords(rows: EngineRow[], convertible: Map<number, number>): number[] {
  const order = (row: EngineRow) => convertible.get(row.pair.element.id) ?? 0;
  const newest = rows.toSorted((a, b) => b.date - a.date || order(a) - order(b) || a.id - b.id);
  const done = new Set<number>();
  const words: number[] = [];
  for (const [rank, { pair }] of newest.entries()) {
    if (repeating.has(pair.element.id) || done.has(pair.element.id)) continue;
    done.add(pair.element.id);
    words.push((convertible.has(pair.element.id) ? Math.min(rank, 63) << LEVEL_SHIFT : 0) | pair.id);
  }
  for (const { pair } of rows) if (repeating.has(pair.element.id)) words.push(pair.id);
  return words;
}
