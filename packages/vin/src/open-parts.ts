import { createDecoder, type Decoder } from './decoder.ts';
import { asOpen, type OpenVpic } from './open.ts';
import { COMMON, type NamedPart, type PartIndex } from './packed-parts.ts';
import { joinParts, type Part } from './parts.ts';

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
