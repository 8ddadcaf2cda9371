export type { Decoded, DecodedElement, DecodedFull, DecodeOptions, Vehicle, Vpic } from './types.ts';
