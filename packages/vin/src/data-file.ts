import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { sections, texts, type SectionName, type TextName } from './layout.ts';

/**
 * magic (8) | SHA-256 of all that follows (32) | length of the header (4) | header, JSON | payload, brotli.
 * The payload is the sections one after the other, each padded to four bytes, so that they are read in place.
 */
export const MAGIC = 'MONVIN1\n';
export const HEADER_AT = 44;

export interface DataHeader {
  month: string;
  /** SHA-256 of the dump. */
  input: string;
  counts: Record<string, number>;
  /** Bytes of the payload when unpacked. */
  size: number;
  /** Length of each section: numbers, or bytes of a text. */
  sections: Record<SectionName | TextName, number>;
}

export type Numbers = Uint8Array | Uint16Array | Int32Array;
export interface VpicData {
  header: DataHeader;
  numbers: Record<SectionName, Numbers>;
  bytes: Record<TextName, Uint8Array>;
}

/** The data file is missing, damaged or of another make. */
export class DataFileError extends Error {
  override name = 'DataFileError';
}

export const bundledPath = fileURLToPath(new URL('../data/vpic.bin', import.meta.url));

function checked(bytes: Uint8Array): DataHeader {
  const text = new TextDecoder();
  if (bytes.length < HEADER_AT || text.decode(bytes.subarray(0, 8)) !== MAGIC) {
    throw new DataFileError('This is not a vPIC data file. Build one with: npm run vpic:build -- <dump>');
  }
  const sum = createHash('sha256').update(bytes.subarray(40)).digest();
  if (!sum.equals(bytes.subarray(8, 40))) {
    throw new DataFileError(
      'The vPIC data file is damaged: its checksum does not agree. Build it again with: npm run vpic:build -- <dump>',
    );
  }
  const length = new DataView(bytes.buffer, bytes.byteOffset + 40, 4).getUint32(0, true);
  return JSON.parse(text.decode(bytes.subarray(HEADER_AT, HEADER_AT + length))) as DataHeader;
}

function undelta(numbers: Numbers): void {
  for (let i = 1; i < numbers.length; i++) numbers[i] = numbers[i]! + numbers[i - 1]!;
}

/** Verifies and unpacks a data file. Throws DataFileError for anything but a whole one. */
export function readDataFile(bytes: Uint8Array): VpicData {
  const header = checked(bytes);
  const start = HEADER_AT + new DataView(bytes.buffer, bytes.byteOffset + 40, 4).getUint32(0, true);
  // One chunk of the right size: many small ones would have to be joined, which takes their memory twice.
  const unpacked = brotliDecompressSync(bytes.subarray(start), {
    chunkSize: Math.max(header.size, 64),
    maxOutputLength: header.size,
  });
  // Sections are read as words in place, so they must start on a word.
  const payload = unpacked.byteOffset % 4 === 0 ? unpacked : new Uint8Array(unpacked);
  let at = payload.byteOffset;
  const next = (size: number): number => {
    const from = at;
    at += Math.ceil(size / 4) * 4;
    return from;
  };
  const numbers = {} as Record<SectionName, Numbers>;
  for (const name of Object.keys(sections) as SectionName[]) {
    const { wide, delta } = sections[name];
    const length = header.sections[name];
    const Kind = wide === 1 ? Uint8Array : wide === 2 ? Uint16Array : Int32Array;
    numbers[name] = new Kind(payload.buffer, next(length * wide), length);
    if (delta) undelta(numbers[name]);
  }
  const parts = {} as Record<TextName, Uint8Array>;
  for (const name of texts)
    parts[name] = new Uint8Array(payload.buffer, next(header.sections[name]), header.sections[name]);
  return { header, numbers, bytes: parts };
}

export function bundledBytes(path: string = bundledPath): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new DataFileError(
      `The vPIC data file ${path} cannot be read. Get it with: npm run vpic:fetch, or build it from a dump with: npm run vpic:build -- <dump>`,
      { cause },
    );
  }
}
