import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { DataFileError, HEADER_AT, headerOf, MAGIC, sectionsOf, type VpicData } from './data-file.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { packedBytes, type PackedIndex, joinParts, readPart } from './parts.ts';

/** Loads the data file in Node, Deno and Bun. */

export const bundledPath = fileURLToPath(new URL('../data/vpic.bin', import.meta.url));

/** Verifies and unpacks a data file. Throws DataFileError if it isn't one or is damaged. */
export function readDataFile(bytes: Uint8Array): VpicData {
  if (bytes.length < HEADER_AT || new TextDecoder().decode(bytes.subarray(0, 8)) !== MAGIC) {
    throw new DataFileError(
      "This isn't a vPIC data file. Build one with compileRelease of @monroney/vin/compile.",
    );
  }
  const sum = createHash('sha256').update(bytes.subarray(40)).digest();
  if (!sum.equals(bytes.subarray(8, 40))) {
    throw new DataFileError(
      "The vPIC data file is damaged: its checksum doesn't match. Get or build it again.",
    );
  }
  const { header, end } = headerOf(bytes, 40);
  return sectionsOf(header, brotliDecompressSync(bytes.subarray(end), oneChunk(header.size)));
}

export function bundledBytes(path: string = bundledPath): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new DataFileError(
      `Can't read the vPIC data file ${path}. Install the package again, or build a file with compileRelease of @monroney/vin/compile.`,
      { cause },
    );
  }
}

let bundled: Decoder | undefined;

/** Loads a data file, by default the package's own data, which is loaded once. Throws DataFileError if it isn't one or is damaged. */
export function loadVpic(bytes?: Uint8Array): Decoder {
  return bytes ? createDecoder(readDataFile(bytes)) : (bundled ??= createDecoder(bundledData()));
}

/** Loads the data file at a path, by default the package's own data. */
export function loadBundled(path?: string): Decoder {
  return loadVpic(path === undefined ? undefined : bundledBytes(path));
}

const partsFolder = new URL('../data/parts/', import.meta.url);

/** A checkout has the data in one file. The built package has it in parts, because browsers need it that way. */
function bundledData(): VpicData {
  return existsSync(new URL('index.json', partsFolder))
    ? dataOfParts(partsFolder)
    : readDataFile(bundledBytes());
}

/** The release month of the package's own data, without loading it. */
export function bundledMonth(): string {
  const index = new URL('index.json', partsFolder);
  return existsSync(index)
    ? (JSON.parse(readFileSync(index, 'utf8')) as PackedIndex).header.month
    : headerOf(bundledBytes(), 40).header.month;
}

/** Joins the parts in a folder. */
function dataOfParts(folder: URL): VpicData {
  const { header, sha256, parts } = JSON.parse(
    readFileSync(new URL('index.json', folder), 'utf8'),
  ) as PackedIndex;
  const hash = createHash('sha256');
  const unpacked = parts.map((packed) => {
    const text = readFileSync(new URL(`${packed.name}.js`, folder), 'latin1');
    hash.update(text, 'latin1');
    return readPart(gunzipSync(packedBytes(text, packed), oneChunk(packed.size)));
  });
  if (hash.digest('hex') !== sha256)
    throw new DataFileError(
      "The vPIC data is damaged: its checksum doesn't match. Install the package again.",
    );
  return joinParts(header, unpacked);
}

/** One chunk of the right size: joining many small ones would take twice the memory. */
const oneChunk = (size: number) => ({ chunkSize: Math.max(size, 64), maxOutputLength: size });
