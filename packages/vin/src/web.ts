/** For browsers and workers: no Node modules, and data in parts that are loaded on demand. */
import { DataFileError, headerOf, sectionsOf } from './data-file.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { gunzip } from './gunzip.ts';
import { asOpen, type OpenVpic } from './open.ts';
import type { PartIndex } from './packed-parts.ts';

export * from './core.ts';

/** Loads a file from the package's `data/parts` folder, such as `index.json` or `common.js`. */
export type LoadPiece = (name: string) => Promise<Uint8Array | ArrayBuffer>;

export interface OpenOptions {
  /** The URL of a copy of the package's `data/parts` folder. Default: the modules that your bundler found. */
  base?: string | URL;
  /** Loads a file from there. Default: `fetch` from `base`. */
  load?: LoadPiece;
}

/** Of a service: pieces with everything that a few manufacturers need. */
interface PieceIndex {
  month: string;
  /** The prefixes of the manufacturers' identifiers, one per piece. */
  pieces: string[];
}

/**
 * Opens the data. Loads what a VIN needs when it is first decoded.
 *
 * @example
 * const vpic = await openVpic();
 * const { vehicle } = await vpic.decode('1FTMW1T88MFA00001');
 */
export async function openVpic({ base, load }: OpenOptions = {}): Promise<OpenVpic> {
  if (!load && base === undefined) return openModules();
  const loadFile = load ?? fetchFrom(base!);
  const text = async (name: string) => new TextDecoder().decode(await loadFile(name));
  const index = JSON.parse(await text('index.json')) as PartIndex | PieceIndex;
  if ('pieces' in index) return openPieces(index, loadFile);
  const { openParts } = await import('./open-parts.ts');
  return openParts(index, (name) => text(`${name}.js`));
}

/** Imported on demand, because a page that loads pieces from a service needs none of it. */
async function openModules(): Promise<OpenVpic> {
  const [{ partModules }, { openParts }] = await Promise.all([
    import('./part-modules.ts'),
    import('./open-parts.ts'),
  ]);
  if (!partModules)
    throw new DataFileError('Only the built package has data for browsers. Use `base` or `load`.');
  const { index, modules } = partModules;
  return openParts(index, async (name) => (await modules[name]!()).default);
}

function openPieces({ month, pieces }: PieceIndex, load: LoadPiece): OpenVpic {
  const names = new Set(pieces);
  const opened = new Map<string, Promise<Decoder>>();

  /** For an unknown manufacturer any piece will do. */
  const nameFor = (vin: string): string => {
    const code = vin.trim().toUpperCase();
    return [3, 2, 1].map((length) => code.slice(0, length)).find((name) => names.has(name)) ?? pieces[0]!;
  };

  function decoderFor(vin: string): Promise<Decoder> {
    const name = nameFor(vin);
    let decoder = opened.get(name);
    if (!decoder) {
      decoder = load(`${name}.bin`).then(unpack).then(createDecoder);
      // A failed load may work later.
      decoder.catch(() => opened.delete(name));
      opened.set(name, decoder);
    }
    return decoder;
  }

  const unavailable = async (): Promise<never> => {
    throw new DataFileError('These pieces have no lists of makes and models.');
  };
  return asOpen(month, decoderFor, {
    makes: unavailable,
    models: unavailable,
    testVin: async (options) =>
      options?.wmi === undefined ? unavailable() : (await decoderFor(options.wmi)).testVin(options),
  });
}

function fetchFrom(base: string | URL): LoadPiece {
  // A path such as `/parts` is relative to the page.
  const folder = new URL(base, globalThis.location?.href);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return async (name) => {
    const response = await fetch(new URL(name, folder));
    if (!response.ok) throw new DataFileError(`Can't load ${name}: HTTP status ${response.status}.`);
    return response.arrayBuffer();
  };
}

async function unpack(given: Uint8Array | ArrayBuffer) {
  const bytes = await gunzip(given);
  const { header, end } = headerOf(bytes, 0);
  return sectionsOf(header, bytes.subarray(end));
}
