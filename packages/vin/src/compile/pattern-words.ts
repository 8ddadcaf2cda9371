import { LEVEL_MASK, LEVEL_SHIFT, MORE, NAMED_SHIFT } from '../layout.ts';
import { ENGINE_MODEL, notFromPatterns, repeating, type Element, type Pair, type Pairs } from './elements.ts';
import type { KeyTests } from './keys.ts';
import type { Patterns } from './tables.ts';

export interface Links {
  /** Schema id → number. */
  schemas: Map<number, number>;
  unchecked: Set<number>;
  /** For each schema, those that share a manufacturer and a first year, and those that share a manufacturer. */
  nearSameYear: Int32Array[];
  nearAny: Int32Array[];
}

export interface SelectedPatterns {
  /** Pattern numbers that can become items. */
  kept: Int32Array;
  schemaOf: Int32Array;
  pairOf(pattern: number): Pair;
}

/** Drops patterns that never become items: private elements and unchecked schemas (except formulas), and keys that match nothing. */
export function selectPatterns(
  patterns: Patterns,
  tests: KeyTests,
  links: Links,
  elements: Map<number, Element>,
  pairs: Pairs,
): SelectedPatterns {
  const kept = new Int32Array(patterns.count);
  let count = 0;
  const schemaOf = new Int32Array(patterns.count).fill(-1);
  const all: Pair[] = [];
  const indexes = new Map<Pair, number>();
  const pairIndex = new Int32Array(patterns.count);
  for (let p = 0; p < patterns.count; p++) {
    const schema = links.schemas.get(patterns.schema[p]!);
    const elementId = patterns.element[p]!;
    const element = elements.get(elementId);
    const key = tests.keys[patterns.key[p]!]!;
    if (schema === undefined || !element || !key.isPossible || notFromPatterns.has(elementId)) continue;
    if (!key.isFormula && (!element.hasDecode || element.isPrivate || links.unchecked.has(schema))) continue;
    const attribute = patterns.attributes[patterns.attribute[p]!]!;
    schemaOf[p] = schema;
    const pair = key.formula
      ? pairs.formula(elementId, attribute, key.formula.start, key.formula.length)
      : pairs.of(elementId, attribute);
    pairIndex[p] = indexes.get(pair) ?? all.length;
    if (pairIndex[p] === all.length) {
      indexes.set(pair, all.length);
      all.push(pair);
    }
    kept[count++] = p;
  }
  return { kept: kept.subarray(0, count), schemaOf, pairOf: (p) => all[pairIndex[p]!]! };
}

/** Elements whose items don't compete. */
const REPEATED = 'repeated';

/** Rank of keys: shorter without stars first, then alphabetical without brackets. */
function keyRanks(tests: KeyTests): Int32Array {
  const order = tests.keys.map((key, index) => ({ key, index }));
  order.sort(
    (a, b) =>
      a.key.length - b.key.length || (a.key.plain < b.key.plain ? -1 : a.key.plain > b.key.plain ? 1 : 0),
  );
  const ranks = new Int32Array(order.length);
  let rank = 0;
  order.forEach(({ key, index }, position) => {
    const before = order[position - 1]?.key;
    if (before && (before.length !== key.length || before.plain !== key.plain)) rank++;
    ranks[index] = rank;
  });
  return ranks;
}

interface Order {
  level: Uint8Array;
  engineLevel: Uint8Array;
  /** Of the patterns of repeated elements. */
  order: Int32Array;
}

const isRepeated = ({ element }: Patterns, p: number): boolean => repeating.has(element[p]!);

