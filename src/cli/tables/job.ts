import { gzipSync } from 'node:zlib';
import type { RowGroup } from 'hyparquet';
import type { Vpic } from '@monroney/vin';
import { inOrder } from '../batch.ts';
import { cellDecoder, type DecodePlan } from '../fields.ts';
import type { Chunk } from './chunks.ts';
import { alignedRow, csvLine, parseCsv } from './csv.ts';
import { jsonLine, parseJsonLines } from './jsonl.ts';
import { encodeRows, openParquet, PARQUET_HEAD, type OutputSchema, type ParquetFile } from './parquet.ts';
import { cellText, rowError, type Format, type Row } from './table.ts';

/** Everything that is needed to turn a chunk of the input into a part of the output. Can be sent to another thread. */
export interface Plan {
  input: { format: Format; columns: readonly string[]; delimiter: string; path: string | null };
  output: {
    format: Exclude<Format, 'list'>;
    columns: readonly string[];
    delimiter: string;
    gzip: boolean;
    /** Of a Parquet file. */
    schema: OutputSchema | null;
  };
  /** The column of the input that has the VINs. */
  vinColumn: number;
  /** The columns of the input that the output begins with. */
  kept: readonly number[];
  decode: DecodePlan;
}

/** A part of the output. */
export interface Part {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of a Parquet file. */
  groups: RowGroup[];
  /** How many `rows`, how many of them with a problem (`bad`), and what else the job counts. */
  counts: Record<string, number>;
  /** Rows without a VIN, or with more than one. */
  problems: Problem[];
}

export interface Problem {
  row: number;
  message: string;
}

const utf8 = new TextDecoder();

/** Reads rows and writes them with a plan. */
export function createJob(plan: Plan, vpic: Vpic) {
  const { input, output, kept, vinColumn } = plan;
  const decode = cellDecoder(vpic, plan.decode);
  let parquet: Promise<ParquetFile> | undefined;

  async function read(chunk: Chunk): Promise<Iterable<Row>> {
    if ('start' in chunk) {
      parquet ??= openParquet(input.path!);
      return (await parquet).read(chunk.start, chunk.end, output.format === 'parquet');
    }
    const text = utf8.decode(chunk.bytes);
    switch (input.format) {
      case 'csv':
        return parseCsv(text, input.delimiter, chunk.firstRow).map((row) =>
          alignedRow(row, input.columns.length),
        );
      case 'jsonl':
        return parseJsonLines(text, input.columns, chunk.firstRow);
      default:
        return text
          .split(/\r\n?|\n/)
          .values()
          .map((line, index) => ({ number: chunk.firstRow + index, cells: [line.trim()] }))
          .filter(({ cells }) => cells[0] !== '');
    }
  }

  /** The row with the columns that the output has. */
  const withCells = (row: Row, added: readonly unknown[]): Row => {
    const cells = kept.map((index) => row.cells[index]);
    return { ...row, cells: cells.concat(added) };
  };

  /** Takes rows one by one: garbage is collected faster if few of them are in memory. */
  function encode(rows: Iterable<Row>): Pick<Part, 'bytes' | 'groups'> {
    if (output.format === 'parquet') return encodeRows(Array.from(rows, withoutExtra), output.schema!);
    const bytes = joinedBytes(rows, (row) =>
      output.format === 'csv'
        ? csvLine(withoutExtra(row).cells, output.delimiter)
        : jsonLine(row.cells, output.columns, row.extra),
    );
    // A copy, because small buffers share memory.
    return { bytes: output.gzip ? new Uint8Array(gzipSync(bytes)) : bytes, groups: [] };
  }

  return {
    /** Decodes the VINs of a chunk, and looks up what `more` says about each. */
    async run(chunk: Chunk, more?: Lookups): Promise<Part> {
      const problems: Problem[] = [];
      const counts: Record<string, number> = { rows: 0 };
      const decodeRow = (row: Row) => {
        counts.rows!++;
        const { vin, cells, error } = decode(cellText(row.cells[vinColumn]));
        if (error !== null) problems.push({ row: row.number, message: error });
        // The text is in the row itself.
        if (vin === null && kept.length > 0) cells[0] = null;
        return { row: withCells(row, cells), vin };
      };
      const found = () => ({ counts: { ...counts, bad: problems.length }, problems });
      const decoded = Iterator.from(await read(chunk)).map(decodeRow);
      if (!more) return { ...encode(decoded.map(({ row }) => row)), ...found() };
      const rows = inOrder(decoded, more.concurrency, async ({ row, vin }) => {
        const { cells, state } = await more.lookUp(vin);
        counts[state] = (counts[state] ?? 0) + 1;
        return { ...row, cells: [...row.cells, ...cells] };
      });
      return { ...encode(await Array.fromAsync(rows)), ...found() };
    },
  };
}

/** Looks up what the decoder doesn't know: cells that come after the decoded ones, and a state to count. */
export interface Lookups {
  concurrency: number;
  lookUp(vin: string | null): Promise<{ cells: unknown[]; state: string }>;
}

/** What comes before the rows. */
export function headOf({ output }: Plan): Uint8Array {
  if (output.format !== 'csv') return output.format === 'parquet' ? PARQUET_HEAD : new Uint8Array();
  const head = Buffer.from(csvLine(output.columns, output.delimiter));
  // Compressed parts that follow each other are one compressed file.
  return output.gzip ? gzipSync(head) : head;
}

/** Large strings stay in memory until a full garbage collection, so text is turned into bytes in small pieces. */
const PIECE_CHARACTERS = 32 * 1024;

function joinedBytes(rows: Iterable<Row>, print: (row: Row) => string): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let [text, size] = ['', 0];
  const flush = () => {
    const piece = Buffer.from(text);
    pieces.push(piece);
    size += piece.length;
    text = '';
  };
  for (const row of rows) {
    text += print(row);
    if (text.length >= PIECE_CHARACTERS) flush();
  }
  flush();
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Columns are fixed once the first part is written. */
function withoutExtra(row: Row): Row {
  if (!row.extra) return row;
  const [name] = Object.keys(row.extra);
  throw rowError(
    row.number,
    `has a field "${name!.slice(0, 40)}" that the first rows don't have. Write JSON Lines instead (--format jsonl).`,
  );
}
