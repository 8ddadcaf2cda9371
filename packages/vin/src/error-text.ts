import type { RawDecode } from './types.ts';

/** vPIC truncates its texts to this length, even within a word. */
const MAX_LENGTH = 500;

const SEVERAL_WRONG =
  'The error positions are indicated by ! in Suggested VIN. In the Possible values section, each pair of parenthesis indicate information about each error position in VIN . The Numeric value before the : indicates the position in error and the values after the : indicate the possible values that are allowed in this position';
const ONE_WRONG =
  'In the Possible values section, the Numeric value before the : indicates the position in error and the values after the : indicate the possible values that are allowed in this position.';
const INCOMPLETE =
  'Incomplete Vehicle Warning - Please be advised that the vehicle may have been altered and may not be an accurate representation of the vehicle in its current condition.';
const YEAR_UNCERTAIN =
  'The Model Year decoded for this VIN may be incorrect. If you know the Model year, please enter it and decode again to get more accurate information.';

/** vPIC's additional error text, word for word; `warning` is our own wording. */
export function additionalText(raw: RawDecode, isYearUncertain: boolean): string {
  const { codes } = raw;
  const parts: string[] = [];
  if (codes.includes(5)) parts.push(SEVERAL_WRONG);
  if (codes.includes(4)) parts.push(ONE_WRONG);
  if (raw.unused.length > 0) parts.push(`Unused position(s): ${raw.unused.join(',')}.`);
  if (raw.invalidPositions.length > 0) {
    parts.push(
      `Invalid character(s): ${raw.invalidPositions.map((position) => `${position}:${raw.vin[position - 1]}`).join(', ')}.`,
    );
  }
  if (raw.incomplete) parts.push(INCOMPLETE);
  if (isYearUncertain) parts.push(YEAR_UNCERTAIN);
  return parts.length === 0 ? '' : parts.join(' ').slice(0, MAX_LENGTH);
}

const EXCEPTION =
  ' NOTE: Check Digit Exception - The check digit was given an exception based on data from the OEM indicating an error on production.';

const OFF_ROAD_CHECK_DIGIT =
  ' NOTE: Disregard if this is an off-road vehicle PIN, as check digit calculation may not be accurate.';

/** The names of the codes. `isException`: NHTSA lists the VIN as one whose check digit is not checked. */
export function errorText(codes: number[], names: ReadonlyMap<number, string>, isException: boolean): string {
  const note = (code: number): string => {
    if (code === 0 && isException) return EXCEPTION;
    return code === 1 && codes.includes(10) ? OFF_ROAD_CHECK_DIGIT : '';
  };
  const name = (code: number): string => (names.get(code) ?? '') + note(code);
  if (codes.length === 1) return name(codes[0]!);
  return codes.map(name).join('; ').slice(0, MAX_LENGTH);
}

/** The part of a VIN that describes the vehicle, without check digit and serial. */
export function descriptor(vin: string): string {
  const end = vin[2] === '9' ? 14 : 11;
  return `${vin.slice(0, 8).padEnd(8, '*')}*${vin.slice(9, end).padEnd(end - 9, '*')}`;
}
