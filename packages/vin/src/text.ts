/** VINs in text. Needs neither data nor Node. */
export { VIN_PATTERN, isVin, parseVin, tidyVin, type ParsedVin } from './syntax.ts';
export { vinsIn } from './syntax.ts';
