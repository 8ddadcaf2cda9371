/** For browsers and workers: no Node modules, and data in pieces that are fetched on demand. */
import { DataFileError, headerOf, sectionsOf } from './data-file.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { gunzip } from './gunzip.ts';
import { listsFrom } from './list-files.ts';
import { asOpen, type OpenVpic } from './open.ts';

export * from './core.ts';

/** Loads a file from the package's `data/pieces` folder, such as `index.json` or `1F.bin`. */
export type LoadPiece = (name: string) => Promise<Uint8Array | ArrayBuffer>;

export interface OpenOptions {
  /** The URL of the pieces. Default: next to this module. */
  base?: string | URL;
  /** Loads a piece. Default: `fetch` from `base`. */
  load?: LoadPiece;
}

interface PieceIndex {
  month: string;
  /** The prefixes of the manufacturers' identifiers, one per piece. */
  pieces: string[];
}

/**
 * Opens the data. Loads a small index now, and the piece of a manufacturer when a VIN first needs it.
 *
 * @example
 * const vpic = await openVpic();
 * const { vehicle } = await vpic.decode('1FTMW1T88MFA00001');
 */
export async function openVpic({ base, load = fetchFrom(base) }: OpenOptions = {}): Promise<OpenVpic> {
  const text = new TextDecoder().decode(await load('index.json'));
  const { month, pieces } = JSON.parse(text) as PieceIndex;
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

  return asOpen(month, decoderFor, listsFrom(load, decoderFor));
}

function fetchFrom(base: string | URL = new URL('../data/pieces/', import.meta.url)): LoadPiece {
  return async (name) => {
    const response = await fetch(new URL(name, base));
    if (!response.ok) throw new DataFileError(`Can't load ${name}: HTTP status ${response.status}.`);
    return response.arrayBuffer();
  };
}

async function unpack(given: Uint8Array | ArrayBuffer) {
  const bytes = await gunzip(given);
  const { header, end } = headerOf(bytes, 0);
  return sectionsOf(header, bytes.subarray(end));
}
