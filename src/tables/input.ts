import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { textChunks, type ChunkSize, type Position, type TextChunk } from './chunks.ts';
import { csvLine, delimiterOf, parseRows } from './csv.ts';
import { checkText, encodingOf, textOf, type Encoding } from './encoding.ts';
import { headerOf, isVinName, vinColumnOf } from './header.ts';
import { jsonColumns, parseJsonLines } from './jsonl.ts';
import { mapped, prepended, skipped } from './streams.ts';
import { cellText, kindOfName, TableError, type ColumnType, type FileKind, type Format } from './table.ts';

/** A part of the input that can be read by itself. */
export type Chunk = TextChunk | RowRange;

/** Rows of a Parquet file, from `from` to before `to`. */
export interface RowRange {
  from: number;
  to: number;
  row: number;
  next: Position;
}

/** How to read the chunks of a table. Can be sent to another thread. */
export interface InputPlan {
  format: Exclude<Format, 'xlsx'>;
  /** Of Parquet: its file, or all of its bytes, which threads share. Each thread reads the rows that it works on. */
  source?: string | SharedArrayBuffer;
  columns: string[];
  /** Types of the columns of JSON Lines, as far as the first rows show them. */
  types: ColumnType[];
  delimiter: string;
  /** The number of the first row of data. */
  firstRow: number;
  vinColumn: number;
}

/** A table to read. */
export interface TableInput {
  plan: InputPlan;
  /** Whether the text began with a byte order mark. */
  bom: boolean;
  notices: string[];
  /** Identifies a file that may be continued; null if it can only be read once. */
  identity: string | null;
  chunks(size: ChunkSize, from: Position): AsyncIterable<Chunk>;
  /** The share of the input that comes before a position; null if its size isn't known. */
  share(position: Position): number | null;
  close(): void;
}

export interface InputOptions {
  /** A path, or `-` for standard input. */
  path: string;
  /** Read instead of standard input. */
  text?: string | undefined;
  /** The format of an input whose name and beginning don't tell. */
  otherwise: 'list' | 'csv';
  vinColumn: string | null;
  signal: AbortSignal;
}

export const START: Position = { offset: 0, row: 1 };
const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_ROWS = 200;
/** A row this long is an error anyway. */
const MAX_SAMPLE_BYTES = 2 * 1024 * 1024;
/** Of a workbook or a Parquet file on standard input. */
const MAX_BINARY_BYTES = 512 * 1024 * 1024;

