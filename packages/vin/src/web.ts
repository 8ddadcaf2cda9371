/** For browsers and workers: nothing of Node's, and the data in pieces, each fetched when a VIN needs it. */
import { DataFileError, headerOf, sectionsOf } from './data-file.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { gunzip } from './gunzip.ts';
import { listsFrom } from './list-files.ts';
import { asOpen, type OpenVpic } from './open.ts';

export * from './core.ts';

/** Gets a file of the package's `data/pieces` folder, such as `index.json` or `1F.bin`. */
export type LoadPiece = (name: string) => Promise<Uint8Array | ArrayBuffer>;

export interface OpenOptions {
  /** Where the pieces are; beside this module when not given. */
  base?: string | URL;
  /** How a piece is got; with `fetch` from `base` when not given. */
  load?: LoadPiece;
}

interface PieceIndex {
  month: string;
  /** What the names of manufacturers in a piece begin with. */
  pieces: string[];
}

/**
 * Opens the data. Only a small index is loaded now; a VIN loads the piece of its manufacturer, once.
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

  /** VINs of nobody's are told so by any piece. */
  const nameFor = (vin: string): string => {
    const code = vin.trim().toUpperCase();
    return [3, 2, 1].map((length) => code.slice(0, length)).find((name) => names.has(name)) ?? pieces[0]!;
  };

  function decoderFor(vin: string): Promise<Decoder> {
    const name = nameFor(vin);
    let decoder = opened.get(name);
    if (!decoder) {
      decoder = load(`${name}.bin`).then(unpack).then(createDecoder);
      // What failed may work later.
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
    if (!response.ok) throw new DataFileError(`${name} answered ${response.status}.`);
    return response.arrayBuffer();
  };
}

async function unpack(given: Uint8Array | ArrayBuffer) {
  const bytes = await gunzip(given);
  const { header, end } = headerOf(bytes, 0);
  return sectionsOf(header, bytes.subarray(end));
}
