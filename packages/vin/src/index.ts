export type { Decoded, DecodedElement, DecodedFull, DecodeOptions, Vehicle, Vpic } from './types.ts';
export { VIN_PATTERN, isVin, parseVin, tidyVin, type ParsedVin } from './syntax.ts';
export { checkDigit, hasRightCheckDigit } from './check-digit.ts';
export { meantBy, meantByText, repairsOf } from './repairs.ts';
export { settleYear, warningOf } from './warnings.ts';
export { vehicleOf } from './forms.ts';
export { DataFileError } from './data-file.ts';
export { loadBundled, loadVpic, type Decoder } from './decoder.ts';
export type { RawDecode, WrongPosition } from './raw.ts';
