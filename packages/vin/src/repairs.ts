import {
  checkSumChange,
  checkDigit,
  fittingCharacters,
  hasRightCheckDigit,
  checkSumError,
} from './check-digit.ts';
import type { RawDecode } from './types.ts';

/** The errors of a decode that a repair needs. */
export type Wrong = Pick<RawDecode, 'vin' | 'codes' | 'wrong' | 'invalidPositions'> &
  Partial<Pick<RawDecode, 'unused' | 'hasModel'>>;

/** Whether a VIN decodes without errors. */
type IsClean = (vin: string) => boolean;

const CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';
const DIGITS = '0123456789';

// Characters that are easily misread. None becomes I, O or Q, which VINs never contain.
const LOOK_ALIKES: Record<string, string> = {
  '0': 'D',
  '1': 'L',
  '2': 'Z',
  '4': 'A',
  '5': 'S',
  '6': 'G',
  '8': 'B',
  A: '4',
  B: '8',
  D: '0',
  G: '6',
  I: '1L',
  L: '1',
  O: '0D',
  Q: '0',
  S: '5',
  U: 'V',
  V: 'U',
  Z: '2',
};
const IOQ = /[IOQ]/;
const bitsOf = (indexes: readonly number[]): number =>
  indexes.reduce((bits, index) => bits | (1 << index), 0);
// Small manufacturers share the first three characters; positions 12 to 14 identify them.
const MANUFACTURER = [0, 1, 2];
const MANUFACTURER_BITS = bitsOf(MANUFACTURER);
const SMALL_MAKER_BITS = bitsOf([0, 1, 2, 11, 12, 13]);
const CHECK_DIGIT = 8;
const YEAR = 9;
// Positions 4 to 8 and 11: vehicle and plant.
const DESCRIPTION = [3, 4, 5, 6, 7, 10];
const DESCRIPTION_BITS = bitsOf(DESCRIPTION);
// Serial numbers are digits from here on, for most manufacturers.
const SERIAL = 11;
const SMALL_MAKER_SERIAL = 14;
// Enough for a serial number of zeros typed as letters. With more, too little of the text is certain.
const MAX_REPLACED = 6;
// More than anyone would compare with the car.
const MAX_LISTED = 20;

/**
 * The VIN that was probably meant, or null. It decodes cleanly, and no other candidate does. Candidates are VINs with two
 * adjacent characters swapped or one look-alike, complete ones first; if none fits, VINs with one other character at a
 * position known to be wrong. If only the check digit fails, every position is equally suspect, so the result is null unless something
 * else is odd, see `meantByOdd`. `isComplete`: whether a VIN decodes cleanly and no position is left unexplained.
 */
export function meantBy(wrong: Wrong, isClean: IsClean, isComplete: IsClean = isClean): string | null {
  const { vin, codes } = wrong;
  if (!codes.some(isAboutPositions)) return codes.includes(1) ? meantByOdd(wrong, isClean, isComplete) : null;
  const isUnknown = codes.includes(7);
  const known = isUnknown ? 0 : wrongBits(wrong);
  // A wrong manufacturer or year makes other positions look wrong.
  let suspects = known | (isSmallMaker(vin) ? SMALL_MAKER_BITS : MANUFACTURER_BITS);
  if (!isUnknown) suspects |= 1 << YEAR;
  // Where no pattern matched at all, any part of the description may be wrong.
  if (!isUnknown && codes.includes(8)) suspects |= DESCRIPTION_BITS;
  const error = checkSumError(vin);
  const onlyWrong = known !== 0 && (known & (known - 1)) === 0 ? 31 - Math.clz32(known) : undefined;
  const fitsThere = (): boolean =>
    onlyWrong !== undefined && changesAt(vin, onlyWrong, error).some((to) => isClean(to));
  const clean = swaps(vin, error, suspects, lookAlikes(vin, error, suspects)).filter(isClean);
  const complete = clean.filter(isComplete);
  // One wrong digit of a serial number is likelier than a swap that leaves a letter in it.
  const likely = (complete.length > 0 ? complete : clean).filter(
    (to) => hasOddLetter(vin) || !hasOddLetter(to) || !fitsThere(),
  );
  const [only, other] = likely;
  if (only !== undefined) {
    // Where another character at the wrong position fits too, a change elsewhere or to an incomplete VIN is a guess.
    const isDoubtful =
      complete.length === 0 || (onlyWrong !== undefined && only[onlyWrong] === vin[onlyWrong]);
    return other === undefined && !(isDoubtful && fitsThere()) ? only : null;
  }
  if (onlyWrong === undefined) return null;
  // Patterns combine several positions, so the wrong character may be at another one than vPIC names.
  const isDescribed = ((DESCRIPTION_BITS >> onlyWrong) & 1) === 1;
  if (isDescribed) suspects |= DESCRIPTION_BITS;
  const candidates = Array.from(vin, (_, index) =>
    ((suspects >> index) & 1) === 1 ? changesAt(vin, index, error) : [],
  );
  const repair = onlyClean(candidates.flat(), isDescribed ? isComplete : isClean);
  return repair !== null && repair[onlyWrong] !== vin[onlyWrong] ? repair : null;
}

