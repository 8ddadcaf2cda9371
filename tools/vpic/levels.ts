import type { KeyTests } from './sets.ts';

/** What stands for one pattern when patterns compete. */
export interface Contest {
  /** Pattern numbers, the winner of any two before the loser. */
  ordered: Int32Array;
  schemaOf: Int32Array;
  keyOf: Int32Array;
  /** Schemas (by number) whose patterns can meet those of a schema, itself included. */
  near: Int32Array[];
  tests: KeyTests;
}

/**
 * Levels that put competing patterns in order: of two patterns that one VIN can match, the winner has the lower level.
 * Patterns that never meet may share a level, so a handful of levels is enough, and they compress where a rank would not.
 */
export function assignLevels(contest: Contest, level: Uint8Array): number {
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
