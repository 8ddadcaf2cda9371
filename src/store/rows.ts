import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { HeldLabel } from './store.ts';

/** A row as both databases return it, in the order of `READ_COLUMNS`. */
export type LabelRow = [
  vin: string,
  make: string,
  source: string,
  host: string,
  fetched: number,
  bytes: number,
  sha256: string,
  color: string | null,
  code: string | null,
  reader: string | null,
  damaged: number | null,
];

export const LABEL_COLUMNS = 'vin, make, source, host, fetched, bytes, sha256, color, code, reader';
/** `damaged` is the time in milliseconds when the bytes were found missing or corrupted. */
export const READ_COLUMNS = `${LABEL_COLUMNS}, damaged`;

export function heldLabel(row: LabelRow): HeldLabel {
  const [vin, make, source, host, fetched, bytes, sha256, color, code, reader, damaged] = row;
  const paint = color === null ? null : { color, code };
  const label: HeldLabel = { vin, make, source, host, fetched, bytes, sha256, paint, reader };
  if (damaged) label.damaged = true;
  return label;
}

// Zstandard at its default level shrinks a label's text from 30 KB to 8 KB in a third of a millisecond. Brotli at the
// same speed is a tenth larger. At 8 KB a row is cheaper than a file.

export function compressJson(value: unknown): Buffer {
  return zstdCompressSync(JSON.stringify(value));
}

export function decompressJson<T>(bytes: Uint8Array): T {
  return JSON.parse(zstdDecompressSync(bytes).toString()) as T;
}
