import { groupBy } from './group-by.ts';
import type { VpicData, Numbers } from './data-file.ts';
import { MORE, CHECKED_COUNT, PAIR_MASK, TEST_SHIFT, type TextName, startIndexes } from './layout.ts';
import {
  type Rows,
  entriesPerRow,
  partBytes,
  rowKinds,
  SPEC_SIZE,
  type Part,
  COMMON,
  type PartIndex,
} from './parts.ts';

/** Splits a release into parts: for the package when it is built, and for the pages of a service, which has its own data. */

const MODEL = 28;
const ENGINE_MODEL = 18;

const utf8 = new TextDecoder();
export const linesOf = (bytes: Uint8Array): string[] => utf8.decode(bytes).split('\n');

/** A release, prepared for splitting into parts. */
export type PartSource = ReturnType<typeof partSource>;

export function partSource(data: VpicData) {
  const n = data.numbers;
  const plainCount = n.pairFold.length;
  const firstPair = (id: number): number => n.pairSlot.indexOf(n.elementId.indexOf(id));
  const slotCounts = new Map<number, number>();
  for (let pair = 0; pair < plainCount; pair++)
    slotCounts.set(n.pairSlot[pair]!, (slotCounts.get(n.pairSlot[pair]!) ?? 0) + 1);
  const conversions = Array.from(n.conversionFrom, (slot) => ({
    slot,
    first: n.pairSlot.indexOf(slot),
    count: slotCounts.get(slot) ?? 0,
  }));
  const firstModel = firstPair(MODEL);
  const firstEngine = firstPair(ENGINE_MODEL);
  const schemaFrom = startIndexes(n.schemaSize);

  /** Calls `visit` for every test of a schema, and for every pattern, which is below zero. */
  function walkSchema(schema: number, visit: (word: number) => void): void {
    for (let index = schemaFrom[schema]!; index < schemaFrom[schema + 1]!; index++) {
      const word = n.trie[index]!;
      visit(word);
      if (word < 0 && (word & MORE) !== 0) index++;
    }
  }
  /** Calls `visit` with the index of every pair of a vehicle spec, and returns where it ends. */
  function walkSpec(start: number, visit: (index: number) => void): number {
    let index = start + 5;
    for (let pattern = n.spec[start + 4]!; pattern > 0; pattern--) {
      const keys = n.spec[index]! >> 16;
      const rows = n.spec[index]! & 0xffff;
      const end = index + 1 + keys + rows;
      while (++index < end) visit(index);
    }
    return index;
  }

  return {
    data,
    plainCount,
    firstModel,
    firstEngine,
    allWmis: linesOf(data.bytes.wmis),
    allExceptions: linesOf(data.bytes.exceptions),
    linkFrom: startIndexes(n.wmiLinkCount),
    makeFrom: startIndexes(n.wmiMakeCount),
    engineFrom: startIndexes(n.engineSize),
    modelSpecFrom: startIndexes(n.modelSpecCount),
    conversions,
    convertedFrom: startIndexes(conversions.map(({ count }) => count)),
    walkSchema,
    walkSpec,
    isModel: (pair: number): boolean =>
      pair >= firstModel && pair < firstModel + n.modelMake.length && pair < plainCount,
    isEngine: (pair: number): boolean => pair >= firstEngine && pair < firstEngine + n.engineOf.length,
  };
}

const sorted = (numbers: Iterable<number>): number[] => [...numbers].sort((a, b) => a - b);

/** Selects the rows that manufacturers whose identifiers begin with one of the prefixes need. */
export function selectRows(source: PartSource, prefixes: readonly string[]): Rows {
  const n = source.data.numbers;
  const { plainCount, firstModel, firstEngine, allWmis, linkFrom, makeFrom, engineFrom } = source;
  const { modelSpecFrom, conversions, convertedFrom, walkSchema, walkSpec, isModel, isEngine } = source;
  const isOwn = (text: string): boolean => prefixes.some((prefix) => text.startsWith(prefix));
  const indexesOfOwn = (list: string[]) => list.flatMap((text, index) => (isOwn(text) ? [index] : []));
  const wmis = indexesOfOwn(allWmis);

  const pairs = new Set<number>();
  const schemas = new Set<number>();
  const tests = new Set<number>();
  const sets = new Set([0]);
  const engines = new Set<number>();
  const specs = new Set<number>();
  const makers = new Set<string>();

  for (const wmi of wmis) {
    pairs.add(n.wmiManufacturer[wmi]!);
    for (let index = makeFrom[wmi]!; index < makeFrom[wmi + 1]!; index++) {
      pairs.add(n.wmiMake[index]!);
      makers.add(`${n.wmiMake[index]} ${n.wmiType[wmi]}`);
    }
    for (let index = linkFrom[wmi]!; index < linkFrom[wmi + 1]!; index++) schemas.add(n.linkSchema[index]!);
  }

  for (const schema of schemas) {
    walkSchema(schema, (word) => {
      if (word >= 0) tests.add(word >> TEST_SHIFT);
      else pairs.add(word & PAIR_MASK);
    });
    for (let checked = 0; checked < CHECKED_COUNT; checked++)
      sets.add(n.schemaValid[schema * CHECKED_COUNT + checked]!);
  }
  for (const pair of pairs) if (pair >= plainCount) pairs.add(n.formulaBase[pair - plainCount]!);
  for (const list of [n.typePair, n.defaults]) for (const pair of list) pairs.add(pair);

  for (const pair of pairs) {
    if (isModel(pair)) {
      const model = pair - firstModel;
      if (n.modelMake[model] !== 0) pairs.add(n.modelMake[model]! - 1);
      for (let index = modelSpecFrom[model]!; index < modelSpecFrom[model + 1]!; index++) {
        const start = n.modelSpec[index]!;
        if (makers.has(`${n.spec[start]} ${n.spec[start + 1]}`)) specs.add(start);
      }
    }
    if (isEngine(pair) && n.engineOf[pair - firstEngine] !== 0)
      engines.add(n.engineOf[pair - firstEngine]! - 1);
  }
  for (const start of specs) {
    pairs.add(n.spec[start]!);
    walkSpec(start, (index) => pairs.add(n.spec[index]! & PAIR_MASK));
  }
  for (const engine of engines)
    for (let index = engineFrom[engine]!; index < engineFrom[engine + 1]!; index++)
      pairs.add(n.engine[index]! & PAIR_MASK);

  // Displacements in other units. Those aren't converted again.
  const unconverted = [...pairs];
  conversions.forEach(({ slot, first }, index) => {
    for (const pair of unconverted) {
      if (pair >= plainCount || n.pairSlot[pair] !== slot) continue;
      const converted = n.converted[convertedFrom[index]! + pair - first]!;
      if (converted !== 0) pairs.add(converted - 1);
    }
  });
  // Specs compare pairs ignoring case, by the first of each group.
  for (const pair of pairs) if (pair < plainCount) pairs.add(pair - n.pairFold[pair]!);

  const pair = sorted(pairs);
  return {
    pair,
    model: pair.filter(isModel).map((model) => model - firstModel),
    schema: sorted(schemas),
    test: sorted(tests),
    set: sorted(sets),
    wmi: wmis,
    exception: indexesOfOwn(source.allExceptions),
    spec: sorted(specs),
  };
}

