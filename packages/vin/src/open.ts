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
