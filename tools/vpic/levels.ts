import type { KeyTests } from './sets.ts';

/** The groups in which patterns compete. */
export interface Competition {
  /** Pattern numbers, winners first. */
  ordered: Int32Array;
  schemaOf: Int32Array;
  keyOf: Int32Array;
  /** For each schema, the schemas whose patterns can compete with its own, including itself. */
  near: Int32Array[];
  tests: KeyTests;
}

/**
 * Levels that order competing patterns: of two patterns that one VIN can match, the winner has the lower level. Patterns
 * that never compete may share a level, so a few levels are enough, and they compress better than ranks.
 */
export function assignLevels(contest: Competition, level: Uint8Array): number {
  const { ordered, schemaOf, keyOf, near, tests } = contest;
  const seen: ({ keys: number[]; levels: number[]; most: number } | undefined)[] = [];
  let most = 0;
  for (const pattern of ordered) {
    const schema = schemaOf[pattern]!;
    const key = keyOf[pattern]!;
    let next = 0;
    for (const other of near[schema]!) {
      const list = seen[other];
      if (!list || list.most < next) continue;
      for (let i = 0; i < list.keys.length; i++) {
        if (list.levels[i]! >= next && tests.meet(list.keys[i]!, key)) next = list.levels[i]! + 1;
      }
    }
    const own = (seen[schema] ??= { keys: [], levels: [], most: 0 });
    const at = own.keys.indexOf(key);
    if (at === -1) {
      own.keys.push(key);
      own.levels.push(next);
    } else own.levels[at] = next;
    if (next > own.most) own.most = next;
    if (next > most) most = next;
    level[pattern] = next;
  }
  return most;
}
