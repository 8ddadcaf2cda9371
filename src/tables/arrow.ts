import type { Data, DataType as Type, Field as ArrowField, Utf8 as Utf8Type } from 'apache-arrow';
import { arrow } from './arrow-library.ts';
import type { OutputColumn } from './output-columns.ts';
import { cellText, type ColumnType } from './table.ts';

/** Turns the columns of a chunk into Arrow's format, which the Parquet writer reads. */

const { Bool, DataType, DateDay, Decimal, Dictionary, Field, Float64, Int32, makeData, makeVector } = arrow;
const { RecordBatch, Schema, Struct, Table, tableFromIPC, tableToIPC, Uint16, Utf8 } = arrow;

/** Ids of dictionaries that the input's own don't have. */
const FIRST_DICTIONARY = 1_000;
const MONEY = new Decimal(2, 12, 128);
/** Nearly all of its values differ, so a dictionary would only cost time. */
const UNIQUE = /VehicleDescriptor$/;

/** All chunks of a file have the same types, because they depend on nothing but the column. */
export function arrowOf(columns: readonly OutputColumn[], rows: number): Uint8Array<ArrayBuffer> {
  const children = columns.map((column, index) => dataOf(column, rows, FIRST_DICTIONARY + index));
  const fields = columns.map(({ name }, index) => new Field(name, children[index]!.type, true));
  return chunkOf(fields, children, rows);
}

function chunkOf(fields: ArrowField[], children: Data[], rows: number): Uint8Array<ArrayBuffer> {
  const schema = new Schema(fields);
  const struct = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children });
  const table = new Table(schema, [new RecordBatch(schema, struct)]);
  const bytes = tableToIPC(table, 'stream') as Uint8Array<ArrayBuffer>;
  // It may only be a part of a larger buffer, which can't be sent to another thread.
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

/**
 * A table without rows for the beginning of a file, which says that texts are texts. The writer takes dictionaries for them, but
 * a file that began with dictionaries would be read as categories.
 */
export function plainStart(chunk: Uint8Array): Uint8Array<ArrayBuffer> {
  const table = tableFromIPC(chunk);
  const children = table.schema.fields.map(({ type }, index) => {
    const isOurs = DataType.isDictionary(type) && type.id >= FIRST_DICTIONARY;
    // Lists have other columns inside, which a part of them keeps.
    return isOurs ? texts([]) : table.getChildAt(index)!.data[0]!.slice(0, 0);
  });
  const fields = table.schema.fields.map(({ name }, index) => new Field(name, children[index]!.type, true));
  return chunkOf(fields, children, 0);
}

function dataOf(column: OutputColumn, rows: number, id: number): Data {
  if ('vector' in column) {
    // The writer can't take a column without a type, as pandas writes one that is empty.
    const isUntyped = DataType.isNull(column.vector.type);
    return isUntyped ? texts(Array.from({ length: rows }, () => null)) : column.vector.data[0]!;
  }
  if ('indexes' in column) {
    const { indexes, values, type, name } = column;
    if (type !== 'text') return numbers(indexes, values.map(parsed), type);
    if (UNIQUE.test(name)) return texts(Array.from(indexes, (index) => values[index]!));
    return makeData({
      type: new Dictionary(new Utf8(), new Uint16(), id),
      length: rows,
      nullCount: 0,
      // The first value is null, so that the rows need no list of nulls.
      data: indexes as Uint16Array,
      dictionary: makeVector(texts(values)),
    });
  }
  if (column.type === 'text') return texts(column.cells.map(textOrNull));
  const numberOf = column.type === 'date' ? dayOf : Number;
  const values = column.cells.map((cell) => (cell === null || cell === undefined ? null : numberOf(cell)));
  return numbers(Uint32Array.from(values.keys()), values, column.type);
}

const DAY_MS = 86_400_000;
const dayOf = (iso: unknown): number => Date.parse(String(iso)) / DAY_MS;

const textOrNull = (cell: unknown): string | null => cellText(cell) || null;

const parsed = (text: string | null): number | null => {
  const number = Number.parseFloat(text ?? '');
  return Number.isNaN(number) ? null : number;
};

function texts(values: readonly (string | null)[]): Data<Utf8Type> {
  const offsets = new Int32Array(values.length + 1);
  const joined = values.join('');
  const data = Buffer.from(joined);
  const isAscii = data.length === joined.length;
  let at = 0;
  for (let index = 0; index < values.length; index++) {
    const text = values[index];
    if (text) at += isAscii ? text.length : Buffer.byteLength(text);
    offsets[index + 1] = at;
  }
  return makeData({
    type: new Utf8(),
    length: values.length,
    ...nullsOf(values),
    valueOffsets: offsets,
    data,
  });
}

/** Numbers of rows. `values`: what the indexes stand for. */
function numbers(
  indexes: Uint16Array | Uint32Array,
  values: readonly (number | null)[],
  type: ColumnType,
): Data {
  const { length } = indexes;
  const nullBitmap = new Uint8Array((length + 7) >> 3);
  let nullCount = 0;
  const fill = (set: (row: number, value: number) => void): void => {
    for (let row = 0; row < length; row++) {
      const value = values[indexes[row]!]!;
      if (value === null) nullCount++;
      else {
        nullBitmap[row >> 3]! |= 1 << (row & 7);
        set(row, value);
      }
    }
  };
  const made = <T extends Type>(dataType: T, data: unknown) =>
    makeData({
      type: dataType,
      length,
      data,
      ...(nullCount === 0 ? { nullCount } : { nullCount, nullBitmap }),
    } as never) as Data<T>;
  if (type === 'boolean') {
    const bits = new Uint8Array((length + 7) >> 3);
    fill((row, value) => (bits[row >> 3]! |= value << (row & 7)));
    return made(new Bool(), bits);
  }
  if (type === 'money') {
    // Sixteen bytes each, the lowest first.
    const words = new BigInt64Array(length * 2);
    fill((row, value) => {
      words[row * 2] = BigInt(value);
      words[row * 2 + 1] = value < 0 ? -1n : 0n;
    });
    return made(MONEY, new Uint32Array(words.buffer));
  }
  const data = type === 'double' ? new Float64Array(length) : new Int32Array(length);
  fill((row, value) => (data[row] = value));
  return made(type === 'double' ? new Float64() : type === 'date' ? new DateDay() : new Int32(), data);
}

/** A list of nulls only where there are some. */
function nullsOf(values: readonly (string | null)[]): { nullCount: number; nullBitmap?: Uint8Array } {
  if (!values.includes(null)) return { nullCount: 0 };
  const nullBitmap = new Uint8Array((values.length + 7) >> 3);
  let nullCount = 0;
  for (let index = 0; index < values.length; index++) {
    if (values[index] === null) nullCount++;
    else nullBitmap[index >> 3]! |= 1 << (index & 7);
  }
  return { nullCount, nullBitmap };
}
