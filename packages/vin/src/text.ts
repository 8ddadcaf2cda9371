/** VINs in text. Needs neither data nor Node. */
export { VIN_PATTERN, isVin, parseVin, tidyVin, vinsIn, type ParsedVin } from './syntax.ts';
