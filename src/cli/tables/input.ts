import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, Readable } from 'node:stream';
import { crc32, createGunzip } from 'node:zlib';
import type { SchemaElement } from 'hyparquet';
import { vinsIn } from '@monroney/vin';
import {
  joined,
  MAX_ROW_BYTES,
  rowChunks,
  START,
  textChunks,
  type Chunk,
  type ChunkSize,
  type Position,
} from './chunks.ts';
import { delimiterOf, parseCsv } from './csv.ts';
import { parseJsonLines } from './jsonl.ts';
import { openParquet, type ColumnType } from './parquet.ts';
import { kindOfName, TableError, type Format } from './table.ts';

/** A table to read. */
export interface TableInput {
  format: Format;
  columns: readonly string[];
  delimiter: string;
  /** Null for standard input. */
  path: string | null;
  /** Types of the columns, as far as the first rows show them. */
  types: Readonly<Record<string, ColumnType>>;
  /** Of a Parquet file. */
  schema: SchemaElement[] | null;
  chunks: AsyncIterable<Chunk> | Iterable<Chunk>;
  /** The share of the input that comes before a position; null if its size isn't known. */
  share(position: Position): number | null;
  /** Whether it began where an earlier run stopped. */
  isContinued: boolean;
  close(): void;
}

/** How an earlier run read the same input. */
export interface Earlier {
  position: Position;
  format: Format;
  columns: readonly string[];
  delimiter: string;
}

export interface InputOptions {
  /** A path, or `-` for standard input. */
  path: string;
  /** Read instead of standard input. */
  text?: string | undefined;
  /** The format of an input whose name and beginning don't tell. */
  otherwise: 'list' | 'csv';
  size: ChunkSize;
  signal: AbortSignal;
  earlier?: Earlier | null;
}

/** To find the columns and types of JSON Lines, which have no header. */
const FIRST_BYTES = 64 * 1024;
const MAGIC = 'PAR1';

export async function openTable(options: InputOptions): Promise<TableInput> {
  const { path } = options;
  const kind = path === '-' ? null : kindOfName(path);
  const fileBytes = path === '-' ? null : await sizeOf(path);
  if (fileBytes === 0) throw new TableError(`${path} is empty.`);
  if (kind?.format === 'parquet') return openRows(options);
  const stream = streamOf(options, kind?.gzip ?? false);
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  try {
    const first = withoutBom(await firstPart(parts, options));
    if (Buffer.from(first.subarray(0, 4)).toString('latin1') === MAGIC) {
      stream.destroy();
      if (path === '-')
        throw new TableError('A Parquet file can only be read from a file, not from standard input.');
      return await openRows(options);
    }
    const format = kind?.format ?? (first[0] === '{'.charCodeAt(0) ? 'jsonl' : options.otherwise);
    const opened = await openText(prepended(first, parts), format, kind?.delimiter, options);
    // Compressed bytes say little about how much is left.
    const share = ({ offset }: Position) => (fileBytes === null || kind?.gzip ? null : offset / fileBytes);
    return {
      ...opened,
      path: path === '-' ? null : path,
      schema: null,
      share,
      close: () => void stream.destroy(),
    };
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

type OpenedText = Omit<TableInput, 'path' | 'schema' | 'share' | 'close'>;

async function openText(
  bytes: AsyncIterable<Uint8Array>,
  format: Exclude<Format, 'parquet'>,
  givenDelimiter: string | undefined,
  { size, earlier, path, otherwise }: InputOptions,
): Promise<OpenedText> {
  const large = size.bytes > 64 * 1024 ? joined(bytes, size.bytes) : bytes;
  if (earlier) {
    const rest = await skipped(large, earlier.position);
    if (rest === null) throw new ChangedInput();
    const chunks = textChunks(rest, earlier.format as 'csv', size, earlier.position);
    return { ...earlier, types: {}, chunks, isContinued: true };
  }
  const plain = { format, delimiter: ',', types: {}, isContinued: false };
  if (format === 'list') return { ...plain, columns: ['vin'], chunks: textChunks(large, 'list', size) };
  if (format === 'jsonl') {
    const parts = large[Symbol.asyncIterator]();
    const head = await firstBytes(parts);
    const complete = head.subarray(0, head.lastIndexOf('\n') + 1 || head.length);
    return {
      ...plain,
      ...columnsOf(complete.toString()),
      chunks: textChunks(prepended(head, parts), format, size),
    };
  }
  // The header alone, then chunks of the wanted size.
  const current = { bytes: Infinity, rows: 1 };
  const chunks = textChunks(large, format, current);
  const first = await chunks.next();
  Object.assign(current, size);
  if (first.done) throw new TableError(`${path === '-' ? 'Standard input' : path} is empty.`);
  const text = new TextDecoder().decode(first.value.bytes);
  // A list of VINs that is called CSV.
  if (otherwise === 'list' && vinsIn(text).length > 0) {
    return { ...plain, format: 'list', columns: ['vin'], chunks: prepended(first.value, chunks) };
  }
  const delimiter = givenDelimiter ?? delimiterOf(text);
  const [header] = parseCsv(text, delimiter, 1);
  if (!header) throw new TableError('Row 1 is blank. It should name the columns.');
  return { ...plain, columns: header.cells.map((name) => name.trim()), delimiter, chunks };
}

/** The input isn't the one that an earlier run read. */
export class ChangedInput extends Error {}

async function openRows({ path, size, earlier }: InputOptions): Promise<TableInput> {
  const { columns, rows, bytes, schema } = await openParquet(path).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code
      ? error
      : new TableError(`${path} isn't a Parquet file, or is damaged.`);
  });
  const crc = crc32(JSON.stringify([columns, rows, bytes]));
  if (earlier && earlier.position.crc !== crc) throw new ChangedInput();
  const from = earlier?.position ?? { ...START, crc };
  return {
    format: 'parquet',
    columns,
    delimiter: ',',
    path,
    types: {},
    schema,
    chunks: rowChunks(rows, size, from),
    share: ({ offset }) => offset / Math.max(rows, 1),
    isContinued: Boolean(earlier),
    close() {},
  };
}