const isAboutPositions = (code: number): boolean => (code >= 2 && code <= 8) || code === 11 || code === 400;

/**
 * The same for a VIN that only fails its check digit, if one change also removes something odd: a swap that takes a
 * letter out of the serial number, or a swap or look-alike after which patterns explain every character (code 14) and
 * name a model.
 */
function meantByOdd(wrong: Wrong, isClean: IsClean, isComplete: IsClean): string | null {
  const { vin, unused = [], hasModel = true } = wrong;
  const hasLetter = hasOddLetter(vin);
  const isUnexplained = unused.length > 0 || !hasModel;
  if (!hasLetter && !isUnexplained) return null;
  // Another manufacturer or year has other patterns.
  const described = hasModel ? unused.map((position) => position - 1) : DESCRIPTION;
  const suspects = [...described, ...MANUFACTURER, YEAR];
  const explains = (to: string): boolean =>
    isUnexplained && suspects.some((index) => vin[index] !== to[index]);
  const error = checkSumError(vin);
  const swapped = swaps(vin, error);
  const likely = [
    ...swapped.filter((to) => hasLetter && !hasOddLetter(to) && isClean(to)),
    ...[...lookAlikes(vin, error), ...swapped].filter((to) => explains(to) && isComplete(to)),
  ];
  const [only] = likely;
  return only !== undefined && likely.every((to) => to === only) ? only : null;
}

/** A letter at position 12 after a digit, or at position 13. Few manufacturers use one, except small ones. */
function hasOddLetter(vin: string): boolean {
  return !isSmallMaker(vin) && (/^.{10}\d[A-Z]/.test(vin) || /^.{12}[A-Z]/.test(vin));
}

/** The VIN that was probably meant by a text with I, O or Q, or with a missing or doubled character. */
export function meantByText(text: string, isClean: IsClean): string | null {
  return onlyClean(candidatesOf(text.toUpperCase()).filter(hasRightCheckDigit), isClean);
}

/**
 * Every VIN that may have been meant, likeliest first, to choose from. Takes VINs with a wrong check digit, and texts
 * with I, O or Q or with a missing or doubled character. Without `isClean`, only the check digit decides.
 *
 * @example repairsOf('1M8GDM9AXKPO42788') // ['1M8GDM9AXKP042788']
 */
export function repairsOf(text: string, isClean: IsClean = hasRightCheckDigit): string[] {
  if (text.length < 16 || text.length > 18) return [];
  const typed = text.toUpperCase();
  if (!/^[A-Z0-9]+$/.test(typed)) return [];
  const clean = (candidates: string[]): string[] =>
    [...new Set(candidates)].filter((to) => to !== typed && hasRightCheckDigit(to) && isClean(to));
  if (typed.length !== 17 || IOQ.test(typed)) {
    const candidates = candidatesOf(typed);
    const found = clean(candidates);
    return found.length > 0 || typed.length !== 17 ? found.slice(0, MAX_LISTED) : candidates.slice(0, 1);
  }
  const error = checkSumError(typed);
  const positions = [CHECK_DIGIT, ...Array.from(typed, (_, index) => index)];
  return clean([
    ...lookAlikes(typed, error),
    ...swaps(typed, error),
    ...positions.flatMap((index) => changesAt(typed, index, error)),
  ]).slice(0, MAX_LISTED);
}

/** The only candidate that decodes cleanly; null if several do. */
function onlyClean(candidates: string[], isClean: IsClean): string | null {
  let found: string | null = null;
  for (const candidate of candidates) {
    if (candidate === found || !isClean(candidate)) continue;
    if (found !== null) return null;
    found = candidate;
  }
  return found;
}

/** Indexes of characters that can't be right, as bits. */
function wrongBits({ wrong, invalidPositions }: Wrong): number {
  let bits = 0;
  for (const { position } of wrong) bits |= 1 << (position - 1);
  for (const position of invalidPositions) bits |= 1 << (position - 1);
  return bits;
}

const isSmallMaker = (vin: string): boolean => vin[2] === '9';

/** The characters that are possible at an index. */
function possibleAt(vin: string, index: number): string {
  if (index === CHECK_DIGIT) return `${DIGITS}X`;
  if (isSmallMaker(vin)) return index >= SMALL_MAKER_SERIAL ? DIGITS : CHARACTERS;
  // Some manufacturers begin the serial number with a letter.
  return index > SERIAL || (index === SERIAL && DIGITS.includes(vin.charAt(index))) ? DIGITS : CHARACTERS;
}

