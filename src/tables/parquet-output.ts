import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  parquetSchema,
  type ColumnChunk,
  type RowGroup,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer';
import { writeColumn } from 'hyparquet-writer/src/column.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { encodeNestedValues } from 'hyparquet-writer/src/dremel.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import { snappyCompressor } from 'hysnappy';
import { Bytes } from './bytes.ts';
import type { OutputColumn } from './output-columns.ts';
import { asStored } from './parquet-values.ts';
import { cellText, PARQUET_MAGIC, type ColumnType } from './table.ts';

/**
 * Parquet, written with hyparquet-writer. Each chunk of rows is a row group, so any thread can make one, and a file grows at its
 * end. Only pages of repeated texts are made here: the library would look up each of them, but the decoder gives their numbers.
 */

/** What the end of the file says about a row group, with offsets from the group's own beginning. */
interface Described {
  schema: SchemaElement[];
  group: RowGroup;
}

/** Where a row group begins, and its description, packed: a long file has many. */
export type Placed = [start: number, description: string];

/** Compiled to WebAssembly: hyparquet-writer's own takes three times as long. */
let snappyCompress = snappyCompressor();
const CODEC = {
  codec: 'SNAPPY',
  compressors: { SNAPPY: (bytes: Uint8Array) => snappyCompress(bytes) },
} as const;
/** Larger than any column of a group: each has one page. */
const PAGE_BYTES = 2 ** 30;
const DAY_MS = 86_400_000;

const ELEMENTS: Record<ColumnType, Omit<SchemaElement, 'name'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  integer: { type: 'INT32' },
  double: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  date: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  money: {
    type: 'INT64',
    converted_type: 'DECIMAL',
    scale: 2,
    precision: 12,
    logical_type: { type: 'DECIMAL', scale: 2, precision: 12 },
  },
};

/** Used again for each group, because large buffers are slow to return their memory. */
const writer = new ByteWriter(64 * 1024);

/** The bytes of a row group. `unique`: columns whose values nearly all differ, so that a dictionary would only cost time. */
export function groupOf(
  columns: readonly OutputColumn[],
  rows: number,
  unique: ReadonlySet<string>,
): { bytes: Uint8Array<ArrayBuffer>; description: string } {
  const schema: SchemaElement[] = [{ name: 'schema', num_children: columns.length }];
  for (const column of columns) schema.push(...elementsOf(column));
  const root = parquetSchema({ schema });
  writer.index = writer.offset = 0;
  // What one has compressed before can change what it makes by a few bytes.
  snappyCompress = snappyCompressor();
  const chunks = columns.flatMap((column, index) => {
    const path = [root, root.children[index]!];
    if ('node' in column) return storedChunks(writer, path, column.cells);
    return columnChunk(writer, path, column, unique.has(column.name));
  });
  const sum = (size: 'total_uncompressed_size' | 'total_compressed_size'): bigint =>
    chunks.reduce((total, { meta_data: data }) => total + data![size], 0n);
  const group: RowGroup = {
    columns: chunks,
    num_rows: BigInt(rows),
    total_byte_size: sum('total_uncompressed_size'),
    total_compressed_size: sum('total_compressed_size'),
  };
  const described = serialize({ schema, group } satisfies Described);
  return {
    bytes: new Uint8Array(writer.getBuffer()),
    description: deflateRawSync(described, { level: 1 }).toString('base64'),
  };
}

function elementsOf(column: OutputColumn): SchemaElement[] {
  const { name, type } = column;
  if (!('node' in column)) return [{ name, repetition_type: 'OPTIONAL', ...ELEMENTS[type] }];
  const [first, ...others] = flattened(column.node);
  return [{ ...first!, name }, ...others];
}

const flattened = ({ element, children }: SchemaTree): SchemaElement[] => [
  element,
  ...children.flatMap(flattened),
];

function columnChunk(
  writer: ByteWriter,
  path: SchemaTree[],
  column: Exclude<OutputColumn, { node: SchemaTree }>,
  isUnique: boolean,
): ColumnChunk {
  const { element } = path[1]!;
  if ('indexes' in column) {
    const { indexes, values, type } = column;
    if (!isUnique) return numberedColumn(writer, element, { indexes, values }, type);
    return plainColumn(
      writer,
      element,
      Array.from(indexes, (index) => values[index]!),
    );
  }
  if (column.type === 'text') {
    const texts = column.cells.map((cell) => cellText(cell) || null);
    const numbers = isUnique ? null : numbered(texts);
    return numbers ? numberedColumn(writer, element, numbers, 'text') : plainColumn(writer, element, texts);
  }
  const values = column.cells.map((cell) => physical(cell, column.type));
  return libraryChunk(writer, path, values, element, true);
}

