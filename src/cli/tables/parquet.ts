import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import {
  asyncBufferFromFile,
  parquetMetadata,
  parquetMetadataAsync,
  parquetRead,
  type AsyncBuffer,
  type FileMetaData,
  type RowGroup,
  type SchemaElement,
} from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { cellText, rowError, TableError, type Row } from './table.ts';

const unpacked = (unpack: (bytes: Uint8Array) => Uint8Array) => (bytes: Uint8Array) => unpack(bytes);
/** Snappy is built in. */
const COMPRESSORS = {
  GZIP: unpacked(gunzipSync),
  BROTLI: unpacked(brotliDecompressSync),
  ZSTD: unpacked(zstdDecompressSync),
};

/** A Parquet file to read from. */
export interface ParquetFile {
  columns: string[];
  rows: number;
  bytes: number;
  /** The first element is the root, the others are its columns. */
  schema: SchemaElement[];
  /** The rows from `start` up to `end`. With `raw`, values are as stored, so that another Parquet file can get them unchanged. */
  read(start: number, end: number, raw: boolean): Promise<Row[]>;
}

export async function openParquet(path: string): Promise<ParquetFile> {
  const file: AsyncBuffer = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const { schema } = metadata;
  const trees = columnTrees(schema);
  const columns = trees.map(([column]) => column!.name);
  const scales = trees.map(([column]) => (isFixedDecimal(column!) ? (column!.scale ?? 0) : null));
  const plainSchema = schema.map((element) => (isFixedDecimal(element) ? withoutMeaning(element) : element));
  return {
    columns,
    rows: Number(metadata.num_rows),
    bytes: file.byteLength,
    schema,
    async read(rowStart, rowEnd, raw) {
      const read = { ...metadata, schema: raw ? withoutMaps(physicalSchema(schema)) : plainSchema };
      const options = { file, metadata: read, utf8: !raw, compressors: COMPRESSORS, parsers: PARSERS };
      const range = { rowStart, rowEnd, useOffsetIndex: true, geoparquet: false };
      const rows = await new Promise<unknown[][]>((resolve, reject) => {
        parquetRead({ ...options, ...range, columns, onComplete: resolve }).catch(reject);
      });
      return rows.map((cells, index) => ({
        number: rowStart + index + 1,
        cells: raw ? cells : cells.map((cell, column) => plainValue(decimalText(cell, scales[column]!))),
      }));
    },
  };
}

/** JSON has no 64-bit integers and no bytes: small integers become numbers, everything else text. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainValue(part)]));
}

const isFixedDecimal = ({ converted_type, type }: SchemaElement): boolean =>
  converted_type === 'DECIMAL' && type !== 'BYTE_ARRAY';

/** The text of a decimal number that is stored as an integer. The library computes it as a fraction, with an error. */
function decimalText(cell: unknown, scale: number | null): unknown {
  if (scale === null || cell === null || cell === undefined) return cell;
  const unscaled =
    cell instanceof Uint8Array
      ? BigInt.asIntN(cell.length * 8, BigInt(`0x${Buffer.from(cell).toString('hex')}`))
      : BigInt(cell as number | bigint);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return unscaled < 0n ? `-${text}` : text;
}

/** A time in parts of a second since 1970, with all of its digits. */
const timeText = (time: bigint, perSecond: bigint, digits: number): string => {
  const fraction = BigInt.asUintN(64, ((time % perSecond) + perSecond) % perSecond);
  const seconds = (time - fraction) / perSecond;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, -4)}${String(fraction).padStart(digits, '0')}Z`;
};

const PARSERS = {
  timestampFromMicroseconds: (time: bigint | null) => (time == null ? time : timeText(time, 1_000_000n, 6)),
  timestampFromNanoseconds: (time: bigint | null) =>
    time == null ? time : timeText(time, 1_000_000_000n, 9),
  dateFromDays: (days: number | null) =>
    days == null ? days : new Date(days * 86_400_000).toISOString().slice(0, 10),
};

/** Each column with the elements below it. */
function columnTrees(schema: readonly SchemaElement[]): SchemaElement[][] {
  const trees: SchemaElement[][] = [];
  let index = 1;
  const take = (tree: SchemaElement[]): SchemaElement[] => {
    const element = schema[index++]!;
    tree.push(element);
    for (let child = 0; child < (element.num_children ?? 0); child++) take(tree);
    return tree;
  };
  while (index < schema.length) trees.push(take([]));
  return trees;
}

/** Without what values mean, so that they aren't converted: a timestamp in nanoseconds would lose digits. */
function physicalSchema(schema: readonly SchemaElement[]): SchemaElement[] {
  return schema.map((element) => (element.num_children ? element : withoutMeaning(element)));
}

const isMap = ({ converted_type }: SchemaElement): boolean =>
  converted_type === 'MAP' || converted_type === 'MAP_KEY_VALUE';

/** Maps as lists of entries, whose keys needn't be text. */
const withoutMaps = (schema: readonly SchemaElement[]): SchemaElement[] =>
  schema.map((element) => (isMap(element) ? withoutMeaning(element) : element));

/** The entries of a map that was read without its meaning. */
function mapEntries(cell: unknown): unknown {
  return typeof cell === 'object' && cell !== null ? Object.values(cell)[0] : cell;
}

function withoutMeaning(element: SchemaElement): SchemaElement {
  const { converted_type: _, logical_type: __, ...rest } = element;
  return rest;
}

/** The writer gets the logical types of integers wrong. Their converted types say the same. */
function writableSchema(schema: readonly SchemaElement[]): SchemaElement[] {
  return schema.map((element) => {
    if (element.logical_type?.type !== 'INTEGER') return element;
    const { logical_type: _, ...rest } = element;
    return rest;
  });
}

/** What a column holds: text, unless it says otherwise. */
export type ColumnType = 'STRING' | 'DOUBLE' | 'BOOLEAN';

/** The columns of a Parquet file to write. */
export interface OutputSchema {
  /** Columns of the input file, in the same form. They come first. */
  kept: SchemaElement[];
  keptCount: number;
  typed: SchemaElement[];
}

export function outputSchema(
  columns: readonly string[],
  types: Readonly<Record<string, ColumnType>>,
  input: readonly SchemaElement[] = [],
): OutputSchema {
  const kept = columnTrees(input).filter(([column]) => columns.includes(column!.name));
  const nested = kept.find(([, ...below]) => below.some(isMap));
  if (nested)
    throw new TableError(`Can't write ${nested[0]!.name} to Parquet: it has maps inside another type.`);
  const names = new Set(kept.map(([column]) => column!.name));
  const typed = columns
    .filter((name) => !names.has(name))
    .map((name): SchemaElement => {
      const type = types[name] ?? 'STRING';
      const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
      return { name, repetition_type: 'OPTIONAL', ...(type === 'STRING' ? text : { type }) };
    });
  return { kept: writableSchema(kept.flat()), keptCount: kept.length, typed };
}

