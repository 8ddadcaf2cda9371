/** What all formats share. Runs in browsers too. */

/** Something about a file that its owner has to change. */
export class TableError extends Error {}

export const rowError = (row: number, problem: string): TableError =>
  new TableError(`Row ${row.toLocaleString('en')} ${problem}`);

export type Format = 'list' | 'csv' | 'jsonl' | 'parquet' | 'xlsx';

/** What a Parquet file begins and ends with. */
export const PARQUET_MAGIC = 'PAR1';

/** A format and a compression, as the name of a file gives them. */
export interface FileKind {
  format: Format;
  gzip: boolean;
  /** Set if the name says what separates the cells. */
  delimiter?: string;
}

const KINDS: Record<string, Omit<FileKind, 'gzip'>> = {
  csv: { format: 'csv' },
  tsv: { format: 'csv', delimiter: '\t' },
  jsonl: { format: 'jsonl' },
  ndjson: { format: 'jsonl' },
  parquet: { format: 'parquet' },
  xlsx: { format: 'xlsx' },
};

/** Null if the name has no known extension. */
export function kindOfName(name: string): FileKind | null {
  const [, extension = '', gzip] = /\.([a-z]+)(\.gz)?$/i.exec(name) ?? [];
  const kind = Object.hasOwn(KINDS, extension.toLowerCase()) ? KINDS[extension.toLowerCase()]! : null;
  // Parquet files and workbooks are compressed inside.
  if (!kind || (gzip && (kind.format === 'parquet' || kind.format === 'xlsx'))) return null;
  return { ...kind, gzip: gzip !== undefined };
}

/** What a column of the output holds. Only Parquet has types; elsewhere the same values are text. */
/** Dates are ISO 8601, prices cents. */
export type ColumnType = 'text' | 'integer' | 'double' | 'money' | 'boolean' | 'date';

/** The text of a value, whatever the format it comes from. */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : `${cell as number | boolean | bigint}`;
}
