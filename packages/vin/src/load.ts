import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { DataFileError, HEADER_AT, headerOf, MAGIC, sectionsOf, type VpicData } from './data-file.ts';
import { createDecoder, type Decoder } from './decoder.ts';

/** Loading in Node, Deno and Bun: the whole data file, at once. */

export const bundledPath = fileURLToPath(new URL('../data/vpic.bin', import.meta.url));

/** Verifies and unpacks a data file. Throws DataFileError for anything but a whole one. */
export function readDataFile(bytes: Uint8Array): VpicData {
  if (bytes.length < HEADER_AT || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) {
    throw new DataFileError('This is not a vPIC data file. Build one with: npm run vpic:build -- <dump>');
  }
  const sum = createHash('sha256').update(bytes.subarray(40)).digest();
  if (!sum.equals(bytes.subarray(8, 40))) {
    throw new DataFileError(
      'The vPIC data file is damaged: its checksum does not agree. Build it again with: npm run vpic:build -- <dump>',
    );
  }
  const { header, end } = headerOf(bytes, 40);
  // One chunk of the right size: many small ones would have to be joined, which takes their memory twice.
  const unpacked = brotliDecompressSync(bytes.subarray(end), {
    chunkSize: Math.max(header.size, 64),
    maxOutputLength: header.size,
  });
  return sectionsOf(header, unpacked);
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

/** Loads a data file, the package's own when none is given. Throws DataFileError for anything but a whole one. */
export function loadVpic(bytes: Uint8Array = bundledBytes()): Decoder {
  return createDecoder(readDataFile(bytes));
}

/** Loads the data file that comes with the package, or another. */
export function loadBundled(path?: string): Decoder {
  return loadVpic(bundledBytes(path));
}
