import type { SchemaElement, SchemaTree } from 'hyparquet';
import { parseFloat16 } from 'hyparquet/src/convert.js';
import { isListLike, isMapLike } from 'hyparquet/src/schema.js';
import { cellText } from './table.ts';

/** An element whose values are left as they are stored. Text is text in any case. Keys of maps needn't be, so maps are read as structs. */
export function asStored(element: SchemaElement): SchemaElement {
  const { converted_type, logical_type, ...rest } = element;
  const isText = converted_type === 'UTF8' || logical_type?.type === 'STRING';
  return isText || converted_type === 'LIST' ? element : rest;
}

/** Gives the maps in a value that was read with `asStored` as lists of their keys and values. */
export function withMaps(node: SchemaTree, value: unknown): unknown {
  if (value === null || value === undefined || node.children.length === 0) return value;
  const [child] = node.children;
  if (isListLike(node)) {
    const item = child!.children[0] ?? child!;
    return (value as unknown[]).map((each) => withMaps(item, each));
  }
  const fields = value as Record<string, unknown>;
  if (isMapLike(node)) {
    const pairs = fields[child!.element.name] as Record<string, unknown>[] | null;
    return (pairs ?? []).map((pair) => withMaps({ ...child!, element: { name: '' } }, pair));
  }
  return Object.fromEntries(
    node.children.map((each) => [each.element.name, withMaps(each, fields[each.element.name])]),
  );
}

/** What the stored values of a Parquet file mean, as JSON can have it. 64-bit integers and decimals keep all digits as text. */
export function plainValue(node: SchemaTree, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  const { element, children } = node;
  if (children.length === 0) return leafValue(element, stored);
  if (isListLike(node)) {
    const item = children[0]!.children[0] ?? children[0]!;
    return (stored as unknown[]).map((value) => plainValue(item, value));
  }
  if (isMapLike(node)) {
    const [key, value] = children[0]!.children;
    return Object.fromEntries(
      (stored as Record<string, unknown>[]).map((pair) => [
        cellText(plainValue(key!, pair[key!.element.name])),
        plainValue(value!, pair[value!.element.name]),
      ]),
    );
  }
  return Object.fromEntries(
    children.map((child) => {
      const { name } = child.element;
      return [name, plainValue(child, (stored as Record<string, unknown>)[name])];
    }),
  );
}

const DIGITS = { MILLIS: 3, MICROS: 6, NANOS: 9 };
const DAY_MS = 86_400_000;

function leafValue({ type, converted_type, logical_type, scale }: SchemaElement, stored: unknown): unknown {
  const number = stored as number | bigint;
  switch (logical_type?.type ?? converted_type) {
    case 'DECIMAL':
      return decimalText(stored instanceof Uint8Array ? signed(stored) : BigInt(number), scale ?? 0);
    case 'DATE':
      return new Date(Number(number) * DAY_MS).toISOString().slice(0, 10);
    case 'TIMESTAMP': {
      const { unit, isAdjustedToUTC } = logical_type as {
        unit: keyof typeof DIGITS;
        isAdjustedToUTC: boolean;
      };
      return timeText(BigInt(number), DIGITS[unit]) + (isAdjustedToUTC ? 'Z' : '');
    }
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return `${timeText(BigInt(number), converted_type === 'TIMESTAMP_MILLIS' ? 3 : 6)}Z`;
    case 'TIME':
      // As a time of the first day.
      return timeText(BigInt(number), DIGITS[(logical_type as { unit: keyof typeof DIGITS }).unit]).slice(11);
    case 'TIME_MILLIS':
    case 'TIME_MICROS':
      return timeText(BigInt(number), converted_type === 'TIME_MILLIS' ? 3 : 6).slice(11);
    case 'UINT_32':
    case 'UINT_64':
      return integer(unsigned(number, converted_type === 'UINT_32' ? 32 : 64));
    case 'FLOAT16':
      return parseFloat16(stored as Uint8Array);
    case 'JSON':
    case 'ENUM':
      return Buffer.from(stored as Uint8Array).toString();
    default:
      if (stored instanceof Uint8Array) return Buffer.from(stored).toString('base64');
      return type === 'INT64' ? integer(number) : stored;
  }
}

const unsigned = (number: number | bigint, bits: number): bigint => BigInt.asUintN(bits, BigInt(number));

const integer = (number: number | bigint): number | string =>
  Number.isSafeInteger(Number(number)) ? Number(number) : String(number);

/** A signed integer, the highest byte first. */
const signed = (bytes: Uint8Array): bigint =>
  bytes.length === 0
    ? 0n
    : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));

function decimalText(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return unscaled < 0n ? `-${text}` : text;
}

/** A time since 1970, with all of its digits. */
function timeText(time: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const fraction = ((time % perSecond) + perSecond) % perSecond;
  const seconds = Number((time - fraction) / perSecond);
  const text = new Date(seconds * 1000).toISOString().slice(0, -5);
  return `${text}.${String(fraction).padStart(digits, '0')}`;
}
