import type { Numbers, VpicData } from './data-file.ts';
import type { TextName } from './layout.ts';
import { COMMON, type PartIndex } from './packed-parts.ts';
import { selectRows } from './part-selection.ts';
import { linesOf, partSource, type PartSource } from './part-source.ts';
import { entriesPerRow, partBytes, rowKinds, SPEC_SIZE, type Part, type Rows } from './parts.ts';
import { startIndexes } from './start-indexes.ts';

/** Splits a release into parts: for the package when it is built, and for the pages of a service, which has its own data. */

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
    const groups = new Map<string, number[]>();
    for (const wmi of groupWmis) {
      const name = wmis[wmi]!.slice(0, length);
      const group = groups.get(name);
      if (group) group.push(wmi);
      else groups.set(name, [wmi]);
    }
    return [...groups].flatMap(([name, group]) =>
      length < MAX_PREFIX_LENGTH && trieBytes(group) > LARGE_BYTES ? split(group, length + 1) : [name],
    );
  };
  return split([...wmis.keys()], 1).sort();
}