/** Manufacturers whose tries take more bytes than this are split further if possible. */
const LARGE_BYTES = 300_000;
const MAX_PREFIX_LENGTH = 3;

/** One part per prefix. They overlap, so each can be carved alone, and a page loads little: 25 to 210 kilobytes, compressed. */
export function carvedIndex(data: VpicData): PartIndex {
  const parts = prefixesOf(data).map((prefix) => ({ name: prefix, prefixes: [prefix] }));
  return { header: data.header, parts: [{ name: COMMON, prefixes: [] }, ...parts] };
}

/** Returns a function that carves a part of this index: the common one, or all that the manufacturers of a prefix need. */
export function carver(data: VpicData): (name: string) => Uint8Array {
  const source = partSource(data);
  const partOf = partMaker(source);
  return (name) =>
    partBytes(name === COMMON ? commonPart(data, partOf({})) : partOf(selectRows(source, [name])));
}

/** A common part that also has these rows. */
export function commonPart(data: VpicData, rows: Part): Part {
  const part: Part = { ...data.numbers, ...data.bytes };
  // Everything that rows are made of.
  for (const { columns, lists, lines } of Object.values(rowKinds))
    for (const name of [...columns, ...Object.keys(lists), lines ?? '']) delete part[name];
  return { ...part, ...rows };
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
export function partMaker(source: PartSource): (rows: Rows) => Part {
  const { data } = source;
  const all = { ...data.numbers, ...data.bytes } as Record<string, Numbers>;
  const starts = once((sizes: string) => startIndexes(all[sizes]!));
  const textOf = once((lines: TextName) => linesOf(data.bytes[lines]));
  const like = (name: string, values: number[]): Numbers =>
    new (all[name]!.constructor as Int32ArrayConstructor)(values);
  /** A part has the strings of its pairs, so it needn't list their numbers. */
  const stringsOf = ({ pair = [] }: Rows): number[] =>
    [...new Set(pair.map((id) => data.numbers.pairValue[id]!))].sort((a, b) => a - b);
  return (rows) => {
    const part: Part = {};
    for (const [kind, { columns, lists, lines }] of Object.entries(rowKinds)) {
      const ids = rows[kind] ?? (kind === 'string' ? stringsOf(rows) : []);
      if (kind !== 'string' || rows[kind]) part[`${kind}#`] = Int32Array.from(ids);
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
    const specs = rows['spec'] ?? [];
    const ends = specs.map((start): [number, number] => [start, source.walkSpec(start, () => {})]);
    part['spec#'] = Int32Array.from(specs);
    part[SPEC_SIZE] = Int32Array.from(ends, ([start, end]) => end - start);
    part['spec'] = Int32Array.from(
      ends.flatMap(([start, end]) => Array.from(data.numbers.spec.subarray(start, end))),
    );
    return part;
  };
}

/** Prefixes of the manufacturers' identifiers: one character where little data begins with it, else two, else three. */
export function prefixesOf(data: VpicData): string[] {
  const { wmiLinkCount, linkSchema, schemaSize } = data.numbers;
  const wmis = linesOf(data.bytes.wmis);
  const from = startIndexes(wmiLinkCount);

  /** The size of the tries, which are most of a part. */
  const trieBytes = (groupWmis: number[]): number => {
    const schemas = new Set<number>();
    for (const wmi of groupWmis)
      for (let index = from[wmi]!; index < from[wmi + 1]!; index++) schemas.add(linkSchema[index]!);
    let words = 0;
    for (const schema of schemas) words += schemaSize[schema]!;
    return words * 4;
  };
  const split = (groupWmis: number[], length: number): string[] => {
    const groups = groupBy(groupWmis, (wmi) => wmis[wmi]!.slice(0, length));
    return [...groups].flatMap(([name, group]) =>
      length < MAX_PREFIX_LENGTH && trieBytes(group) > LARGE_BYTES ? split(group, length + 1) : [name],
    );
  };
  return split([...wmis.keys()], 1).sort();
}