export async function openTable(options: InputOptions): Promise<TableInput> {
  const { path } = options;
  const file = path === '-' ? null : await fileOf(path);
  const head = file?.isFile ? await firstBytesOf(path) : null;
  if (head?.length === 0) throw new TableError(`${path} is empty.`);
  const kind = path === '-' ? null : kindOfName(path);
  if (head && formatOf(head, kind) === 'parquet')
    return { ...(await parquetTable(options)), identity: file!.identity, close() {} };
  const stream = streamOf(options);
  try {
    const opened = await openStream(stream, kind, options);
    const isPlain = head !== null && opened.encoding === 'utf-8' && !isGzip(head);
    return {
      ...opened,
      identity: file?.identity ?? null,
      share: ({ offset }) => (isPlain ? offset / file!.size : null),
      close: () => void stream.destroy(),
    };
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

async function fileOf(path: string) {
  const stats = await stat(path);
  if (stats.isDirectory()) throw new TableError(`${path} is a folder, not a file.`);
  const isFile = stats.isFile();
  return { isFile, size: stats.size, identity: isFile ? `${stats.size} ${stats.mtimeMs}` : null };
}

async function firstBytesOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const startsWith = (bytes: Uint8Array, ...start: number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);
const isGzip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x1f, 0x8b);

/** The format that the first bytes tell, else the name. */
function formatOf(bytes: Uint8Array, kind: FileKind | null): Format | null {
  if (startsWith(bytes, 0x50, 0x41, 0x52, 0x31)) return 'parquet';
  if (startsWith(bytes, 0x50, 0x4b, 3, 4)) return 'xlsx';
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new TableError('This is a workbook of Excel 97 (.xls). Save it as .xlsx or CSV.');
  if (isGzip(bytes)) return null;
  return kind?.format ?? null;
}

function streamOf({ path, text, signal }: InputOptions): Readable {
  const source: Readable =
    text !== undefined
      ? Readable.from([Buffer.from(text)])
      : path === '-'
        ? process.stdin
        : createReadStream(path, { highWaterMark: 256 * 1024 });
  return addAbortSignal(signal, source);
}

/** Unpacks what is compressed, whatever it is called. */
async function partsOf(stream: Readable): Promise<AsyncIterator<Uint8Array>> {
  const parts = stream[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  const first = await parts.next();
  if (first.done) return parts;
  const all = prepended(first.value, parts);
  if (!isGzip(first.value)) return all;
  // Whoever reads gets the errors.
  return pipeline(all, createGunzip(), () => {})[Symbol.asyncIterator]();
}

type Opened = Pick<TableInput, 'plan' | 'bom' | 'notices' | 'chunks'> & { encoding: Encoding };

async function openStream(stream: Readable, kind: FileKind | null, options: InputOptions): Promise<Opened> {
  const parts = await partsOf(stream);
  const first = await parts.next();
  const bytes: Uint8Array = first.done ? new Uint8Array() : first.value;
  // A program may have nothing to decode, such as a task of a cluster for an empty partition.
  if (first.done && !(options.path === '-' && options.otherwise === 'list'))
    throw new TableError(`${nameOf(options)} is empty.`);
  const format = formatOf(bytes, kind);
  if (format === 'parquet')
    return { ...(await parquetTable(options, await allBytes(bytes, parts))), encoding: 'utf-8' };
  if (format === 'xlsx') {
    const { workbookRows } = await import('./workbook.ts');
    const { rows, notices } = await workbookRows(await allBytes(bytes, parts));
    // A workbook is small, so it may as well be read as the text that it would be saved as.
    const text = Readable.from([Buffer.from(rows.map((cells) => csvLine(cells, ',')).join(''))]);
    const opened = await openText(text, { format: 'csv', gzip: false, delimiter: ',' }, options);
    return { ...opened, notices: [...notices, ...opened.notices], bom: false, encoding: 'utf-8' };
  }
  const { encoding, bom } = encodingOf(bytes);
  const rest = prepended(bytes.subarray(bom), parts);
  const text = encoding === 'utf-8' ? rest : transcoded(rest, encoding);
  return { ...(await openText(text, kind, options)), bom: bom > 0, encoding };
}

const nameOf = ({ path }: InputOptions): string => (path === '-' ? 'Standard input' : path);

async function* transcoded(parts: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const part of parts) yield Buffer.from(decoder.decode(part, { stream: true }));
  yield Buffer.from(decoder.decode());
}

async function allBytes(first: Uint8Array, rest: AsyncIterator<Uint8Array>): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of prepended(first, rest)) {
    parts.push(part);
    size += part.length;
    if (size > MAX_BINARY_BYTES) throw new TableError('This file is too large for standard input.');
  }
  return Buffer.concat(parts);
}

type OpenedText = Omit<Opened, 'bom' | 'encoding'>;

async function openText(
  text: AsyncIterable<Uint8Array>,
  kind: FileKind | null,
  options: InputOptions,
): Promise<OpenedText> {
  const parts = text[Symbol.asyncIterator]();
  // A program that decodes lines one by one waits for each result.
  const isEager = options.path === '-' && options.otherwise === 'list';
  const { sample: given, isWhole } = await sampleOf(parts, isEager ? 1 : SAMPLE_BYTES);
  // "CSV (Macintosh)" of Excel ends rows with returns alone.
  const isMacintosh = !isEager && given.includes(RETURN) && !given.includes(NEWLINE);
  const sample = isMacintosh ? withNewlines(given) : given;
  const rest = isMacintosh
    ? mapped(prepended<Uint8Array>(sample, parts), withNewlines)
    : prepended<Uint8Array>(sample, parts);
  const found =
    kind?.format === 'jsonl' || (kind === null && sample[0] === '{'.charCodeAt(0))
      ? jsonPlan(sample, isWhole, options)
      : await csvPlan(sample, isWhole, kind, options);
  const delimiter =
    found.plan.format === 'csv' ? found.plan.delimiter : found.plan.format === 'list' ? '' : null;
  return {
    ...found,
    chunks: (size, from) => textChunks(skipped(rest, from.offset), delimiter, size, from),
  };
}

