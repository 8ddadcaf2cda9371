import type { ChunkSize } from './chunks.ts';
import type { DecodePlan } from './fields.ts';
import { uniqueNames } from './header.ts';
import type { InputPlan, TableInput } from './input.ts';
import { newColumns, type Plan } from './job.ts';
import { TableError, type ColumnType, type FileKind } from './table.ts';

/** What a command wants to be written. */
export interface Wanted {
  /** Null if neither an option nor a name says. */
  written: FileKind | null;
  decode: DecodePlan;
  /** Before the names of new columns. */
  prefix: string;
  /** Whether the columns of the input come first. */
  keepsInput: boolean;
  /** Columns that lookups fill. */
  lookups: { name: string; type: ColumnType }[];
}

/** How to turn an input into what is wanted. */
export function planOf({ plan: input, bom }: Pick<TableInput, 'plan' | 'bom'>, wanted: Wanted): Plan {
  const { decode, prefix, keepsInput, lookups } = wanted;
  const otherwise = keepsInput ? input.format : 'jsonl';
  const { format, gzip, delimiter } = wanted.written ?? { format: otherwise, gzip: false };
  if (format === 'xlsx') throw new TableError("Excel workbooks can't be written. Excel opens CSV.");
  const output = {
    format: format === 'list' ? ('csv' as const) : format,
    // A file with semicolons stays one.
    delimiter: delimiter ?? (keepsInput ? input.delimiter : ','),
    gzip,
    bom: bom && keepsInput,
  };
  const replaced = new Set(newColumns(wanted));
  const kept = keepsInput ? keptColumns(input, replaced, output.format === 'parquet') : [];
  return { input, output, kept, prefix, decode, lookups };
}

/** The columns of the input, without those that new ones replace. Parquet needs different names. */
function keptColumns(
  { columns, types }: InputPlan,
  replaced: ReadonlySet<string>,
  isParquet: boolean,
): Plan['kept'] {
  const names = isParquet ? uniqueNames(columns) : columns;
  return columns.flatMap((column, index) =>
    replaced.has(column) ? [] : [{ index, name: names[index]!, type: types[index]! }],
  );
}

/** A row group. Numbers for its values have 16 bits. */
const PARQUET_ROWS = 16_384;
const TEXT_ROWS = 8_192;

/** Small where each VIN gives much text, to save memory. */
export function chunkSizeOf({ output, decode }: Plan): ChunkSize {
  if (output.format === 'parquet') return { bytes: 64 * 1024 * 1024, rows: PARQUET_ROWS, isEager: false };
  const isLarge = decode.shape !== 'flat' || decode.fields.length > 100;
  return { bytes: 512 * 1024, rows: isLarge ? 1_024 : TEXT_ROWS, isEager: true };
}
