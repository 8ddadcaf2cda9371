import { type DataHeader, type Numbers, type VpicData, DataFileError, undelta } from './data-file.ts';
import {
  arrayOf,
  CHECKED_COUNT,
  sections,
  texts,
  type SectionName,
  type TextName,
  startIndexes,
} from './layout.ts';

/**
 * A release in parts: the common one has what many manufacturers need, the others what some of them need. The common part
 * and one more are enough to decode its manufacturers' VINs: entries keep their numbers, and those of other parts are empty.
 */

/** Sections by name, with the numbers of a part's rows as `pair#`, `string#` and so on. */
export type Part = Record<string, Numbers>;

/** The numbers of rows, by kind. */
export type Rows = Partial<Record<string, number[]>>;

interface RowKind {
  /** Sections with one entry per row; `schemaValid` has nine. */
  columns: readonly SectionName[];
  /** Sections with a list per row, and the section of the lists' lengths. */
  lists: Readonly<Record<string, SectionName>>;
  /** A text with one line per row. Such rows are found by their text, so rows of other parts need no place. */
  lines?: TextName;
}

export const rowKinds: Readonly<Record<string, RowKind>> = {
  pair: { columns: ['pairValue', 'pairFold', 'pairRow'], lists: {} },
  model: { columns: ['modelMake', 'modelSpecCount'], lists: { modelSpec: 'modelSpecCount' } },
  string: { columns: ['stringLength'], lists: { strings: 'stringLength' } },
  schema: { columns: ['schemaSize', 'schemaValid'], lists: { trie: 'schemaSize' } },
  test: { columns: ['testPlace', 'testLo', 'testHi'], lists: {} },
  set: { columns: ['setLo', 'setHi'], lists: {} },
  wmi: {
    columns: ['wmiManufacturer', 'wmiType', 'wmiTruck', 'wmiPublic', 'wmiMakeCount', 'wmiLinkCount'],
    lists: {
      wmiMake: 'wmiMakeCount',
      linkSchema: 'wmiLinkCount',
      linkFrom: 'wmiLinkCount',
      linkTo: 'wmiLinkCount',
    },
    lines: 'wmis',
  },
  exception: { columns: [], lists: {}, lines: 'exceptions' },
};
/** Vehicle specs (`spec#`) are found by their place in their section, so they keep it. */
export const SPEC_SIZE = 'specSize';

export const entriesPerRow = (column: SectionName): number => (column === 'schemaValid' ? CHECKED_COUNT : 1);

/** The numbers of a part's rows. Strings are those of its pairs, if it doesn't list them. */
const idsOf = (part: Part, kind: string): Numbers =>
  part[`${kind}#`] ?? (kind === 'string' ? distinct(part['pairValue']!) : new Int32Array(0));

function distinct(numbers: Numbers): Int32Array {
  const sorted = Int32Array.from(numbers).sort();
  let count = 0;
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!;
  return sorted.subarray(0, count);
}

const wideOf = (name: string): 1 | 2 | 4 =>
  name in sections ? sections[name as SectionName].wide : texts.includes(name as TextName) ? 1 : 4;
const isDelta = (name: string): boolean =>
  name in sections ? sections[name as SectionName].delta : name.endsWith('#');
const paddedSize = (size: number): number => Math.ceil(size / 4) * 4;

/** A part as bytes: length of the header (4), header with the sections' lengths, then the aligned sections. */
export function partBytes(part: Part): Uint8Array {
  const lengths = Object.fromEntries(Object.entries(part).map(([name, { length }]) => [name, length]));
  const json = new TextEncoder().encode(JSON.stringify(lengths));
  const begin = paddedSize(4 + json.length);
  let size = begin;
  for (const { byteLength } of Object.values(part)) size += paddedSize(byteLength);
  const all = new Uint8Array(size);
  new DataView(all.buffer).setUint32(0, json.length, true);
  all.set(json, 4);
  let at = begin;
  for (const [name, from] of Object.entries(part)) {
    const to = new (arrayOf(wideOf(name)))(all.buffer, at, from.length);
    to.set(from);
    if (isDelta(name)) for (let i = from.length - 1; i > 0; i--) to[i] = from[i]! - from[i - 1]!;
    at += paddedSize(from.byteLength);
  }
  return all;
}

export function readPart(given: Uint8Array): Part {
  // Sections are read as 32-bit words, so they must be aligned.
  const bytes = given.byteOffset % 4 === 0 ? given : new Uint8Array(given);
  const jsonLength = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
  const json = new TextDecoder().decode(bytes.subarray(4, 4 + jsonLength));
  let at = bytes.byteOffset + paddedSize(4 + jsonLength);
  const part: Part = {};
  for (const [name, length] of Object.entries(JSON.parse(json) as Record<string, number>)) {
    const wide = wideOf(name);
    const numbers = new (arrayOf(wide))(bytes.buffer as ArrayBuffer, at, length);
    if (isDelta(name)) undelta(numbers);
    part[name] = numbers;
    at += paddedSize(length * wide);
  }
  return part;
}

/** Joins the common part, which comes first, with others. */
export function joinParts(header: DataHeader, parts: readonly Part[]): VpicData {
  const joined: Record<string, Numbers> = { ...parts[0]! };
  for (const [kind, { columns, lists, lines }] of Object.entries(rowKinds)) {
    const rows = rowsOf(parts, kind, lines !== undefined);
    for (const column of columns)
      joined[column] = joinColumn(parts, rows, column, lines ? rows.count : header.sections[column]);
    for (const [list, sizes] of Object.entries(lists)) joined[list] = joinLists(parts, rows, list, sizes);
    if (lines) joined[lines] = joinLines(parts, rows, lines);
  }
  joined['spec'] = joinSpecs(parts, header.sections.spec);
  const pick = <Name extends string, T>(names: readonly Name[]) =>
    Object.fromEntries(names.map((name) => [name, joined[name]])) as Record<Name, T>;
  return {
    header,
    numbers: pick<SectionName, Numbers>(Object.keys(sections) as SectionName[]),
    bytes: pick<TextName, Uint8Array>(texts),
  };
}

