import type { Numbers, VpicData } from '../../packages/vin/src/data-file.ts';
import { sections, texts, type SectionName, type TextName } from '../../packages/vin/src/layout.ts';
import { entriesPerRow, rowKinds, SPEC_SIZE, type Part } from '../../packages/vin/src/parts.ts';
import { selectEntries } from '../../packages/vin/src/piece-selection.ts';
import { linesOf, pieceSource, type PieceSource } from '../../packages/vin/src/piece-source.ts';
import { pieceNames } from '../../packages/vin/src/pieces.ts';
import { startIndexes } from '../../packages/vin/src/start-indexes.ts';

export interface NamedPart {
  name: string;
  /** The beginnings of the manufacturers' identifiers; none for parts that a browser loads always or never. */
  prefixes: string[];
  part: Part;
}

/** The numbers of rows, by kind. */
type Rows = Record<string, number[]>;

/** A group's tries have at most so many words, so that a page loads little. */
const MAX_WORDS = 120_000;
/** Prefixes that share less are grouped by size only. */
const MIN_SHARED_WORDS = 500;
/** What at most so many groups need is in each of them, so that the common part stays small. */
const MAX_COPIES = 2;

/** Splits a release: the common part first, then one per group of manufacturers, then what no manufacturer uses. */
export function splitRelease(data: VpicData): NamedPart[] {
  const source = pieceSource(data);
  const groups = groupsOf(source, pieceNames(data));
  const chosen = groups.map((prefixes) => rowsOf(source, prefixes));
  const kinds = [...Object.keys(rowKinds), 'spec'];
  const [common, rest]: [Rows, Rows] = [{}, {}];
  for (const kind of kinds) {
    const users = new Map<number, number>();
    for (const rows of chosen) for (const id of rows[kind]!) users.set(id, (users.get(id) ?? 0) + 1);
    const isCommon = (id: number): boolean => users.get(id)! > MAX_COPIES;
    common[kind] = [...users.keys()].filter(isCommon).sort((a, b) => a - b);
    rest[kind] = allRows(source, kind).filter((id) => !users.has(id));
    for (const rows of chosen) rows[kind] = rows[kind]!.filter((id) => !isCommon(id));
  }
  // A part has the strings of its pairs, so it needn't list their numbers.
  const { pairValue } = data.numbers;
  for (const rows of [common, ...chosen])
    rows.string = [...new Set(rows.pair!.map((pair) => pairValue[pair]!))].sort((a, b) => a - b);
  const used = new Set([common, ...chosen].flatMap((rows) => rows.string!));
  rest.string = allRows(source, 'string').filter((string) => !used.has(string));
  const partOf = partMaker(source);
  const split = new Set<string>(
    Object.values(rowKinds).flatMap(({ columns, lists, lines }) => [
      ...columns,
      ...Object.keys(lists),
      lines ?? '',
    ]),
  ).add('spec');
  const whole: Part = {};
  for (const name of Object.keys(sections) as SectionName[])
    if (!split.has(name)) whole[name] = data.numbers[name];
  for (const name of texts) if (!split.has(name)) whole[name] = data.bytes[name];
  return [
    { name: 'common', prefixes: [], part: { ...whole, ...partOf(common) } },
    ...groups.map((prefixes, index) => ({ name: prefixes[0]!, prefixes, part: partOf(chosen[index]!) })),
    { name: 'rest', prefixes: [], part: partOf(rest, true) },
  ];
}

interface Group {
  prefixes: string[];
  schemas: Set<number>;
  words: number;
}

/** Groups prefixes whose manufacturers share schemas, and small groups with each other. */
function groupsOf(source: PieceSource, prefixes: string[]): string[][] {
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

/** The rows that a group needs, by kind. */
function rowsOf(source: PieceSource, prefixes: string[]): Rows {
  const { wmis, pairs, schemas, tests, sets, specs } = selectEntries(source, prefixes);
  const isOwn = (text: string): boolean => prefixes.some((prefix) => text.startsWith(prefix));
  const models = pairs.list().filter(source.isModel);
  return {
    pair: pairs.list(),
    model: models.map((pair) => pair - source.firstModel),
    string: [],
    schema: schemas.list(),
    test: tests.list(),
    set: sets.list(),
    wmi: wmis,
    exception: source.allExceptions.flatMap((vin, index) => (isOwn(vin) ? [index] : [])),
    spec: specs.list(),
  };
}

function allRows(source: PieceSource, kind: string): number[] {
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

/** Computes a value per name once. */
function once<Name, T>(compute: (name: Name) => T): (name: Name) => T {
  const known = new Map<Name, T>();
  return (name) => {
    if (!known.has(name)) known.set(name, compute(name));
    return known.get(name)!;
  };
}

/** Returns a function that copies rows into a part. */
function partMaker(source: PieceSource): (rows: Rows, hasOwnStrings?: boolean) => Part {
  const { data } = source;
  const all = { ...data.numbers, ...data.bytes } as Record<string, Numbers>;
  const starts = once((sizes: string) => startIndexes(all[sizes]!));
  const textOf = once((lines: TextName) => linesOf(data.bytes[lines]));
  const like = (name: string, values: number[]): Numbers =>
    new (all[name]!.constructor as Int32ArrayConstructor)(values);
  return (rows, hasOwnStrings = false) => {
    const part: Part = {};
    for (const [kind, { columns, lists, lines }] of Object.entries(rowKinds)) {
      const ids = rows[kind]!;
      if (kind !== 'string' || hasOwnStrings) part[`${kind}#`] = Int32Array.from(ids);
      for (const column of columns) {
        const wide = entriesPerRow(column);
        const values: number[] = [];
        for (const id of ids)
          for (let entry = id * wide; entry < (id + 1) * wide && entry < all[column]!.length; entry++)
            values.push(all[column]![entry]!);
        part[column] = like(column, values);
      }
      for (const [list, sizes] of Object.entries(lists)) {
        const from = starts(sizes);
        const values: number[] = [];
        for (const id of ids)
          for (let index = from[id]!; index < from[id + 1]!; index++) values.push(all[list]![index]!);
        part[list] = like(list, values);
      }
      if (lines) {
        const text = textOf(lines);
        part[lines] = new TextEncoder().encode(ids.map((id) => text[id]).join('\n'));
      }
    }
    const ends = rows.spec!.map((start): [number, number] => [start, source.walkSpec(start, () => {})]);
    part['spec#'] = Int32Array.from(rows.spec!);
    part[SPEC_SIZE] = Int32Array.from(ends, ([start, end]) => end - start);
    part['spec'] = Int32Array.from(
      ends.flatMap(([start, end]) => Array.from(data.numbers.spec.subarray(start, end))),
    );
    return part;
  };
}
