import type { Decoder } from './decoder.ts';
import type {
  Decoded,
  DecodedFull,
  DecodeOptions,
  Make,
  Model,
  ModelFilter,
  TestVinOptions,
  VpicValues,
  VpicVariable,
  WmiInfo,
} from './types.ts';

/** A decoder whose data may still have to come: the same everywhere, in pieces where that is better. */
export interface OpenVpic {
  /** Release month of the data, `2026-10`. */
  month: string;
  decode(vin: string, options?: DecodeOptions): Promise<Decoded>;
  decodeFull(vin: string, options?: DecodeOptions): Promise<DecodedFull>;
  /** Decodes one VIN after the other, as they are asked for. */
  decodeMany(
    vins: Iterable<string> | AsyncIterable<string>,
    options?: DecodeOptions,
  ): AsyncIterableIterator<Decoded>;
  /** As NHTSA's `DecodeVinValues` answers. */
  values(vin: string, options?: DecodeOptions): Promise<VpicValues>;
  /** As NHTSA's `DecodeVin` answers; `extended` as `DecodeVinExtended` does. */
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

/** `decoderFor`: the decoder that knows a VIN's manufacturer. */
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
