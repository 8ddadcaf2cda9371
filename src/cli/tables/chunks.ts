import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { rowError, type Format } from './table.ts';

/** How far a job has come in its input, and a checksum of everything before: a later run continues only in the same input. */
export interface Position {
  /** Bytes of text, or rows of a Parquet file. */
  offset: number;
  crc: number;
  /** The number of the next row. */
  row: number;
}

export const START: Position = { offset: 0, crc: 0, row: 1 };

/** A part of the input that can be read by itself. */
export type Chunk = {
  /** Where the next chunk begins. */
  next: Position;
} & (
  | { /** Text that begins and ends between two rows. */ bytes: Uint8Array<ArrayBuffer>; firstRow: number }
  | { /** Rows of a Parquet file, counted from 0. */ start: number; end: number }
);

export type TextChunk = Extract<Chunk, { firstRow: number }>;

/** The largest chunk. It may be changed while chunks are cut. */
export interface ChunkSize {
  bytes: number;
  rows: number;
}

const [NEWLINE, RETURN, QUOTE] = [10, 13, 34];
export const MAX_ROW_BYTES = 1024 * 1024;
const MAX_LIST_LINE_BYTES = 64 * 1024;
const NOTHING = new Uint8Array();

/** Cuts text into chunks at the ends of rows, as the text arrives: a slow producer doesn't have to fill a chunk. */
export async function* textChunks(
  input: AsyncIterable<Uint8Array>,
  format: Exclude<Format, 'parquet'>,
  size: Readonly<ChunkSize>,
  from: Position = START,
): AsyncGenerator<TextChunk> {
  const cutter = createCutter(format, size, from);
  for await (const part of input) yield* cutter.add(part);
  yield* cutter.end();
}

function createCutter(format: Exclude<Format, 'parquet'>, size: Readonly<ChunkSize>, from: Position) {
  let next = from;
  /** What came after the last complete row. */
  let rest: Uint8Array = NOTHING;
  let isQuoted = false;
  /** In an endless line of a list, after its beginning. */
  let isSkipping = false;

  function pass(bytes: Uint8Array, rows: number): void {
    next = { offset: next.offset + bytes.length, crc: crc32(bytes, next.crc), row: next.row + rows };
  }

  function chunkOf(bytes: Uint8Array, rows: number, read = bytes): TextChunk {
    const firstRow = next.row;
    if (format !== 'list' && !isUtf8(bytes))
      throw rowError(firstRow + badLine(bytes), "isn't UTF-8. Convert the file, for example with iconv.");
    pass(bytes, rows);
    // A copy: its memory moves to the thread that reads it.
    return { bytes: new Uint8Array(read), firstRow, next };
  }

  const endsRow = (bytes: Uint8Array, index: number): boolean =>
    bytes[index] === NEWLINE ||
    (bytes[index] === RETURN &&
      format === 'list' &&
      index + 1 < bytes.length &&
      bytes[index + 1] !== NEWLINE);

  function* add(part: Uint8Array): Generator<TextChunk> {
    const bytes = rest.length > 0 ? Buffer.concat([rest, part]) : part;
    let [start, rows, end] = [0, 0, 0];
    for (let index = rest.length; index < bytes.length; index++) {
      if (bytes[index] === QUOTE && format === 'csv') isQuoted = !isQuoted;
      if (isQuoted || !endsRow(bytes, index)) continue;
      end = index + 1;
      if (isSkipping) {
        isSkipping = false;
        pass(bytes.subarray(0, end), 1);
        start = end;
        continue;
      }
      rows++;
      if (end - start < size.bytes && rows < size.rows) continue;
      yield chunkOf(bytes.subarray(start, end), rows);
      [start, rows] = [end, 0];
    }
    if (rows > 0) yield chunkOf(bytes.subarray(start, end), rows);
    rest = bytes.subarray(end);
    yield* checkLength();
  }

  function* checkLength(): Generator<TextChunk> {
    if (format === 'list' && (isSkipping || rest.length > MAX_LIST_LINE_BYTES)) {
      if (isSkipping) pass(rest, 0);
      else yield chunkOf(rest, 0, rest.subarray(0, MAX_LIST_LINE_BYTES));
      rest = NOTHING;
      isSkipping = true;
    }
    if (rest.length <= MAX_ROW_BYTES) return;
    throw rowError(next.row, isQuoted ? NEVER_CLOSED : 'is longer than 1 MB.');
  }

  return {
    add,
    *end(): Generator<TextChunk> {
      if (isQuoted) throw rowError(next.row, NEVER_CLOSED);
      if (rest.length > 0) yield chunkOf(rest, 1);
    },
  };
}

const NEVER_CLOSED = 'or a later one has a quotation mark that is never closed.';

/** How many lines come before the first one that isn't UTF-8. */
function badLine(bytes: Uint8Array): number {
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  return Math.max(
    0,
    lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1'))),
  );
}

/** Ranges of rows of a Parquet file. */
export function* rowChunks(rows: number, size: Readonly<ChunkSize>, from: Position): Generator<Chunk> {
  for (let start = from.offset; start < rows; start += size.rows) {
    const end = Math.min(start + size.rows, rows);
    yield { start, end, next: { offset: end, crc: from.crc, row: end + 1 } };
  }
}

/** Joins small parts, for chunks that should be large however the input arrives. */
export async function* joined(input: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of input) {
    parts.push(part);
    size += part.length;
    if (size < bytes) continue;
    yield Buffer.concat(parts);
    [parts, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(parts);
}
