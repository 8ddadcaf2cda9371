import { gzipSync } from 'node:zlib';
import type { Vpic } from '@monroney/vin';
import { alignedCells, csvLine, parseColumn, parseRows } from './csv.ts';
import { textOf } from './encoding.ts';
import { decoder, type DecodePlan } from './fields.ts';
import type { Chunk, InputPlan, RowRange } from './input.ts';
import { parseJsonLines, type JsonRow } from './jsonl.ts';
import { csvBytes, jsonBytes, type OutputColumn } from './output-columns.ts';
import { cellText, PARQUET_MAGIC, rowError, type ColumnType } from './table.ts';

/** Everything that is needed to turn a chunk of the input into a part of the output. Can be sent to another thread. */
export interface Plan {
  input: InputPlan;
  output: { format: 'csv' | 'jsonl' | 'parquet'; delimiter: string; gzip: boolean; bom: boolean };
  /** The columns of the input that the output begins with, and their names there. */
  kept: { index: number; name: string; type: ColumnType }[];
  /** Before the names of the other columns. */
  prefix: string;
  decode: DecodePlan;
  /** Columns that `Lookups` fills. */
  lookups: { name: string; type: ColumnType }[];
}

/** A part of the output. */
export interface Part {
  bytes: Uint8Array<ArrayBuffer>;
  /** Of Parquet, whose bytes are a row group: what the end of the file says about it. */
  description?: string;
  /** How many `rows`, how many of them without a VIN (`bad`), and what else the job counts. */
  counts: Record<string, number>;
  problems: Problem[];
}

/** Something about a row, or about all rows of a kind. */
export interface Problem {
  row: number;
  /** Null for a row that `message` is about alone. */
  kind: 'windows' | 'more' | 'fewer' | null;
  message: string;
}

/** What the decoder doesn't know about a VIN: a cell for each of the plan's columns, and a state to count. */
export type Lookups = (
  vin: string | null,
  cellAt: (column: number) => string,
) => { cells: unknown[]; state: string };

/** The rows of a chunk. */
interface Rows {
  count: number;
  numberOf(row: number): number;
  /** The text of a cell. */
  textAt(row: number, column: number): string;
  /** The kept columns. */
  kept(): OutputColumn[];
  /** Of JSON Lines. */
  objects?: readonly JsonRow[];
}

const NO_PROBLEM_ROWS = 1_000;

