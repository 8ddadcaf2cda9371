import { UNCLOSED } from './csv.ts';
import { rowError } from './table.ts';

/** A part of a text that begins and ends between two rows. */
export interface TextChunk {
  bytes: Uint8Array<ArrayBuffer>;
  /** The number of its first row. */
  row: number;
  /** What follows it. */
  next: Position;
}

/** A place between two rows. */
export interface Position {
  /** Bytes of UTF-8, or rows of a Parquet file. */
  offset: number;
  /** The number of the next row. */
  row: number;
}

export interface ChunkSize {
  bytes: number;
  rows: number;
  /** Whether a chunk may be smaller, so that rows of a slow producer don't wait for others. */
  isEager: boolean;
}

const [NEWLINE, RETURN, QUOTE] = [10, 13, 34];
const MAX_ROW_BYTES = 1024 * 1024;
const MAX_LIST_LINE_BYTES = 64 * 1024;
const NOTHING = new Uint8Array();

/** Cuts text into chunks as it arrives. `delimiter`: null if quotation marks mean nothing; a list of VINs if it is ''. */
export async function* textChunks(
  input: AsyncIterable<Uint8Array>,
  delimiter: string | null,
  size: ChunkSize,
  from: Position,
): AsyncGenerator<TextChunk> {
  const rows = createRowFinder(delimiter);
  const isList = delimiter === '';
  let next = from;
  let pending: Uint8Array = NOTHING;
  /** The end of the last complete row in `pending`, how many there are, and how far it was searched. */
  let [end, count, searched] = [0, 0, 0];
  let isSkipping = false;

  const cut = (): TextChunk => {
    const { row } = next;
    const bytes = new Uint8Array(pending.subarray(0, end));
    next = { offset: next.offset + end, row: row + count };
    pending = pending.subarray(end);
    searched -= end;
    [end, count] = [0, 0];
    return { bytes, row, next };
  };
  for await (const part of input) {
    pending = pending.length === 0 ? part : Buffer.concat([pending, part]);
    while (searched < pending.length) {
      const found = rows.next(pending, searched);
      if (found === -1) {
        searched = pending.length;
        break;
      }
      searched = end = found;
      if (isSkipping) {
        // The rest of an endless line.
        isSkipping = false;
        next = { offset: next.offset + end, row: next.row + 1 };
        pending = pending.subarray(end);
        [end, searched] = [0, 0];
        continue;
      }
      if (++count >= size.rows || end >= size.bytes) yield cut();
    }
    if (size.isEager && count > 0) yield cut();
    const rest = pending.length - end;
    if (isList && rest > MAX_LIST_LINE_BYTES) {
      if (count > 0) yield cut();
      const { row, offset } = next;
      next = { offset: offset + pending.length, row };
      if (!isSkipping) yield { bytes: new Uint8Array(pending.subarray(0, MAX_LIST_LINE_BYTES)), row, next };
      [pending, searched, isSkipping] = [NOTHING, 0, true];
    } else if (rest > MAX_ROW_BYTES)
      throw rowError(next.row + count, rows.isQuoted() ? UNCLOSED : 'is longer than 1 MB.');
  }
  if (isSkipping) return;
  if (rows.isQuoted()) throw rowError(next.row + count, UNCLOSED);
  if (pending.length > end) [end, count] = [pending.length, count + 1];
  if (count > 0) yield cut();
}

/** Finds the ends of rows. A quotation mark counts only at the beginning of a cell: `24" wheels` has none. */
function createRowFinder(delimiter: string | null) {
  const separator = delimiter ? delimiter.charCodeAt(0) : -1;
  let state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  let searched: Uint8Array = NOTHING;
  let hasQuotes = false;

  function nextPlain(bytes: Uint8Array, from: number): number {
    if (delimiter === '') {
      for (let index = from; index < bytes.length; index++) {
        if (bytes[index] === NEWLINE) return index + 1;
        // A return alone ends a line of a list, too.
        if (bytes[index] === RETURN && index + 1 < bytes.length && bytes[index + 1] !== NEWLINE)
          return index + 1;
      }
      return -1;
    }
    return bytes.indexOf(NEWLINE, from) + 1 || -1;
  }

  function nextQuoted(bytes: Uint8Array, from: number): number {
    if (bytes !== searched) {
      searched = bytes;
      hasQuotes = bytes.indexOf(QUOTE, from) !== -1;
    }
    if (!hasQuotes && state !== 'quoted') return nextUnquoted(bytes, from);
    for (let index = from; index < bytes.length; index++) {
      const byte = bytes[index];
      if (state === 'quoted') {
        if (byte === QUOTE) state = 'closed';
        continue;
      }
      if (byte === NEWLINE) {
        state = 'start';
        return index + 1;
      }
      if (byte === separator) state = 'start';
      // Two marks within quotes stand for one.
      else if (byte === QUOTE && state !== 'plain') state = 'quoted';
      else state = 'plain';
    }
    return -1;
  }

  /** Most text has no quotation marks, and then only the ends of rows matter. */
  function nextUnquoted(bytes: Uint8Array, from: number): number {
    const found = bytes.indexOf(NEWLINE, from);
    if (found !== -1) state = 'start';
    else if (from < bytes.length) state = bytes.at(-1) === separator ? 'start' : 'plain';
    return found + 1 || -1;
  }

  return {
    next: separator === -1 ? nextPlain : nextQuoted,
    isQuoted: () => state === 'quoted',
  };
}