/** VINs with one character changed at an index so that the check digit is right. `error`: see `checkSumError`. */
function changesAt(vin: string, index: number, error: number): string[] {
  if (index === CHECK_DIGIT) {
    const digit = checkDigit(vin);
    return digit === null || digit === vin[CHECK_DIGIT] ? [] : [replaceAt(vin, index, digit)];
  }
  const found: string[] = [];
  const possible = possibleAt(vin, index);
  const isUnknown = Number.isNaN(error);
  // Nothing else helps if position 9 can't be right.
  if (isUnknown && !possibleAt(vin, CHECK_DIGIT).includes(vin.charAt(CHECK_DIGIT))) return found;
  const fitting = isUnknown ? possible : fittingCharacters(vin, index, error);
  for (const character of fitting)
    if (character !== vin[index] && possible.includes(character))
      found.push(replaceAt(vin, index, character));
  return isUnknown ? found.filter(hasRightCheckDigit) : found;
}

const EVERY_INDEX = 0x1ffff;
const NINE = '9'.charCodeAt(0);

/**
 * Look-alikes that make the check digit right. Filters by arithmetic first, because most don't. `error`: see `checkSumError`.
 * `suspects`: the indexes that may change, as bits.
 */
function lookAlikes(vin: string, error: number, suspects = EVERY_INDEX): string[] {
  const found: string[] = [];
  const serial = isSmallMaker(vin) ? SMALL_MAKER_SERIAL : SERIAL;
  for (let index = 0; index < 17; index++) {
    if (((suspects >> index) & 1) === 0) continue;
    const digitsOnly = index >= serial || index === CHECK_DIGIT;
    const alike = LOOK_ALIKES[vin.charAt(index)] ?? '';
    for (let at = 0; at < alike.length; at++) {
      const code = alike.charCodeAt(at);
      if (digitsOnly && code > NINE) continue;
      if (mayFit(error + checkSumChange(vin, index, code)))
        addRight(replaceAt(vin, index, alike.charAt(at)), found);
    }
  }
  return found;
}

/** Swaps of adjacent characters that make the check digit right and change a suspect, after what was `found` before. */
function swaps(vin: string, error: number, suspects = EVERY_INDEX, found: string[] = []): string[] {
  for (let index = 0; index < 16; index++) {
    if (((suspects >> index) & 3) === 0) continue;
    const first = vin.charCodeAt(index);
    const second = vin.charCodeAt(index + 1);
    if (first === second) continue;
    if (!mayFit(error + checkSumChange(vin, index, second) + checkSumChange(vin, index + 1, first))) continue;
    addRight(vin.slice(0, index) + vin.charAt(index + 1) + vin.charAt(index) + vin.slice(index + 2), found);
  }
  return found;
}

function addRight(vin: string, found: string[]): void {
  if (hasRightCheckDigit(vin)) found.push(vin);
}

/** Whether the check digit may be right; NaN needs a check of the VIN itself. */
const mayFit = (error: number): boolean => Number.isNaN(error) || error % 11 === 0;

/** All VINs that an upper-case text may mean: I, O and Q replaced, a missing character added, a doubled one removed. */
function candidatesOf(typed: string): string[] {
  if (!/^[A-Z0-9]{16,18}$/.test(typed) || typed.replace(/[^IOQ]/g, '').length > MAX_REPLACED) return [];
  const texts = replaceIoq(typed);
  // With two mistakes at once, only the likeliest replacement is tried, or there would be thousands.
  const [likeliest = ''] = texts;
  if (typed.length === 16) return withCharacterAdded(likeliest);
  return typed.length === 18 ? withDoubleRemoved(likeliest) : texts.filter((text) => text !== typed);
}

/** I, O and Q replaced in every way, the likeliest first. */
function replaceIoq(text: string): string[] {
  let found = [''];
  for (const character of text) {
    const options = IOQ.test(character) ? (LOOK_ALIKES[character] ?? character) : character;
    found = options.split('').flatMap((lookAlike) => found.map((start) => start + lookAlike));
  }
  return found;
}

function withCharacterAdded(text: string): string[] {
  const found: string[] = [];
  // The last first: a VIN that was cut off lacks it.
  for (const index of [16, ...Array.from({ length: 16 }, (_, at) => at)]) {
    for (const character of possibleAt(text, index))
      found.push(text.slice(0, index) + character + text.slice(index));
  }
  return found;
}

function withDoubleRemoved(text: string): string[] {
  const found: string[] = [];
  for (let index = 0; index < 17; index++)
    if (text[index] === text[index + 1]) found.push(replaceAt(text, index, ''));
  return found;
}

function replaceAt(vin: string, index: number, character: string): string {
  return vin.slice(0, index) + character + vin.slice(index + 1);
}
