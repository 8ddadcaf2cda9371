import { unbrotli } from './brotli.ts';
import { createDecoder, type Decoder } from './decoder.ts';
import { asOpen, type OpenVpic } from './open.ts';
import { COMMON, unpackPart, type PackedPart, type PartIndex } from './packed-parts.ts';
import { joinParts, type Part } from './parts.ts';

/** Opens a release in parts. Each is loaded when a VIN first needs it; lists of all makes and models need them all. */
export function openParts(
  { header, parts }: PartIndex,
  loadText: (name: string) => Promise<string>,
): OpenVpic {
  const byPrefix = new Map(parts.flatMap((part) => part.prefixes.map((prefix) => [prefix, part])));
  const common = parts.find(({ name }) => name === COMMON)!;
  const loading = new Map<PackedPart, Promise<Part>>();
  const joined = new Map<PackedPart, Part>();
  let decoder: Decoder | undefined;

  function load(packed: PackedPart): Promise<Part> {
    let part = loading.get(packed);
    if (!part) {
      part = loadText(packed.name).then((text) => unpackPart(text, packed, unbrotli));
      // A failed load may work later.
      part.catch(() => loading.delete(packed));
      loading.set(packed, part);
    }
    return part;
  }

  /** One decoder for all parts that were needed so far. */
  async function decoderWith(needed: PackedPart[]): Promise<Decoder> {
    const wanted = [common, ...needed];
    const loaded = await Promise.all(wanted.map(load));
    if (!decoder || wanted.some((packed) => !joined.has(packed))) {
      wanted.forEach((packed, index) => joined.set(packed, loaded[index]!));
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
  const complete = (): Promise<Decoder> => decoderWith(parts.filter((packed) => packed !== common));

  return asOpen(header.month, decoderFor, {
    makes: async () => (await complete()).makes(),
    models: async (make, filter) => (await complete()).models(make, filter),
    testVin: async (options) =>
      (await (options?.wmi === undefined ? complete() : decoderFor(options.wmi))).testVin(options),
  });
}
