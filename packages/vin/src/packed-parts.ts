import { DataFileError, type DataHeader } from './data-file.ts';

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
}

/** The part that every decode needs. */
export const COMMON = 'common';

/** The compressed bytes in a module's text, or in the string that it exports: gzip as base64. */
export function packedBytes(text: string, { name, packed }: PackedPart): Uint8Array {
  const string = text.startsWith('export') ? text.slice(text.indexOf('"') + 1, text.lastIndexOf('"')) : text;
  const binary = decodedBase64(string);
  if (binary?.length !== packed) throw new DataFileError(`The data file ${name}.js is damaged.`);
  const bytes = new Uint8Array(packed);
  for (let i = 0; i < packed; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

function decodedBase64(text: string): string | null {
  try {
    return atob(text);
  } catch {
    return null;
  }
}