const withRoot = (elements: SchemaElement[], { keptCount, typed }: OutputSchema): SchemaElement[] => [
  { name: 'root', num_children: keptCount + typed.length },
  ...elements,
  ...typed,
];

/** A part of a Parquet file: its bytes, and where its columns are in them. */
export interface EncodedRows {
  bytes: Uint8Array<ArrayBuffer>;
  groups: RowGroup[];
}

/** The bytes that a Parquet file begins with. */
export const PARQUET_HEAD = Buffer.from('PAR1');

/** Rows as one row group. */
export function encodeRows(rows: readonly Row[], schema: OutputSchema): EncodedRows {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: withRoot(physicalSchema(schema.kept), schema) });
  const kept = columnTrees([{ name: 'root' }, ...schema.kept]).map(([column], index) => ({
    name: column!.name,
    data: rows.map(({ cells }) => (isMap(column!) ? mapEntries(cells[index]) : cells[index])),
    // The order of values depends on what they mean.
    statistics: false,
  }));
  const typed = schema.typed.map(({ name, type }, index) => ({
    name,
    data: rows.map(({ cells, number }) => typedCell(cells[schema.keptCount + index], type, number, name)),
    statistics: true,
  }));
  const columnData = [...kept, ...typed].map((column) => ({ ...column, offsetIndex: false }));
  void parquet.write({ columnData, rowGroupSize: Math.max(rows.length, 1) });
  return { bytes: writer.getBytes().slice(PARQUET_HEAD.length), groups: parquet.row_groups };
}

function typedCell(cell: unknown, type: string | undefined, row: number, column: string): unknown {
  if (cell === null || cell === undefined || cell === '') return undefined;
  if (type === 'BYTE_ARRAY') return cellText(cell);
  if (typeof cell === (type === 'BOOLEAN' ? 'boolean' : 'number')) return cell;
  const expected = type === 'BOOLEAN' ? 'true or false' : 'a number';
  throw rowError(
    row,
    `has "${cellText(cell).slice(0, 40)}" in ${column}, where the rows before have ${expected}.`,
  );
}

/** The same groups at another place in a file. */
export function movedGroups(groups: readonly RowGroup[], by: number): RowGroup[] {
  const moved = (offset: bigint | undefined) => (offset === undefined ? undefined : offset + BigInt(by));
  return groups.map((group) => ({
    ...group,
    columns: group.columns.map((column) => ({
      ...column,
      file_offset: column.file_offset + BigInt(by),
      ...(column.meta_data && {
        meta_data: {
          ...column.meta_data,
          data_page_offset: column.meta_data.data_page_offset + BigInt(by),
          ...(column.meta_data.dictionary_page_offset !== undefined && {
            dictionary_page_offset: moved(column.meta_data.dictionary_page_offset)!,
          }),
        },
      }),
    })),
  }));
}

/** What a Parquet file ends with. */
export function parquetFooter(schema: OutputSchema, groups: RowGroup[]): Uint8Array {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: withRoot(schema.kept, schema), createdBy: 'monroney' });
  parquet.row_groups = groups;
  parquet.num_rows = groups.reduce((sum, group) => sum + group.num_rows, 0n);
  void parquet.finish();
  return writer.getBytes().slice(PARQUET_HEAD.length);
}

/** The groups that a footer lists. */
export function groupsIn(footer: Uint8Array): RowGroup[] {
  // A copy: a small Buffer is a part of a larger one, and its own `slice` doesn't copy.
  const metadata: FileMetaData = parquetMetadata(new Uint8Array(footer).buffer);
  return metadata.row_groups;
}