/** A column of another file, with a chunk for each of its leaves. */
function storedChunks(writer: ByteWriter, path: SchemaTree[], cells: readonly unknown[]): ColumnChunk[] {
  const node = path.at(-1)!;
  if (node.children.length > 0)
    return node.children.flatMap((child) => storedChunks(writer, [...path, child], cells));
  return [libraryChunk(writer, path, cells, asStored(node.element), false)];
}

function libraryChunk(
  writer: ByteWriter,
  path: SchemaTree[],
  values: readonly unknown[],
  element: SchemaElement,
  stats: boolean,
): ColumnChunk {
  const column = {
    columnName: element.name,
    element,
    schemaPath: path.map((node) => node.element),
    ...CODEC,
    stats,
    pageSize: PAGE_BYTES,
    columnIndex: false,
    offsetIndex: false,
  };
  return writeColumn({ writer, column, pageData: encodeNestedValues(path, values as unknown[]) }).chunk;
}

function physical(cell: unknown, type: ColumnType): unknown {
  if (cell === null || cell === undefined) return null;
  if (type === 'money') return BigInt(cell as number);
  return type === 'date' ? Date.parse(cell as string) / DAY_MS : cell;
}

/** Rows as numbers of values. */
interface Numbered {
  indexes: Uint16Array | Uint32Array;
  values: readonly (string | null)[];
}

/** Null if most texts appear once. */
function numbered(texts: readonly (string | null)[]): Numbered | null {
  const indexOf = new Map<string | null, number>([[null, 0]]);
  const values: (string | null)[] = [null];
  const indexes = new Uint32Array(texts.length);
  for (let row = 0; row < texts.length; row++) {
    const text = texts[row]!;
    let index = indexOf.get(text);
    if (index === undefined) {
      if (values.length > texts.length / 2 + 1) return null;
      indexOf.set(text, (index = values.push(text) - 1));
    }
    indexes[row] = index;
  }
  return { indexes, values };
}

/** What a page is made in. */
const page = new Bytes();

/** Places in a column's dictionary, in an array that each column uses again. */
let scratch = new Uint32Array(0);

/** A column of texts, or of numbers that are given as texts, with a dictionary. */
function numberedColumn(
  writer: ByteWriter,
  element: SchemaElement,
  { indexes, values }: Numbered,
  type: ColumnType,
): ColumnChunk {
  const start = writer.offset;
  page.clear();
  /** For each number, the place of its value in the dictionary plus one. */
  const places = new Uint32Array(values.length);
  let size = 0;
  values.forEach((value, index) => {
    if (value !== null && addPlain(value, type)) places[index] = ++size;
  });
  const dictionary = size === 0 ? null : writeDictionary(writer, size);
  const rows = indexes.length;
  const bits = new Uint8Array((rows + 7) >> 3);
  if (scratch.length < rows) scratch = new Uint32Array(rows);
  const present = scratch;
  let count = 0;
  // Many columns are empty.
  const filled = size === 0 ? 0 : rows;
  for (let row = 0; row < filled; row++) {
    const place = places[indexes[row]!]!;
    if (place === 0) continue;
    bits[row >> 3]! |= 1 << (row & 7);
    present[count++] = place - 1;
  }
  page.clear();
  const levelBytes = addLevels(bits, rows, count);
  if (size > 0) addPlaces(present.subarray(0, count), Math.ceil(Math.log2(size)));
  return writeData(writer, element, start, { rows, count, levelBytes, dictionary });
}

/** A column of texts without a dictionary. */
function plainColumn(
  writer: ByteWriter,
  element: SchemaElement,
  texts: readonly (string | null)[],
): ColumnChunk {
  const start = writer.offset;
  page.clear();
  const bits = new Uint8Array((texts.length + 7) >> 3);
  let count = 0;
  for (let row = 0; row < texts.length; row++) {
    if (texts[row] === null) continue;
    bits[row >> 3]! |= 1 << (row & 7);
    count++;
  }
  const levelBytes = addLevels(bits, texts.length, count);
  for (const text of texts) if (text !== null) page.textWithLength(text);
  return writeData(writer, element, start, { rows: texts.length, count, levelBytes, dictionary: null });
}

/** Adds a value as it stands in a page without a dictionary. False if it isn't of its column's type. */
function addPlain(value: string, type: ColumnType): boolean {
  if (type === 'text') {
    page.textWithLength(value);
    return true;
  }
  const number = Number.parseFloat(value);
  if (Number.isNaN(number)) return false;
  if (type === 'double') page.double(number);
  else page.int32(number);
  return true;
}