/** `convertible` orders the elements of the conversions: their items compete across elements, because the first in order is converted. */
function orderPatterns(
  patterns: Patterns,
  keptPatterns: SelectedPatterns,
  tests: KeyTests,
  links: Links,
  convertible: Map<number, number>,
): Order {
  const { kept, schemaOf, pairOf } = keptPatterns;
  const level = new Uint8Array(patterns.count);
  const engineLevel = new Uint8Array(patterns.count);
  const ranks = keyRanks(tests);
  const { date, id, key, element } = patterns;

  const names = new Map<string, number>();
  const groupOf = Uint16Array.from(kept, (p) => {
    const kind = convertible.has(element[p]!) ? 'convertible' : String(element[p]);
    const name = isRepeated(patterns, p) ? REPEATED : pairOf(p).formula ? `#${kind}` : kind;
    return names.get(name) ?? names.set(name, names.size).size - 1;
  });
  const members = (name: string) => kept.filter((_, index) => groupOf[index] === names.get(name));

  const winnersFirst = (a: number, b: number) =>
    date[b]! - date[a]! ||
    (convertible.get(element[a]!) ?? 0) - (convertible.get(element[b]!) ?? 0) ||
    ranks[key[a]!]! - ranks[key[b]!]! ||
    id[a]! - id[b]!;
  const newestFirst = (a: number, b: number) => date[b]! - date[a]! || id[b]! - id[a]!;
  const rank = (
    group: Int32Array,
    order: (a: number, b: number) => number,
    competitors: Int32Array[],
    levels: Uint8Array,
  ) => {
    const maxLevel = assignLevels(
      { ordered: group.sort(order), schemaOf, keyOf: key, competitors, tests },
      levels,
    );
    if (maxLevel > LEVEL_MASK)
      throw new Error(`the table pattern has ${maxLevel} competing patterns, more than the file can order`);
  };
  for (const name of names.keys()) {
    if (name === REPEATED) continue;
    const group = members(name);
    rank(group, winnersFirst, name.startsWith('#') ? links.nearAny : links.nearSameYear, level);
    if (name === String(ENGINE_MODEL)) rank(group, newestFirst, links.nearSameYear, engineLevel);
  }
  const order = new Int32Array(patterns.count);
  members(REPEATED)
    .sort((a, b) => id[a]! - id[b]!)
    .forEach((p, index) => (order[p] = index));

  return { level, engineLevel, order };
}

/** One word per pattern (two for some), see layout.ts. */
export function patternWords(
  patterns: Patterns,
  keptPatterns: SelectedPatterns,
  tests: KeyTests,
  links: Links,
  convertible: Map<number, number>,
): (pattern: number) => number[] {
  const { level, engineLevel, order } = orderPatterns(patterns, keptPatterns, tests, links, convertible);
  const { key, element } = patterns;
  const { pairOf } = keptPatterns;
  return (p) => {
    const pair = pairOf(p);
    const word =
      (1 << 31) | (tests.keys[key[p]!]!.named << NAMED_SHIFT) | (level[p]! << LEVEL_SHIFT) | pair.id;
    if (isRepeated(patterns, p)) return [word | MORE, order[p]!];
    if (element[p] === ENGINE_MODEL && !pair.formula) return [word | MORE, engineLevel[p]!];
    return [word];
  };
}

/** The groups in which patterns compete. */
export interface Competition {
  /** Pattern numbers, winners first. */
  ordered: Int32Array;
  schemaOf: Int32Array;
  keyOf: Int32Array;
  /** For each schema, the schemas whose patterns can compete with its own, including itself. */
  competitors: Int32Array[];
  tests: KeyTests;
}

/**
 * Levels that order competing patterns: of two patterns that one VIN can match, the winner has the lower level. Patterns
 * that never compete may share a level, so a few levels are enough, and they compress better than ranks.
 */
function assignLevels(competition: Competition, level: Uint8Array): number {
  const { ordered, schemaOf, keyOf, competitors, tests } = competition;
  const assigned: ({ keys: number[]; levels: number[]; maxLevel: number } | undefined)[] = [];
  let maxLevel = 0;
  for (const pattern of ordered) {
    const schema = schemaOf[pattern]!;
    const key = keyOf[pattern]!;
    let next = 0;
    for (const other of competitors[schema]!) {
      const list = assigned[other];
      if (!list || list.maxLevel < next) continue;
      for (let i = 0; i < list.keys.length; i++) {
        if (list.levels[i]! >= next && tests.canBothMatch(list.keys[i]!, key)) next = list.levels[i]! + 1;
      }
    }
    const own = (assigned[schema] ??= { keys: [], levels: [], maxLevel: 0 });
    const index = own.keys.indexOf(key);
    if (index === -1) {
      own.keys.push(key);
      own.levels.push(next);
    } else own.levels[index] = next;
    if (next > own.maxLevel) own.maxLevel = next;
    if (next > maxLevel) maxLevel = next;
    level[pattern] = next;
  }
  return maxLevel;
}
