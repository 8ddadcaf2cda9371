import type { Numbers, VpicData } from '../../packages/vin/src/data-file.ts';
import {
  COMMON,
  type NamedPart,
  entriesPerRow,
  rowKinds,
  type Part,
  type Rows,
} from '../../packages/vin/src/parts.ts';
import {
  selectRows,
  partSource,
  type PartSource,
  commonPart,
  partMaker,
  prefixesOf,
} from '../../packages/vin/src/split.ts';

/** A group's tries have at most so many words, so that a page loads little. */
const MAX_WORDS = 120_000;
/** Prefixes that share less are grouped by size only. */
const MIN_SHARED_WORDS = 500;
/** What at most so many groups need is in each of them, so that the common part stays small. */
const MAX_COPIES = 2;

/** Splits a release: the common part first, then one per group of manufacturers, then what no manufacturer uses. */
export function splitRelease(data: VpicData): (NamedPart & { part: Part })[] {
  const source = partSource(data);
  const groups = groupsOf(source, prefixesOf(data));
  const chosen = groups.map((prefixes) => selectRows(source, prefixes));
  const [common, rest]: [Rows, Rows] = [{}, {}];
  for (const kind of [...Object.keys(rowKinds), 'spec']) {
    const users = new Map<number, number>();
    for (const rows of chosen) for (const id of rows[kind] ?? []) users.set(id, (users.get(id) ?? 0) + 1);
    const isCommon = (id: number): boolean => users.get(id)! > MAX_COPIES;
    if (kind !== 'string') common[kind] = [...users.keys()].filter(isCommon).sort((a, b) => a - b);
    rest[kind] = allRows(source, kind).filter((id) => !users.has(id));
    for (const rows of chosen) if (rows[kind]) rows[kind] = rows[kind].filter((id) => !isCommon(id));
  }
  const pairs = [common, ...chosen].flatMap((rows) => rows.pair!);
  const used = new Set(pairs.map((pair) => data.numbers.pairValue[pair]!));
  rest.string = rest.string!.filter((string) => !used.has(string));
  const partOf = partMaker(source);
  return [
    { name: COMMON, prefixes: [], part: commonPart(data, partOf(common)) },
    ...groups.map((prefixes, index) => ({ name: prefixes[0]!, prefixes, part: partOf(chosen[index]!) })),
    { name: 'rest', prefixes: [], part: partOf(rest) },
  ];
}

interface Group {
  prefixes: string[];
  schemas: Set<number>;
  words: number;
}

/** Groups prefixes whose manufacturers share schemas, and small groups with each other. */
function groupsOf(source: PartSource, prefixes: string[]): string[][] {
  const { schemaSize, linkSchema } = source.data.numbers;
  const groupOf = (names: string[], schemas: Set<number>): Group => {
    let words = 0;
    for (const schema of schemas) words += schemaSize[schema]!;
    return { prefixes: names, schemas, words };
  };
  const join = (a: Group, b: Group): Group =>
    groupOf([...a.prefixes, ...b.prefixes], new Set([...a.schemas, ...b.schemas]));
  let groups = prefixes.map((prefix) => {
    const schemas = new Set<number>();
    source.allWmis.forEach((name, wmi) => {
      if (!name.startsWith(prefix)) return;
      for (let link = source.linkFrom[wmi]!; link < source.linkFrom[wmi + 1]!; link++)
        schemas.add(linkSchema[link]!);
    });
    return groupOf([prefix], schemas);
  });
  for (;;) {
    const joined = new Map<Group, Group | null>();
    for (const [a, b, shared] of sharing(groups, schemaSize)) {
      if (joined.has(a) || joined.has(b) || a.words + b.words - shared > MAX_WORDS) continue;
      joined.set(a, join(a, b)).set(b, null);
    }
    if (joined.size === 0) break;
    groups = groups.flatMap((group) => (joined.has(group) ? (joined.get(group) ?? []) : group));
  }
  for (;;) {
    groups.sort((a, b) => a.words - b.words || (a.prefixes[0]! < b.prefixes[0]! ? -1 : 1));
    const [a, b, ...others] = groups;
    if (!b || a!.words + b.words > MAX_WORDS / 2) break;
    groups = [join(a!, b), ...others];
  }
  return groups.map((group) => group.prefixes.sort()).sort(([a], [b]) => (a! < b! ? -1 : 1));
}

/** Pairs of groups and how many words they share, those first that share the most. */
function sharing(groups: Group[], schemaSize: Numbers): [Group, Group, number][] {
  const uses = groups.flatMap(({ schemas }, group) => Array.from(schemas, (schema) => ({ schema, group })));
  const shared = new Map<number, number>();
  for (const [schema, list] of Map.groupBy(uses, (use) => use.schema))
    for (let i = 0; i < list.length; i++)
      for (let j = i + 1; j < list.length; j++) {
        const key = list[i]!.group * groups.length + list[j]!.group;
        shared.set(key, (shared.get(key) ?? 0) + schemaSize[schema]!);
      }
  return [...shared]
    .filter(([, words]) => words > MIN_SHARED_WORDS)
    .sort(([a, x], [b, y]) => y - x || a - b)
    .map(([key, words]) => [groups[Math.floor(key / groups.length)]!, groups[key % groups.length]!, words]);
}

function allRows(source: PartSource, kind: string): number[] {
  const n = source.data.numbers;
  if (kind === 'spec') {
    const starts: number[] = [];
    for (let start = 0; start < n.spec.length; start = source.walkSpec(start, () => {})) starts.push(start);
    return starts;
  }
  const { columns } = rowKinds[kind]!;
  const count = columns[0] ? n[columns[0]].length / entriesPerRow(columns[0]) : source.allExceptions.length;
  return Array.from({ length: count }, (_, id) => id);
}
