import type { SchemaTree } from 'hyparquet';
import { Bytes } from './bytes.ts';
import { csvCell } from './csv.ts';
import { cellText, type ColumnType } from './table.ts';

/** A column of a chunk of the output. */
export type OutputColumn = { name: string; type: ColumnType } & (
  | {
      /** For each row the index of its value, which many rows share. */
      indexes: Uint16Array | Uint32Array;
      values: readonly (string | null)[];
    }
  | {
      /** A value for each row. Prices are in cents. */
      cells: readonly unknown[];
    }
  | {
      /** A column of a Parquet file and its stored values, which another Parquet file gets as they are. */
      node: SchemaTree;
      cells: readonly unknown[];
    }
);

const NEWLINE = 10;
const COMMA = 44;
/** May begin a formula, or need quotes. */
const SPECIAL = new Uint8Array(128);
for (const character of '=+-@",;|\t\r\n') SPECIAL[character.charCodeAt(0)] = 1;

/** The text of a cell: `49995` or `49995.50` for a price. */
function textOf(cell: unknown, type: ColumnType): string {
  if (type !== 'money' || typeof cell !== 'number') return cellText(cell);
  return cell % 100 === 0 ? String(cell / 100) : (cell / 100).toFixed(2);
}

/** The rows as CSV. */
export function csvBytes(
  columns: readonly OutputColumn[],
  rows: number,
  delimiter: string,
): Uint8Array<ArrayBuffer> {
  const bytes = new Bytes();
  const separator = delimiter.charCodeAt(0);
  const writers = columns.map((column) => {
    if (!('indexes' in column)) {
      const { cells, type } = column;
      return (row: number) => {
        const cell = cells[row];
        if (cell === null || cell === undefined) return;
        const text = textOf(cell, type);
        // Most have nothing to quote, and then no other string is made.
        if (!bytes.plain(text, SPECIAL)) bytes.text(csvCell(text, delimiter));
      };
    }
    const { indexes, values } = column;
    const encoded = values.map((text) => Buffer.from(csvCell(text, delimiter)));
    return (row: number) => {
      const index = indexes[row]!;
      if (index !== 0) bytes.copy(encoded[index]!);
    };
  });
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < writers.length; column++) {
      if (column > 0) bytes.byte(separator);
      writers[column]!(row);
    }
    bytes.byte(NEWLINE);
  }
  return bytes.done();
}

/** The rows as JSON Lines. `before`: the fields that come before the columns, as JSON without braces. Undefined cells are left out. */
export function jsonBytes(
  columns: readonly OutputColumn[],
  rows: number,
  before?: (row: number) => string,
): Uint8Array<ArrayBuffer> {
  const bytes = new Bytes();
  const writers = columns.map((column) => {
    const name = `${JSON.stringify(column.name)}:`;
    if (!('indexes' in column)) {
      const { cells, type } = column;
      return (row: number): boolean => {
        const cell = cells[row];
        if (cell === undefined) return false;
        bytes.text(name + JSON.stringify(type === 'money' && typeof cell === 'number' ? cell / 100 : cell));
        return true;
      };
    }
    const { indexes, values } = column;
    const encoded = values.map((text) => Buffer.from(name + JSON.stringify(text)));
    return (row: number): boolean => {
      bytes.copy(encoded[indexes[row]!]!);
      return true;
    };
  });
  for (let row = 0; row < rows; row++) {
    const start = before?.(row) ?? '';
    bytes.text(`{${start}`);
    let isFirst = start === '';
    for (const write of writers) isFirst = !writeField(write, row, isFirst) && isFirst;
    bytes.text('}\n');
  }
  return bytes.done();

  /** Only the field knows whether it has a value, after its comma. */
  function writeField(write: (row: number) => boolean, row: number, isFirst: boolean): boolean {
    if (!isFirst) bytes.byte(COMMA);
    if (write(row)) return true;
    if (!isFirst) bytes.back();
    return false;
  }
}
