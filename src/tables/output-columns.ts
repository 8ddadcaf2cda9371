import type { Vector } from 'apache-arrow';
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
      /** A column of a Parquet file, which another Parquet file gets as it is. */
      vector: Vector;
      cells: readonly unknown[];
    }
);

const START_BYTES = 256 * 1024;
const NEWLINE = 10;
/** May begin a formula, or need quotes. */
const SPECIAL = new Uint8Array(128);
for (const character of '=+-@",;|\t\r\n') SPECIAL[character.charCodeAt(0)] = 1;

/** Bytes that grow. Text is copied here without a string for each row. */
class Bytes {
  #bytes = Buffer.allocUnsafeSlow(START_BYTES);
  #at = 0;

  #reserve(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#at + more));
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  /** Takes back the last byte. */
  back(): void {
    this.#at--;
  }

  copy(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    // Faster than `set` for a few bytes.
    const { length } = bytes;
    for (let index = 0; index < length; index++) this.#bytes[this.#at + index] = bytes[index]!;
    this.#at += length;
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#at += this.#bytes.write(text, this.#at);
  }

  /** Writes a CSV cell. Most are ASCII without anything to quote, and then no other string is made. */
  csv(text: string, delimiter: string): void {
    this.#reserve(text.length);
    const { length } = text;
    for (let index = 0; index < length; index++) {
      const code = text.charCodeAt(index);
      // Undefined for what isn't ASCII.
      if (SPECIAL[code] !== 0) return this.text(csvCell(text, delimiter));
      this.#bytes[this.#at + index] = code;
    }
    this.#at += length;
  }

  /** A copy that can be sent to another thread. */
  done(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#bytes.subarray(0, this.#at));
  }
}

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
        if (cell !== null && cell !== undefined) bytes.csv(textOf(cell, type), delimiter);
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

const COMMA = 44;
