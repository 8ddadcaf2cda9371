/** For browsers and workers: no Node modules, and data in parts that are loaded on demand. */
import { DataFileError } from './data-file.ts';
import { fetchFrom, type LoadFile, gunzip, type OpenVpic, openParts } from './open.ts';
import { packedBytes, type PackedIndex, type PackedPart, readPart, type Part } from './parts.ts';

export * from './core.ts';

export interface OpenOptions {
  /** The URL of a copy of the package's `data/parts` folder. Default: the modules that your bundler found. */
  base?: string | URL;
  /** Loads a file from there, such as `index.json` or `common.js`. Default: `fetch` from `base`. */
  load?: LoadFile;
}

/**
 * Opens the data. Loads what a VIN needs when it is first decoded.
 *
 * @example
 * const vpic = await openVpic();
 * const { vehicle } = await vpic.decode('1FTMW1T88MFA00001');
 */
export async function openVpic({
  base,
  load = base === undefined ? undefined : fetchFrom(base),
}: OpenOptions = {}): Promise<OpenVpic> {
  if (load) {
    const text = async (name: string) => new TextDecoder().decode(await load(name));
    const index = JSON.parse(await text('index.json')) as PackedIndex;
    return openParts(index, async (part) => unpack(await text(`${part.name}.js`), part));
  }
  const { partModules } = await import('./part-modules.ts');
  if (!partModules)
    throw new DataFileError('Only the built package has data for browsers. Use `base` or `load`.');
  const { index, modules } = partModules;
  return openParts(index, async (part) => unpack((await modules[part.name]!()).default, part));
}

async function unpack(text: string, part: PackedPart): Promise<Part> {
  return readPart(await gunzip(packedBytes(text, part)));
}
