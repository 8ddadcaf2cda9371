import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { DataFileError, HEADER_AT, headerOf, MAGIC, sectionsOf, type VpicData } from './data-file.ts';
import { createDecoder, type Decoder } from './decoder.ts';

/** Loads the data file in Node, Deno and Bun. */

export const bundledPath = fileURLToPath(new URL('../data/vpic.bin', import.meta.url));

/** Verifies and unpacks a data file. Throws DataFileError if it isn't one or is damaged. */
export function readDataFile(bytes: Uint8Array): VpicData {
  if (bytes.length < HEADER_AT || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) {
    throw new DataFileError("This isn't a vPIC data file. Build one with: npm run vpic:build -- <dump>");
  }
  const sum = createHash('sha256').update(bytes.subarray(40)).digest();
  if (!sum.equals(bytes.subarray(8, 40))) {
    throw new DataFileError(
      "The vPIC data file is damaged: its checksum doesn't match. Build it again with: npm run vpic:build -- <dump>",
    );
  }
  const { header, end } = headerOf(bytes, 40);
  // One chunk of the right size: joining many small ones would take twice the memory.
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
      `Can't read the vPIC data file ${path}. Get it with: npm run vpic:fetch, or build it from a dump with: npm run vpic:build -- <dump>`,
      { cause },
    );
  }
}

/** Loads a data file, by default the package's own. Throws DataFileError if it isn't one or is damaged. */
export function loadVpic(bytes: Uint8Array = bundledBytes()): Decoder {
  return createDecoder(readDataFile(bytes));
}

/** Loads the data file at a path, by default the package's own. */
export function loadBundled(path?: string): Decoder {
  return loadVpic(bundledBytes(path));
}
