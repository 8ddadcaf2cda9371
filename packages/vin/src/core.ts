/** Exports that work in every JavaScript runtime. */
export type {
  Decoded,
  DecodedColumn,
  DecodedElement,
  DecodedFull,
  DecodeOptions,
  Make,
  MakeOfType,
  Manufacturer,
  Model,
  ModelFilter,
  RawDecode,
  TestVinOptions,
  Vehicle,
  Vpic,
  VpicLists,
  VpicValues,
  VpicVariable,
  WmiInfo,
  WrongPosition,
} from './types.ts';
export { VIN_PATTERN, isVin, parseVin, tidyVin, vinsIn, type ParsedVin } from './syntax.ts';
export { checkDigit, hasRightCheckDigit } from './check-digit.ts';
export { meantBy, meantByText, repairsOf } from './repairs.ts';
export { settleYear, warningOf } from './warnings.ts';
export { vehicleOf } from './values.ts';
export { DataFileError } from './data-file.ts';
export { createDecoder, type Decoder } from './decoder.ts';
export type { OpenVpic } from './open.ts';
