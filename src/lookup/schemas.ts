/**
 * The schemas of our responses. OpenAPI, the JSON schemas, the tool endpoint and the types all come from here.
 * Objects may grow: a reader ignores members it does not know.
 */
export {
  BatchDecoded,
  BatchFailed,
  BatchRequest,
  BatchResponse,
  BatchResult,
  MAX_BATCH_VINS,
  Paint,
  Problem,
  StickerReason,
  Vehicle,
  Vin,
  VinResponse,
  WindowSticker,
} from './vin-schemas.ts';
export {
  Box,
  Label,
  LabelResponse,
  OptionLine,
  PriceLine,
  Proof,
  Provenance,
  Stars,
} from './label-schemas.ts';
