import { type Decoder, createDecoder } from './decoder.ts';
import type { Decoded, DecodedFull, DecodeOptions, Make, Model, ModelFilter, TestVinOptions, VpicValues, VpicVariable, WmiInfo } from './types.ts';
import { COMMON, type NamedPart, type PartIndex, joinParts, type Part } from './parts.ts';
import { DataFileError } from './data-file.ts';

/** An asynchronous decoder, the same on every platform. In browsers it loads its data in parts. */
export interface OpenVpic {
  /** Release month of the data, `2026-10`. */
  month: string;
  decode(vin: string, options?: DecodeOptions): Promise<Decoded>;
  decodeFull(vin: string, options?: DecodeOptions): Promise<DecodedFull>;
  /** Decodes one VIN at a time, as you read from it. */
  decodeMany(
    vins: Iterable<string> | AsyncIterable<string>,
    options?: DecodeOptions,
  ): AsyncIterableIterator<Decoded>;
  /** In the shape of NHTSA's `DecodeVinValues`. */
  values(vin: string, options?: DecodeOptions): Promise<VpicValues>;
  /** In the shape of NHTSA's `DecodeVin`, or with `extended` of `DecodeVinExtended`. */
  variables(vin: string, options?: DecodeOptions & { extended?: boolean }): Promise<VpicVariable[]>;
  wmi(code: string): Promise<WmiInfo | null>;
  makes(): Promise<Make[]>;
  models(make: string | number, filter?: ModelFilter | number): Promise<Model[]>;
  makesOf(vin: string): Promise<string[]>;
  repair(text: string, options?: DecodeOptions): Promise<string | null>;
  candidates(text: string, options?: DecodeOptions): Promise<string[]>;
  testVin(options?: TestVinOptions): Promise<string | null>;
}

/** What isn't about one manufacturer. */
export type Lists = Pick<OpenVpic, 'makes' | 'models' | 'testVin'>;

/** `decoderFor`: loads the decoder for a VIN's manufacturer. */
export function asOpen(month: string, decoderFor: (vin: string) => Promise<Decoder>, lists: Lists): OpenVpic {
  const open: OpenVpic = {
    ...lists,
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

  /** For an unknown manufacturer any part will do. */
  const decoderFor = (vin: string): Promise<Decoder> => {
    const code = vin.trim().toUpperCase();
    const prefix = [3, 2, 1].map((length) => code.slice(0, length)).find((name) => byPrefix.has(name));
    return decoderWith([
      byPrefix.get(prefix ?? '') ?? parts.find(({ prefixes: [first] }) => first !== undefined)!,
    ]);
  };
  const complete = (): Promise<Decoder> => decoderWith(parts.filter((named) => named !== common));

  return asOpen(header.month, decoderFor, {
    makes: async () => (await complete()).makes(),
    models: async (make, filter) => (await complete()).models(make, filter),
    testVin: async (options) =>
      (await (options?.wmi === undefined ? complete() : decoderFor(options.wmi))).testVin(options),
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
