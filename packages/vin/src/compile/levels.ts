import type { KeyTests } from './sets.ts';

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
export function assignLevels(competition: Competition, level: Uint8Array): number {
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
