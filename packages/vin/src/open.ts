import { type Decoder, createDecoder } from './decoder.ts';
import type { Decoded, DecodeOptions, Vpic } from './types.ts';
import { COMMON, type NamedPart, type PartIndex, joinParts, type Part } from './parts.ts';
import { DataFileError } from './data-file.ts';

type Async<Method> = Method extends (...args: infer Args) => infer Result
  ? (...args: Args) => Promise<Result>
  : never;
type AsyncMethods = Omit<Vpic, 'month' | 'input' | 'counts' | 'kindOf' | 'decodeMany' | 'columns'>;

/** An asynchronous decoder, the same on every platform. In browsers it loads its data in parts. */
export type OpenVpic = Pick<Vpic, 'month'> & { [Name in keyof AsyncMethods]: Async<AsyncMethods[Name]> } & {
  /** Decodes one VIN at a time, as you read from it. */
  decodeMany(
    vins: Iterable<string> | AsyncIterable<string>,
    options?: DecodeOptions,
  ): AsyncIterableIterator<Decoded>;
};

/** `decoderFor`: loads the decoder for a VIN's manufacturer, or without a VIN the one for all. */
export function asOpen(month: string, decoderFor: (vin?: string) => Promise<Decoder>): OpenVpic {
  const open: OpenVpic = {
    month,
    decode: async (vin, options) => (await decoderFor(vin)).decode(vin, options),
    decodeFull: async (vin, options) => (await decoderFor(vin)).decodeFull(vin, options),
    async *decodeMany(vins, options) {
      for await (const vin of vins) yield open.decode(vin, options);
    },
    values: async (vin, options) => (await decoderFor(vin)).values(vin, options),
    variables: async (vin, options) => (await decoderFor(vin)).variables(vin, options),
    makesOf: async (vin) => (await decoderFor(vin)).makesOf(vin),
    repair: async (text, options) => (await decoderFor(text)).repair(text, options),
    candidates: async (text, options) => (await decoderFor(text)).candidates(text, options),
    wmi: async (code) => (await decoderFor(code)).wmi(code),
    makes: async () => (await decoderFor()).makes(),
    models: async (make, filter) => (await decoderFor()).models(make, filter),
    testVin: async (options) => (await decoderFor(options?.wmi)).testVin(options),
  };
  return open;
}

/** Opens a release in parts. Each is loaded when a VIN first needs it; lists of all makes and models need them all. */
export function openParts<P extends NamedPart>(
  { header, parts }: PartIndex<P>,
  loadPart: (named: P) => Promise<Part>,
): OpenVpic {
  const byPrefix = new Map(parts.flatMap((part) => part.prefixes.map((prefix) => [prefix, part])));
  const common = parts.find(({ name }) => name === COMMON)!;
  const loading = new Map<P, Promise<Part>>();
  const joined = new Map<P, Part>();
  let decoder: Decoder | undefined;

  function load(named: P): Promise<Part> {
    let part = loading.get(named);
    if (!part) {
      part = loadPart(named);
      // A failed load may work later.
      part.catch(() => loading.delete(named));
      loading.set(named, part);
    }
    return part;
  }

  /** One decoder for all parts that were needed so far. */
  async function decoderWith(needed: P[]): Promise<Decoder> {
    const wanted = [common, ...needed];
    const loaded = await Promise.all(wanted.map(load));
    if (!decoder || wanted.some((named) => !joined.has(named))) {
      wanted.forEach((named, index) => joined.set(named, loaded[index]!));
      decoder = createDecoder(joinParts(header, [...joined.values()]));
    }
    return decoder;
  }

  return asOpen(header.month, (vin) => {
    if (vin === undefined) return decoderWith(parts.filter((named) => named !== common));
    const code = vin.trim().toUpperCase();
    const prefix = [3, 2, 1].map((length) => code.slice(0, length)).find((name) => byPrefix.has(name));
    // For an unknown manufacturer any part will do.
    return decoderWith([
      byPrefix.get(prefix ?? '') ?? parts.find(({ prefixes: [first] }) => first !== undefined)!,
    ]);
  });
}

/** Loads a file from a folder with data. */
export type LoadFile = (name: string) => Promise<Uint8Array | ArrayBuffer>;

export function fetchFrom(base: string | URL): LoadFile {
  // A path such as `/parts` is relative to the page.
  const folder = new URL(base, globalThis.location?.href);
  if (!folder.pathname.endsWith('/')) folder.pathname += '/';
  return async (name) => {
    const response = await fetch(new URL(name, folder));
    if (!response.ok) throw new DataFileError(`Can't load ${name}: HTTP status ${response.status}.`);
    return response.arrayBuffer();
  };
}

/** Unpacks gzip with what browsers and workers have. */
export async function gunzip(packed: Uint8Array | ArrayBuffer): Promise<Uint8Array> {
  const stream = new Blob([packed as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch (cause) {
    throw new DataFileError("The vPIC data is damaged: it can't be unpacked.", { cause });
  }
}