/** The rows of a kind in all parts. */
interface JoinedRows {
  /** Per part, the numbers of its rows. */
  ids: Numbers[];
  count: number;
  /** Per number, the part that has it, or -1, and the row there. */
  partOf: Int16Array;
  rowOf: Int32Array;
}

function rowsOf(parts: readonly Part[], kind: string, isCompact: boolean): JoinedRows {
  const ids = parts.map((part) => idsOf(part, kind));
  const rows = placesOf(ids);
  if (!isCompact) return rows;
  const numbers = new Int32Array(rows.count);
  let next = 0;
  for (let id = 0; id < rows.count; id++) if (rows.partOf[id] !== -1) numbers[id] = next++;
  return next === rows.count
    ? rows
    : placesOf(ids.map((list) => Int32Array.from(list, (id) => numbers[id]!)));
}

function placesOf(ids: Numbers[]): JoinedRows {
  const count = Math.max(...ids.map((list) => (list.at(-1) ?? -1) + 1));
  const partOf = new Int16Array(count).fill(-1);
  const rowOf = new Int32Array(count);
  for (const [part, list] of ids.entries()) {
    for (let row = 0; row < list.length; row++) {
      partOf[list[row]!] = part;
      rowOf[list[row]!] = row;
    }
  }
  return { ids, count, partOf, rowOf };
}

function joinColumn(
  parts: readonly Part[],
  { ids }: JoinedRows,
  column: SectionName,
  count: number,
): Numbers {
  const wide = entriesPerRow(column);
  const to = new (arrayOf(wideOf(column)))(count);
  parts.forEach((part, index) => {
    const numbers = ids[index]!;
    const from = part[column] ?? [];
    if (wide === 1) for (let row = 0; row < from.length; row++) to[numbers[row]!] = from[row]!;
    else
      for (let row = 0; row < numbers.length; row++)
        for (let entry = 0; entry < wide; entry++)
          to[numbers[row]! * wide + entry] = from[row * wide + entry]!;
  });
  return to;
}

function joinLists(parts: readonly Part[], rows: JoinedRows, list: string, sizes: SectionName): Numbers {
  const { count, partOf, rowOf } = rows;
  const starts = parts.map((part) => startIndexes(part[sizes] ?? []));
  let size = 0;
  for (let id = 0; id < count; id++) {
    if (partOf[id] === -1) continue;
    const from = starts[partOf[id]!]!;
    size += from[rowOf[id]! + 1]! - from[rowOf[id]!]!;
  }
  const to = new (arrayOf(wideOf(list)))(size);
  let at = 0;
  for (let id = 0; id < count;) {
    const part = partOf[id]!;
    const row = rowOf[id++]!;
    if (part === -1) continue;
    // Rows that follow each other in a part are copied at once.
    let end = row + 1;
    for (; id < count && partOf[id] === part && rowOf[id] === end; id++) end++;
    const from = parts[part]![list]!.subarray(starts[part]![row], starts[part]![end]);
    to.set(from, at);
    at += from.length;
  }
  return to;
}

function joinLines(parts: readonly Part[], { count, partOf, rowOf }: JoinedRows, text: TextName): Uint8Array {
  const lines = parts.map((part) => new TextDecoder().decode(part[text]).split('\n'));
  const all: string[] = [];
  for (let id = 0; id < count; id++) if (partOf[id] !== -1) all.push(lines[partOf[id]!]![rowOf[id]!]!);
  return new TextEncoder().encode(all.join('\n'));
}

function joinSpecs(parts: readonly Part[], size: number): Numbers {
  const spec = new Int32Array(size);
  for (const part of parts) {
    const from = startIndexes(part[SPEC_SIZE] ?? []);
    const words = part['spec']!;
    idsOf(part, 'spec').forEach((id, row) => spec.set(words.subarray(from[row], from[row + 1]), id));
  }
  return spec;
}

/** The parts of a release, by name. */
export interface PartIndex<P extends NamedPart = NamedPart> {
  header: DataHeader;
  parts: P[];
}

export interface NamedPart {
  name: string;
  /** The beginnings of the manufacturers' identifiers; none for parts that a browser always or never loads. */
  prefixes: string[];
}

/** The parts as the package has them: `index.json`, and one JavaScript module per part. */
export interface PackedIndex extends PartIndex<PackedPart> {
  /** SHA-256 of all modules, in order. */
  sha256: string;
}

export interface PackedPart extends NamedPart {
  /** Bytes before and after compression. */
  size: number;
  packed: number;
}

/** The part that every decode needs. */
export const COMMON = 'common';

/** The compressed bytes in a module's text, or in the string that it exports: gzip as base64. */
export function packedBytes(text: string, { name, packed }: PackedPart): Uint8Array {
  const string = text.startsWith('export') ? text.slice(text.indexOf('"') + 1, text.lastIndexOf('"')) : text;
  const binary = decodedBase64(string);
  if (binary?.length !== packed) throw new DataFileError(`The data file ${name}.js is damaged.`);
  const bytes = new Uint8Array(packed);
  for (let i = 0; i < packed; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function decodedBase64(text: string): string | null {
  try {
    return atob(text);
  } catch {
    return null;
  }
}