const [NEWLINE, RETURN] = [10, 13];
const withNewlines = (bytes: Uint8Array): Buffer =>
  Buffer.from(bytes.map((byte) => (byte === RETURN ? NEWLINE : byte)));

/** Enough rows to find the columns. */
async function sampleOf(
  parts: AsyncIterator<Uint8Array>,
  enough: number,
): Promise<{ sample: Buffer; isWhole: boolean }> {
  let sample = Buffer.alloc(0);
  for (;;) {
    const isEnough = sample.length >= enough && (sample.includes('\n') || sample.length > MAX_SAMPLE_BYTES);
    if (isEnough) return { sample, isWhole: false };
    const part = await parts.next();
    if (part.done) return { sample, isWhole: true };
    sample = Buffer.concat([sample, part.value]);
  }
}

function jsonPlan(sample: Buffer, isWhole: boolean, { vinColumn }: InputOptions): Omit<OpenedText, 'chunks'> {
  const complete = isWhole ? sample : sample.subarray(0, sample.lastIndexOf('\n') + 1 || sample.length);
  const rows = parseJsonLines(textOf(complete).text, 1).slice(0, SAMPLE_ROWS);
  const { columns, types } = jsonColumns(rows);
  const cells = rows.map(({ object }) => columns.map((name) => cellText(object[name])));
  const plan: InputPlan = {
    format: 'jsonl',
    columns,
    types,
    delimiter: ',',
    firstRow: 1,
    vinColumn: vinColumnOf(columns, cells, vinColumn),
  };
  return { plan, notices: [] };
}

const LIST: InputPlan = {
  format: 'list',
  columns: ['vin'],
  types: ['text'],
  delimiter: ',',
  firstRow: 1,
  vinColumn: 0,
};

async function csvPlan(
  sample: Buffer,
  isWhole: boolean,
  kind: FileKind | null,
  options: InputOptions,
): Promise<Omit<OpenedText, 'chunks'>> {
  const isList = options.otherwise === 'list' && kind === null && options.vinColumn === null;
  // Lines of a list are judged one by one.
  if (!isList) checkText(sample);
  const lines = textOf(sample).text.split('\n', SAMPLE_ROWS);
  const delimiter = kind?.delimiter ?? delimiterOf(lines);
  const size = { bytes: Infinity, rows: SAMPLE_ROWS, isEager: true };
  // Only complete rows, unless there are no others.
  const chunk = await textChunks(Readable.from([sample]), delimiter, size, START).next();
  const complete =
    chunk.done || (isWhole && chunk.value.bytes.length < sample.length) ? sample : chunk.value.bytes;
  const rows = parseRows(textOf(complete).text, delimiter, 1);
  if (isList && !rows[0]?.cells.some(isVinName)) return { plan: LIST, notices: [] };
  if (rows.length === 0) throw new TableError(`${nameOf(options)} is empty.`);
  const {
    columns,
    skipped: above,
    vinColumn,
    notices,
  } = headerOf(
    rows.map(({ cells }) => cells),
    { vinColumn: options.vinColumn },
  );
  const firstRow = above === 0 ? 1 : rows[above - 1]!.number + 1;
  const types = columns.map((): ColumnType => 'text');
  return { plan: { format: 'csv', columns, types, delimiter, firstRow, vinColumn }, notices };
}

/** Its libraries are loaded only for Parquet. */
async function parquetTable(options: InputOptions, bytes?: Uint8Array) {
  const { openParquetInput } = await import('./parquet-input.ts');
  return openParquetInput(nameOf(options), options.vinColumn, bytes);
}
