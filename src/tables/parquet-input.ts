import { resolve } from 'node:path';
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetRead,
  parquetSchema,
  type AsyncBuffer,
  type ConvertedType,
  type FileMetaData,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import type { ChunkSize, Position } from './chunks.ts';
import { vinColumnOf } from './header.ts';
import type { Chunk, InputPlan, TableInput } from './input.ts';
import { asStored, plainValue, withMaps } from './parquet-values.ts';
import { cellText, TableError } from './table.ts';

const SAMPLE_ROWS = 200;
const NOTHING = new Uint8Array();
/** The library's LZ4 fails for a page without bytes. */
const unpackers = Object.fromEntries(
  Object.entries(compressors).map(([codec, unpack]) => [
    codec,
    (bytes: Uint8Array, size: number) => (size === 0 ? NOTHING : unpack(bytes, size)),
  ]),
);

/** A column of some rows, with values as the file stores them, so that none loses a digit. */
export interface ParquetColumn {
  node: SchemaTree;
  cells: unknown[];
}

export interface ParquetFile {
  rows: number;
  names: string[];
  /** The columns of the rows from `from` to before `to`; of one of them if `only` is given. */
  read(from: number, to: number, only?: number): Promise<Map<number, ParquetColumn>>;
}

export async function openParquet(source: NonNullable<InputPlan['source']>): Promise<ParquetFile> {
  const name = typeof source === 'string' ? source : 'Standard input';
  const failed = (problem: string) => (error: unknown) => {
    throw new TableError(`${name} ${problem}`, { cause: error });
  };
  const file = typeof source === 'string' ? await asyncBufferFromFile(source) : bufferOf(source);
  const stored = await parquetMetadataAsync(file, { geoparquet: false }).catch(
    failed("isn't a Parquet file, or is damaged."),
  );
  const metadata: FileMetaData = { ...stored, schema: stored.schema.map(asStored) };
  const { children } = parquetSchema({ ...stored, schema: stored.schema.map(writable) });
  const names = children.map(({ element }) => element.name);
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) throw new TableError(`${name} has two columns with the name "${twice}".`);
  return {
    rows: Number(stored.num_rows),
    names,
    async read(from, to, only) {
      const columns = new Map(
        children.flatMap((node, index) =>
          only === undefined || only === index
            ? [[index, { node, cells: Array.from({ length: to - from }, (): unknown => null) }]]
            : [],
        ),
      );
      const indexOf = new Map(names.map((each, index) => [each, index]));
      await parquetRead({
        file,
        metadata,
        columns: Array.from(columns.keys(), (index) => names[index]!),
        rowStart: from,
        rowEnd: to,
        useOffsetIndex: true,
        utf8: false,
        compressors: unpackers,
        parsers: { timestampFromNanoseconds: (nanoseconds) => nanoseconds },
        // May begin before and end after the rows.
        onChunk({ columnName, columnData, rowStart, rowEnd }) {
          const { node, cells } = columns.get(indexOf.get(columnName)!)!;
          for (let row = Math.max(from, rowStart); row < Math.min(to, rowEnd); row++)
            cells[row - from] = withMaps(node, columnData[row - rowStart]) ?? null;
        },
      }).catch(failed('is damaged.'));
      return columns;
    },
  };
}

const bufferOf = (bytes: SharedArrayBuffer): AsyncBuffer => ({
  byteLength: bytes.byteLength,
  slice: (start, end) =>
    new Uint8Array(new Uint8Array(bytes, start, (end ?? bytes.byteLength) - start)).buffer,
});

/** Says the same as it can be written: timestamps of old programs as all others, and integers by their older annotation. */
function writable(element: SchemaElement): SchemaElement {
  const { logical_type, ...rest } = element;
  if (element.type === 'INT96')
    return {
      ...rest,
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'NANOS' },
    };
  if (logical_type?.type !== 'INTEGER') return element;
  const { isSigned, bitWidth } = logical_type;
  return { ...rest, converted_type: `${isSigned ? 'INT' : 'UINT'}_${bitWidth}` as ConvertedType };
}

/** Opens a Parquet file as a table. `vinColumn`: null unless the caller named one. */
export async function openParquetInput(
  path: string,
  vinColumn: string | null,
  bytes?: Uint8Array,
): Promise<Omit<TableInput, 'identity' | 'close'>> {
  const source = bytes ? shared(bytes) : resolve(path);
  const file = await openParquet(source);
  const sampleRows = Math.min(SAMPLE_ROWS, file.rows);
  const sample = sampleRows === 0 ? [] : [...(await file.read(0, sampleRows)).values()];
  const cells = Array.from({ length: sampleRows }, (_, row) =>
    sample.map((column) => cellText(plainValue(column.node, column.cells[row]))),
  );
  const plan: InputPlan = {
    format: 'parquet',
    source,
    columns: file.names,
    types: file.names.map(() => 'text'),
    delimiter: ',',
    firstRow: 1,
    vinColumn: vinColumnOf(file.names, cells, vinColumn),
  };
  return {
    plan,
    bom: false,
    notices: [],
    async *chunks(size: ChunkSize, start: Position): AsyncGenerator<Chunk> {
      for (let from = start.offset; from < file.rows; from += size.rows) {
        const to = Math.min(from + size.rows, file.rows);
        yield { from, to, row: from + 1, next: { offset: to, row: to + 1 } };
      }
      // A file without rows still has columns.
      if (file.rows === 0) yield { from: 0, to: 0, row: 1, next: start };
    },
    share: ({ offset }: Position) => offset / Math.max(file.rows, 1),
  };
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const buffer = new SharedArrayBuffer(bytes.length);
  new Uint8Array(buffer).set(bytes);
  return buffer;
}
