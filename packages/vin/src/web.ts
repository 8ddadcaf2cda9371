/** For the pages of a service, which carves pieces out of its own data: each has all that a few manufacturers need. */
import { DataFileError, headerOf, sectionsOf } from './data-file.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { fetchFrom, type LoadFile } from './fetch-files.ts';
import { asOpen, type OpenVpic } from './open.ts';

export * from './core.ts';

export interface PieceOptions {
  /** The URL of the pieces. Default: next to this module. */
  base?: string | URL;
  /** Loads a piece. Default: `fetch` from `base`. */
  load?: LoadFile;
}

interface PieceIndex {
  month: string;
  /** The prefixes of the manufacturers' identifiers, one per piece. */
  pieces: string[];
}

/** Opens the data. Loads a small index now, and the piece of a manufacturer when a VIN first needs it. */
export async function openVpic({
  base = import.meta.url.slice(0, import.meta.url.lastIndexOf('/')),
  load = fetchFrom(base),
}: PieceOptions = {}): Promise<OpenVpic> {
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

  const unavailable = async (): Promise<never> => {
    throw new DataFileError('Pieces have no lists of makes and models.');
  };
  return asOpen(month, decoderFor, {
    makes: unavailable,
    models: unavailable,
    testVin: async (options) =>
      options?.wmi === undefined ? unavailable() : (await decoderFor(options.wmi)).testVin(options),
  });
}

async function unpack(given: Uint8Array | ArrayBuffer) {
  let bytes = new Uint8Array(given as ArrayBuffer);
  // A server may have unpacked it already.
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  }
  const { header, end } = headerOf(bytes, 0);
  return sectionsOf(header, bytes.subarray(end));
}