async function sizeOf(path: string): Promise<number | null> {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new TableError(`${path} is a folder, not a file.`);
  return stats.isFile() ? stats.size : null;
}

function streamOf({ path, text, signal }: InputOptions, gzip: boolean): Readable {
  const source: Readable =
    text !== undefined
      ? Readable.from([Buffer.from(text)])
      : path === '-'
        ? process.stdin
        : createReadStream(path, { highWaterMark: 256 * 1024 });
  addAbortSignal(signal, source);
  if (!gzip) return source;
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  return source.pipe(unpacked);
}

async function firstPart(
  parts: AsyncIterator<Uint8Array>,
  { path, otherwise }: InputOptions,
): Promise<Uint8Array> {
  const first = await parts.next();
  if (!first.done) return first.value;
  // A program may have nothing to decode, such as a task of a cluster for an empty partition.
  if (path === '-' && otherwise === 'list') return new Uint8Array();
  throw new TableError(`${path === '-' ? 'Standard input' : path} is empty.`);
}

async function firstBytes(parts: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let bytes = Buffer.alloc(0);
  // At least one row; rows that are too long are an error later.
  while (bytes.length < FIRST_BYTES || (!bytes.includes('\n') && bytes.length <= MAX_ROW_BYTES)) {
    const part = await parts.next();
    if (part.done) break;
    bytes = Buffer.concat([bytes, part.value]);
  }
  return bytes;
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  const [a, b, c] = bytes;
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff))
    throw new TableError('This file is UTF-16. Save it as UTF-8 ("CSV UTF-8" in Excel).');
  return a === 0xef && b === 0xbb && c === 0xbf ? bytes.subarray(3) : bytes;
}

async function* prepended<T>(first: T, rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** What follows a position; null if something else comes before it. */
async function skipped(
  input: AsyncIterable<Uint8Array>,
  { offset, crc }: Position,
): Promise<AsyncIterable<Uint8Array> | null> {
  const parts = input[Symbol.asyncIterator]();
  let [passed, sum] = [0, 0];
  while (passed < offset) {
    const part = await parts.next();
    if (part.done) return null;
    const before = part.value.subarray(0, offset - passed);
    sum = crc32(before, sum);
    passed += before.length;
    if (passed === offset) return sum === crc ? prepended(part.value.subarray(before.length), parts) : null;
  }
  return input;
}

/** The fields of the first rows, and their types if every row has the same. */
function columnsOf(text: string): { columns: string[]; types: Record<string, ColumnType> } {
  const types = new Map<string, ColumnType>();
  for (const { extra = {} } of parseJsonLines(text, [], 1)) {
    for (const [name, value] of Object.entries(extra)) {
      const type = typeof value === 'number' ? 'DOUBLE' : typeof value === 'boolean' ? 'BOOLEAN' : 'STRING';
      const known = types.get(name);
      if (value !== null || known === undefined)
        types.set(name, known === undefined || known === type ? type : 'STRING');
    }
  }
  return { columns: [...types.keys()], types: Object.fromEntries(types) };
}
