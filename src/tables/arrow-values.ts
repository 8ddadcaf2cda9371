import type { DataType as Type, Timestamp, Vector } from 'apache-arrow';
import { arrow } from './arrow-library.ts';

const { DataType, tableFromIPC, TimeUnit } = arrow;

/** Reads the columns of a Parquet file's rows. JSON has no 64-bit integers and no bytes: those become text. */

export interface ArrowRows {
  rows: number;
  columns: { name: string; vector: Vector }[];
}

export function arrowRows(bytes: Uint8Array): ArrowRows {
  const table = tableFromIPC(bytes);
  const columns = table.schema.fields.map(({ name }, index) => ({ name, vector: table.getChildAt(index)! }));
  return { rows: table.numRows, columns };
}

/** The values of a column, as JSON can have them. */
export function valuesOf(vector: Vector): unknown[] {
  const convert = converter(vector.type);
  return Array.from({ length: vector.length }, (_, index) => {
    const raw = isTime(vector.type) ? rawAt(vector, index) : (vector.get(index) as unknown);
    return raw === null || raw === undefined ? null : convert(raw);
  });
}

const isTime = (type: Type): boolean => DataType.isTimestamp(type);

/** The stored number: the library's own value has no more than milliseconds. */
function rawAt(vector: Vector, index: number): unknown {
  if (!vector.isValid(index)) return null;
  let at = index;
  for (const data of vector.data) {
    if (at < data.length) return (data.values as BigInt64Array)[at];
    at -= data.length;
  }
  return null;
}

function converter(type: Type): (raw: unknown) => unknown {
  if (DataType.isDecimal(type)) return (raw) => decimalText(raw as Uint32Array, type.scale);
  if (DataType.isTimestamp(type)) return (raw) => timeText(raw as bigint, type);
  // As a time of the first day.
  if (DataType.isTime(type))
    return (raw) => timeText(BigInt(raw as number | bigint), { unit: type.unit }).slice('1970-01-01T'.length);
  if (DataType.isDate(type)) return (raw) => new Date(raw as number).toISOString().slice(0, 10);
  return plainValue;
}

function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (typeof value !== 'object' || value === null) return value ?? null;
  // Lists, structs and maps of the library have this.
  const json = (value as { toJSON?: () => unknown }).toJSON?.() ?? value;
  if (Array.isArray(json)) return json.map(plainValue);
  return Object.fromEntries(Object.entries(json).map(([name, part]) => [name, plainValue(part)]));
}

/** Four numbers of 32 bits, the lowest first. */
function decimalText(words: Uint32Array, scale: number): string {
  let unscaled = 0n;
  for (const word of Array.from(words).toReversed()) unscaled = (unscaled << 32n) | BigInt(word);
  unscaled = BigInt.asIntN(words.length * 32, unscaled);
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return unscaled < 0n ? `-${text}` : text;
}

const DIGITS: Record<number, number> = {
  [TimeUnit.SECOND]: 0,
  [TimeUnit.MILLISECOND]: 3,
  [TimeUnit.MICROSECOND]: 6,
  [TimeUnit.NANOSECOND]: 9,
};

/** A time since 1970, with all of its digits. One without a time zone is a local time. */
function timeText(time: bigint, { unit, timezone }: Pick<Timestamp, 'unit' | 'timezone'>): string {
  const digits = DIGITS[unit]!;
  const perSecond = 10n ** BigInt(digits);
  const fraction = ((time % perSecond) + perSecond) % perSecond;
  const seconds = Number((time - fraction) / perSecond);
  const text = new Date(seconds * 1000).toISOString().slice(0, -5);
  return `${text}${digits === 0 ? '' : `.${String(fraction).padStart(digits, '0')}`}${timezone ? 'Z' : ''}`;
}