/** Adds which of the rows have a value, a bit for each unless all are the same. `count`: how many have one. */
function addLevels(bits: Uint8Array, rows: number, count: number): number {
  if (count === 0 || count === rows) {
    page.variable(rows * 2);
    page.byte(count === 0 ? 0 : 1);
  } else {
    page.variable(bits.length * 2 + 1);
    page.copy(bits);
  }
  return page.length;
}

/** Adds places in a dictionary, in `width` bits each, in groups of eight. */
function addPlaces(places: Uint32Array, width: number): void {
  page.byte(width);
  const groups = (places.length + 7) >> 3;
  page.variable(groups * 2 + 1);
  const bytes = page.zeros(groups * width);
  let [at, bits, count] = [0, 0, 0];
  for (let index = 0; index < places.length; index++) {
    bits |= places[index]! << count;
    for (count += width; count >= 8; count -= 8) {
      bytes[at++] = bits;
      bits >>>= 8;
    }
  }
  if (count > 0) bytes[at] = bits;
}

/** A page's place in its row group, and its size with its header when it was unpacked. */
interface Written {
  at: number;
  size: number;
}

function writeDictionary(writer: ByteWriter, values: number): Written {
  const at = writer.offset;
  const packed = snappyCompress(page.written());
  writePageHeader(writer, {
    type: 'DICTIONARY_PAGE',
    uncompressed_page_size: page.length,
    compressed_page_size: packed.length,
    dictionary_page_header: { num_values: values, encoding: 'PLAIN' },
  });
  const header = writer.offset - at;
  writer.appendBytes(packed);
  return { at, size: header + page.length };
}

/** Writes the page of a column's rows. Places in a dictionary hardly become smaller, so only texts are compressed. */
function writeData(
  writer: ByteWriter,
  element: SchemaElement,
  start: number,
  {
    rows,
    count,
    levelBytes,
    dictionary,
  }: { rows: number; count: number; levelBytes: number; dictionary: Written | null },
): ColumnChunk {
  const encoding = dictionary ? 'RLE_DICTIONARY' : 'PLAIN';
  const at = writer.offset;
  const values = page.written().subarray(levelBytes);
  const packed = dictionary ? values : snappyCompress(values);
  writePageHeader(writer, {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: page.length,
    compressed_page_size: levelBytes + packed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: rows - count,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levelBytes,
      repetition_levels_byte_length: 0,
      is_compressed: !dictionary,
    },
  });
  const header = writer.offset - at;
  writer.appendBytes(page.written().subarray(0, levelBytes));
  writer.appendBytes(packed);
  return {
    file_offset: BigInt(start),
    meta_data: {
      type: element.type!,
      encodings: dictionary ? ['PLAIN', 'RLE', 'RLE_DICTIONARY'] : ['PLAIN', 'RLE'],
      path_in_schema: [element.name],
      codec: CODEC.codec,
      num_values: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - start),
      total_uncompressed_size: BigInt((dictionary?.size ?? 0) + header + page.length),
      data_page_offset: BigInt(at),
      ...(dictionary && { dictionary_page_offset: BigInt(dictionary.at) }),
      statistics: { null_count: BigInt(rows - count) },
    },
  };
}

/** A row group that begins at `start`. */
function placedGroup({ columns, ...group }: RowGroup, start: number): RowGroup {
  const by = BigInt(start);
  return {
    ...group,
    columns: columns.map(({ file_offset, meta_data: data }) => ({
      file_offset: file_offset + by,
      meta_data: {
        ...data!,
        data_page_offset: data!.data_page_offset + by,
        ...(data!.dictionary_page_offset !== undefined && {
          dictionary_page_offset: data!.dictionary_page_offset + by,
        }),
      },
    })),
  };
}

/** What follows the row groups. */
export function footOf(all: readonly Placed[]): Uint8Array {
  const groups: RowGroup[] = [];
  let schema: SchemaElement[] = [];
  for (const [start, description] of all) {
    const described = deserialize(inflateRawSync(Buffer.from(description, 'base64'))) as Described;
    schema = described.schema;
    // A file without rows has columns only.
    if (described.group.num_rows > 0n) groups.push(placedGroup(described.group, start));
  }
  const writer = new ByteWriter();
  writeMetadata(writer, {
    version: 2,
    created_by: 'monroney',
    schema,
    num_rows: groups.reduce((rows, { num_rows: more }) => rows + more, 0n),
    row_groups: groups,
    metadata_length: 0,
  });
  writer.appendBytes(Buffer.from(PARQUET_MAGIC));
  return writer.getBytes();
}