export async function createJob(plan: Plan, vpic: Vpic) {
  const { input, output, prefix } = plan;
  const decode = decoder(vpic, plan.decode);
  // Loaded only for Parquet.
  const parquet =
    input.source === undefined ? null : await (await import('./parquet-input.ts')).openParquet(input.source);
  const parquetValues = parquet ? await import('./parquet-values.ts') : null;
  const parquetOutput = output.format === 'parquet' ? await import('./parquet-output.ts') : null;
  /** Columns of the output whose values nearly all differ. */
  const unique = new Set([
    ...plan.kept.filter(({ index }) => index === input.vinColumn).map(({ name }) => name),
    `${prefix}vin`,
    `${prefix}VehicleDescriptor`,
  ]);

  async function read(chunk: Chunk, problems: Problem[]): Promise<Rows> {
    if ('from' in chunk) return parquetRows(chunk);
    const { text, windowsLine } = textOf(chunk.bytes);
    if (windowsLine !== null) problems.push({ row: chunk.row + windowsLine, kind: 'windows', message: '' });
    if (input.format === 'jsonl') return jsonRows(parseJsonLines(text, chunk.row));
    if (input.format === 'list') return listRows(text, chunk.row);
    return csvRows(text, chunk.row, problems);
  }

  function listRows(text: string, first: number): Rows {
    const lines = text
      .split(/\r\n?|\n/)
      .flatMap((line, index) => (line.trim() === '' ? [] : [{ number: first + index, text: line.trim() }]));
    return {
      count: lines.length,
      numberOf: (row) => lines[row]!.number,
      textAt: (row) => lines[row]!.text,
      kept: () => plan.kept.map(({ name, type }) => ({ name, type, cells: lines.map((line) => line.text) })),
    };
  }

  function csvRows(text: string, first: number, problems: Problem[]): Rows {
    const width = input.columns.length;
    const only = plan.kept.length === 0 ? parseColumn(text, input.delimiter, first, input.vinColumn) : null;
    if (only) return columnRows(only);
    const rows = parseRows(text, input.delimiter, first);
    const from = rows.findIndex(({ number }) => number >= input.firstRow);
    const data = from === -1 ? [] : from === 0 ? rows : rows.slice(from);
    for (const { cells, number } of data) {
      if (cells.length === width) continue;
      problems.push({ row: number, kind: cells.length > width ? 'more' : 'fewer', message: '' });
      alignedCells(cells, width, input.delimiter);
    }
    return {
      count: data.length,
      numberOf: (row) => data[row]!.number,
      textAt: (row, column) => data[row]!.cells[column]!,
      kept: () =>
        plan.kept.map(({ name, type, index }) => ({
          name,
          type,
          cells: data.map(({ cells }) => cells[index]!),
        })),
    };
  }

  function columnRows({ numbers, texts }: { numbers: number[]; texts: string[] }): Rows {
    const from = numbers.findIndex((number) => number >= input.firstRow);
    const skipped = from === -1 ? numbers.length : from;
    return {
      count: numbers.length - skipped,
      numberOf: (row) => numbers[row + skipped]!,
      textAt: (row) => texts[row + skipped]!,
      kept: () => [],
    };
  }

  function jsonRows(rows: readonly JsonRow[]): Rows {
    const known = new Set(input.columns);
    return {
      count: rows.length,
      numberOf: (row) => rows[row]!.number,
      textAt: (row, column) => cellText(rows[row]!.object[input.columns[column]!]),
      kept: () => {
        for (const { object, number } of rows) {
          const extra = Object.keys(object).find((name) => !known.has(name));
          if (extra !== undefined)
            throw rowError(
              number,
              `has a field "${extra.slice(0, 40)}" that the first rows don't have. Write JSON Lines instead (--format jsonl).`,
            );
        }
        return plan.kept.map(({ name, type, index }) => ({
          name,
          type,
          cells: rows.map(({ object, number }) => typed(object[input.columns[index]!], type, number, name)),
        }));
      },
      objects: rows,
    };
  }

  async function parquetRows({ from, to, row: first }: RowRange): Promise<Rows> {
    const only = plan.kept.length === 0 ? input.vinColumn : undefined;
    const columns = await parquet!.read(from, to, only);
    const values = new Map<number, unknown[]>();
    const valuesOf = (index: number): unknown[] => {
      const { node, cells } = columns.get(index)!;
      if (!values.has(index))
        values.set(
          index,
          cells.map((cell) => parquetValues!.plainValue(node, cell)),
        );
      return values.get(index)!;
    };
    return {
      count: to - from,
      numberOf: (row) => first + row,
      textAt: (row, column) => cellText(valuesOf(column)[row]),
      kept: () =>
        plan.kept.map(({ name, type, index }) =>
          output.format === 'parquet'
            ? { name, type, ...columns.get(index)! }
            : { name, type, cells: valuesOf(index) },
        ),
    };
  }

  function encode(rows: Rows, added: OutputColumn[]): Pick<Part, 'bytes' | 'description'> {
    const isJson = output.format === 'jsonl';
    // An object keeps all of its fields, also those that other rows don't have.
    const before =
      isJson && plan.kept.length > 0 && rows.objects ? fieldsBefore(rows.objects, added) : undefined;
    const columns = before ? added : [...(plan.kept.length > 0 ? rows.kept() : []), ...added];
    if (parquetOutput) return parquetOutput.groupOf(columns, rows.count, unique);
    const bytes = isJson
      ? jsonBytes(columns, rows.count, before)
      : csvBytes(columns, rows.count, output.delimiter);
    // A copy, because small buffers share memory.
    return { bytes: output.gzip ? new Uint8Array(gzipSync(bytes)) : bytes };
  }

  return {
    /** Decodes the VINs of a chunk, and adds what `lookUp` knows about each. */
    async run(chunk: Chunk, lookUp?: Lookups): Promise<Part> {
      const problems: Problem[] = [];
      const rows = await read(chunk, problems);
      const texts = Array.from({ length: rows.count }, (_, row) => rows.textAt(row, input.vinColumn));
      const found = decode.find(texts);
      const counts: Record<string, number> = { rows: rows.count, bad: 0 };
      found.errors.forEach((message, row) => {
        if (message === null) return;
        counts['bad']!++;
        // No more than anybody reads.
        if (problems.length < NO_PROBLEM_ROWS)
          problems.push({ row: rows.numberOf(row), kind: null, message });
      });
      const columns = decode.columns(found, texts, plan.kept.length === 0);
      if (lookUp) {
        const looked = found.vins.map((vin, row) => lookUp(vin, (column) => rows.textAt(row, column)));
        for (const { state } of looked) counts[state] = (counts[state] ?? 0) + 1;
        plan.lookups.forEach(({ name, type }, index) =>
          columns.push({ name, type, cells: looked.map(({ cells }) => cells[index]) }),
        );
      }
      for (const column of columns) column.name = prefix + column.name;
      return { ...encode(rows, columns), counts, problems };
    },
  };
}

/** The fields of objects as JSON, without those that the columns replace. */
function fieldsBefore(rows: readonly JsonRow[], added: readonly OutputColumn[]): (row: number) => string {
  const replaced = new Set(added.map(({ name }) => name));
  return (row) => {
    const entries = Object.entries(rows[row]!.object).filter(([name]) => !replaced.has(name));
    return entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',');
  };
}

/** Types are fixed once the first part is written. */
function typed(cell: unknown, type: ColumnType, row: number, name: string): unknown {
  if (cell === null || cell === undefined || cell === '' || type === 'text') return cell ?? null;
  if (typeof cell === (type === 'boolean' ? 'boolean' : 'number')) return cell;
  const expected = type === 'boolean' ? 'true or false' : 'a number';
  throw rowError(
    row,
    `has "${cellText(cell).slice(0, 40)}" in ${name}, where the rows before have ${expected}.`,
  );
}

/** The names of the columns that the output adds. */
export const newColumns = ({ prefix, decode, lookups }: Pick<Plan, 'prefix' | 'decode' | 'lookups'>) =>
  ['vin', ...decode.fields, 'error', ...lookups.map(({ name }) => name)].map((name) => prefix + name);

/** What comes before the rows. */
export function headOf(plan: Plan): Uint8Array {
  const { output, kept } = plan;
  if (output.format === 'parquet') return Buffer.from(PARQUET_MAGIC);
  if (output.format !== 'csv') return new Uint8Array();
  const columns = [...kept.map(({ name }) => name), ...newColumns(plan)];
  const head = Buffer.from((output.bom ? '\ufeff' : '') + csvLine(columns, output.delimiter));
  // Compressed parts that follow each other are one compressed file.
  return output.gzip ? gzipSync(head) : head;
}
