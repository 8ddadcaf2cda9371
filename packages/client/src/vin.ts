/** Checks VINs offline: syntax, check digit, and repairs of typos. */
export { isVin, parseVin, tidyVin, VIN_PATTERN, vinsIn, type ParsedVin } from '../../vin/src/syntax.ts';
export { checkDigit, hasRightCheckDigit } from '../../vin/src/check-digit.ts';
export { repairsOf } from '../../vin/src/repairs.ts';
