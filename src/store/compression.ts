import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

// Zstandard at its default level shrinks a label's text from 30 KB to 8 KB in a third of a millisecond. Brotli at the
// same speed is a tenth larger. At 8 KB a row is cheaper than a file.

export function compressJson(value: unknown): Buffer {
  return zstdCompressSync(JSON.stringify(value));
}

export function decompressJson<T>(bytes: Uint8Array): T {
  return JSON.parse(zstdDecompressSync(bytes).toString()) as T;
}
