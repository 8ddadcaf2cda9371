import { arrayOf, sections, texts, type SectionName, type TextName } from './layout.ts';

/**
 * Magic (8) | SHA-256 of the rest (32) | length of the header (4) | header, JSON | payload, brotli.
 * The payload is the sections in order, each padded to four bytes, so that they can be used in place.
 */
export const MAGIC = 'MONVIN3\n';
export const HEADER_AT = 44;

export interface DataHeader {
  month: string;
  /** SHA-256 of the dump. */
  input: string;
  counts: Record<string, number>;
  /** Size of the unpacked payload in bytes. */
  size: number;
  /** Length of each section: how many numbers, or how many bytes of text. */
  sections: Record<SectionName | TextName, number>;
}

export type Numbers = Uint8Array | Uint16Array | Int32Array;
export interface VpicData {
  header: DataHeader;
  numbers: Record<SectionName, Numbers>;
  bytes: Record<TextName, Uint8Array>;
}

/** The data file is missing, damaged or not a vPIC data file. */
export class DataFileError extends Error {
  override name = 'DataFileError';
}

/** The header at `at` (its length comes first), and where it ends. */
export function headerOf(bytes: Uint8Array, at: number): { header: DataHeader; end: number } {
  const end = at + 4 + new DataView(bytes.buffer, bytes.byteOffset + at, 4).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(at + 4, end))) as DataHeader;
  return { header, end };
}

/** From differences to the numbers themselves. */
export function undelta(numbers: Numbers): void {
  for (let i = 1; i < numbers.length; i++) numbers[i] = numbers[i]! + numbers[i - 1]!;
}

/** Splits an unpacked payload into its sections without copying. */
export function sectionsOf(header: DataHeader, unpacked: Uint8Array): VpicData {
  // Sections are read as 32-bit words, so they must be aligned.
  const payload = unpacked.byteOffset % 4 === 0 ? unpacked : new Uint8Array(unpacked);
  let offset = payload.byteOffset;
  const next = (size: number): number => {
    const start = offset;
    offset += Math.ceil(size / 4) * 4;
    return start;
  };
  const numbers = {} as Record<SectionName, Numbers>;
  for (const name of Object.keys(sections) as SectionName[]) {
    const { wide, delta } = sections[name];
    const length = header.sections[name];
    numbers[name] = new (arrayOf(wide))(payload.buffer as ArrayBuffer, next(length * wide), length);
    if (delta) undelta(numbers[name]);
  }
  const parts = {} as Record<TextName, Uint8Array>;
  for (const name of texts)
    parts[name] = new Uint8Array(payload.buffer, next(header.sections[name]), header.sections[name]);
  return { header, numbers, bytes: parts };
}
