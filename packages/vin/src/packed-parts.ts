import { DataFileError, type DataHeader } from './data-file.ts';
import { readPart, type Part } from './parts.ts';
import { bytesOf } from './text-bytes.ts';

/** The parts of a release, by name. */
export interface PartIndex<P extends NamedPart = NamedPart> {
  header: DataHeader;
  parts: P[];
}

export interface NamedPart {
  name: string;
  /** The beginnings of the manufacturers' identifiers; none for parts that a browser always or never loads. */
  prefixes: string[];
}

/** The parts as the package has them: `index.json`, and one JavaScript module per part. */
export interface PackedIndex extends PartIndex<PackedPart> {
  /** SHA-256 of all modules, in order. */
  sha256: string;
}

export interface PackedPart extends NamedPart {
  /** Bytes before and after compression. */
  size: number;
  packed: number;
  /** Every byte is changed by this before compression, so that brotli finds no words of its dictionary, which browsers lack. */
  mask: number;
}

/** The part that every decode needs. */
export const COMMON = 'common';

/** A module's text, or the string that it exports. */
export function packedBytes(text: string, { name, packed }: PackedPart): Uint8Array {
  const string = text.startsWith('export') ? text.slice(text.indexOf('"') + 1, text.lastIndexOf('"')) : text;
  if (string.length !== 2 * Math.ceil((packed * 8) / 13))
    throw new DataFileError(`The data file ${name}.js is damaged.`);
  return bytesOf(string, packed);
}

export function unpackPart(text: string, packed: PackedPart, unbrotli: Unbrotli): Part {
  const bytes = unbrotli(packedBytes(text, packed), packed.size);
  // In words, because Node unpacks twenty megabytes at once.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const words = new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4);
  const wordMask = packed.mask * 0x01010101;
  for (let i = 0; i < words.length; i++) words[i]! ^= wordMask;
  return readPart(aligned);
}

export type Unbrotli = (bytes: Uint8Array, size: number) => Uint8Array;
