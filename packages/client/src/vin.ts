/** VINs without asking anyone: is it one, is its check digit right, and what may have been meant. */
export { isVin, parseVin, tidyVin, VIN_PATTERN, type ParsedVin } from '../../vin/src/syntax.ts';
export { vinsIn } from '../../vin/src/vins-in.ts';
export { checkDigit, hasRightCheckDigit } from '../../vin/src/check-digit.ts';
export { repairsOf } from '../../vin/src/repairs.ts';
