/** What all formats share: rows of cells under named columns. */

export type Format = 'list' | 'csv' | 'jsonl' | 'parquet';

/** One row of a table. */
export interface Row {
  /** As people count: the header of a CSV file is row 1. */
  number: number;
  /** In the order of the columns. */
  cells: unknown[];
  /** Fields of a JSON object for which the table has no column. */
  extra?: Record<string, unknown>;
}

/** Something about a file that its owner has to change. */
export class TableError extends Error {}

export const rowError = (row: number, problem: string): TableError =>
  new TableError(`Row ${row.toLocaleString('en')} ${problem}`);

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
};

/** Null if the name has no known extension. */
export function kindOfName(name: string): FileKind | null {
  const [, extension = '', gzip] = /\.([a-z]+)(\.gz)?$/i.exec(name) ?? [];
  const kind = Object.hasOwn(KINDS, extension.toLowerCase()) ? KINDS[extension.toLowerCase()]! : null;
  // A Parquet file is compressed inside.
  if (!kind || (gzip && kind.format === 'parquet')) return null;
  return { ...kind, gzip: gzip !== undefined };
}

/** The text of a cell, whatever the format it comes from. */
export function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell;
  if (cell === null || cell === undefined) return '';
  if (cell instanceof Uint8Array) return Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString();
  if (cell instanceof Date) return cell.toISOString();
  return typeof cell === 'object' ? JSON.stringify(cell) : `${cell as number | boolean}`;
}
