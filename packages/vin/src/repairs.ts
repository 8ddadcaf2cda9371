import { addedBy, checkDigit, hasRightCheckDigit, offBy } from './check-digit.ts';
import type { RawDecode } from './raw.ts';
import { isVin } from './syntax.ts';

/** What a decode found wrong, as far as a repair has to know. */
export type Wrong = Pick<RawDecode, 'vin' | 'codes' | 'suggested' | 'wrong' | 'outOfPlace'>;

// What is misread off a windscreen or a photograph. I, O and Q stand only on the left: no VIN holds them.
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
const LETTERS_NO_VIN_HOLDS = /[IOQ]/;
// Where the manufacturer stands: small makers share three characters and are told apart by positions 12 to 14.
const MANUFACTURER = [0, 1, 2];
const SMALL_MAKER = [0, 1, 2, 11, 12, 13];
const YEAR = 9;
const MOST = 6;
// A serial number of zeros typed as letters. Beyond that nothing is left of what was typed.
const MOST_REPLACED = 6;

/** What was probably meant. */
export interface Meant {
  /** The VINs to offer, the likeliest first: two at most. */
  vins: string[];
  /** The first of them where it decodes cleanly. */
  repair: string | null;
}

/**
 * What was probably meant by a VIN that something is wrong with: the right check digit when nothing but that is
 * wrong, vPIC's suggestion when it has one, each with the one look-alike that decodes cleanly beside it; else that
 * look-alike, else the one swap of neighbours. `isClean` decodes a few candidates.
 */
export function meantBy(wrong: Wrong, isClean: (vin: string) => boolean): Meant {
  if (!needsRepair(wrong.codes)) return { vins: [], repair: null };
  const { vin, suggested } = wrong;
  const positions = mustChange(wrong);
  const digit = onlyCheckDigit(wrong) ? withRightCheckDigit(vin) : null;
  const clean = (candidates: string[]): string[] =>
    candidates.filter((to) => to !== digit && changes(vin, to, positions) && isClean(to));
  // A character misread is likelier than two swapped, and where several fit, none is likely.
  const other = (): string | undefined => {
    const alike = clean(lookAlikes(vin));
    return alike.length > 0 ? only(alike) : only(clean(swaps(vin)));
  };
  if (digit) return { vins: [digit, other()].filter((to) => to !== undefined), repair: digit };
  if (suggested && isVin(suggested)) {
    if (hasRightCheckDigit(suggested) && isClean(suggested)) return { vins: [suggested], repair: suggested };
    const alike = only(clean(lookAlikes(vin)));
    return alike ? { vins: [alike, suggested], repair: alike } : { vins: [suggested], repair: null };
  }
  const repair = other();
  return repair ? { vins: [repair], repair } : { vins: [], repair: null };
}

function only(candidates: string[]): string | undefined {
  return candidates.length === 1 ? candidates[0] : undefined;
}

/** Whether all that is wrong is position 9: with the right digit there, such a VIN decodes cleanly. */
function onlyCheckDigit({ codes, outOfPlace }: Wrong): boolean {
  const ninthIsNone = outOfPlace.length === 1 && outOfPlace[0] === 9;
  return codes.every(
    (code) => code === 1 || code === 9 || code === 10 || code === 14 || (code === 400 && ninthIsNone),
  );
}

/**
 * Every VIN that may have been meant by seventeen characters, likeliest first, six at most: for a list to choose
 * from. Takes VINs and texts with I, O or Q in them. Without `isClean` the check digit alone decides.
 *
 * @example repairsOf('1M8GDM9AXKPO42788') // ['1M8GDM9AXKP042788']
 */
export function repairsOf(text: string, isClean: (vin: string) => boolean = hasRightCheckDigit): string[] {
  const vin = text.length === 17 ? text.toUpperCase() : '';
  if (!/^[A-Z0-9]{17}$/.test(vin)) return [];
  if (LETTERS_NO_VIN_HOLDS.test(vin)) {
    if (vin.replace(/[^IOQ]/g, '').length > MOST_REPLACED) return [];
    const all = replaced(vin);
    const clean = all.filter((to) => hasRightCheckDigit(to) && isClean(to));
    return clean.length > 0 ? clean.slice(0, MOST) : all.slice(0, 1);
  }
  const candidates = [withRightCheckDigit(vin) ?? vin, ...lookAlikes(vin), ...swaps(vin)];
  const clean = candidates.filter((to) => to !== vin && isClean(to));
  return [...new Set(clean)].slice(0, MOST);
}

/** 9, 10 and 14 are no mistakes, and a VIN without any other code is right. */
function needsRepair(codes: readonly number[]): boolean {
  return codes.some((code) => (code >= 1 && code <= 8) || code === 11 || code === 400);
}

/** Positions (from 0) one of which a repair has to change; empty when it may be any. */
function mustChange({ vin, codes, wrong, outOfPlace }: Wrong): number[] {
  const manufacturer = isSmallMaker(vin) ? SMALL_MAKER : MANUFACTURER;
  if (codes.includes(7)) return manufacturer;
  const positions = [
    ...wrong.map((place) => place.position - 1),
    ...outOfPlace.map((position) => position - 1),
  ];
  // A wrong manufacturer or year makes others look wrong, so these may be at fault for any.
  return positions.length === 0 ? [] : [...positions, ...manufacturer, YEAR];
}

function isSmallMaker(vin: string): boolean {
  return vin[2] === '9';
}

function changes(vin: string, to: string, positions: number[]): boolean {
  return positions.length === 0 || positions.some((at) => vin[at] !== to[at]);
}

function withRightCheckDigit(vin: string): string | null {
  const digit = checkDigit(vin);
  return digit === null || digit === vin[8] ? null : put(vin, 8, digit);
}

// A serial number is of digits: there only a letter can be the mistake. So it is with the check digit.
const SERIAL = 11;
const SMALL_MAKER_SERIAL = 14;

/** Look-alikes that make the check digit right. Worked out on numbers: most VINs have dozens that do not. */
function lookAlikes(vin: string): string[] {
  const found: string[] = [];
  const off = offBy(vin);
  const serial = isSmallMaker(vin) ? SMALL_MAKER_SERIAL : SERIAL;
  for (let at = 0; at < 17; at++) {
    const digitsOnly = at >= serial || at === 8;
    for (const like of LOOK_ALIKES[vin.charAt(at)] ?? '') {
      if (digitsOnly && like > '9') continue;
      if (mayFit(off + addedBy(vin, at, like))) found.push(put(vin, at, like));
    }
  }
  return found.filter(hasRightCheckDigit);
}

/** Swaps of neighbours that make the check digit right. */
function swaps(vin: string): string[] {
  const found: string[] = [];
  const off = offBy(vin);
  for (let at = 0; at < 16; at++) {
    const [one, two] = [vin.charAt(at), vin.charAt(at + 1)];
    if (one === two || !mayFit(off + addedBy(vin, at, two) + addedBy(vin, at + 1, one))) continue;
    found.push(vin.slice(0, at) + two + one + vin.slice(at + 2));
  }
  return found.filter(hasRightCheckDigit);
}

/** What cannot be told from numbers is told from the whole VIN. */
function mayFit(off: number): boolean {
  return Number.isNaN(off) || off % 11 === 0;
}

/** Each I, O and Q replaced in every way, the commonest first; bounded, since seventeen of them are possible. */
function replaced(vin: string): string[] {
  let found = [''];
  for (const character of vin) {
    const likes = LETTERS_NO_VIN_HOLDS.test(character) ? (LOOK_ALIKES[character] ?? character) : character;
    found = likes
      .split('')
      .flatMap((like) => found.map((start) => start + like))
      .slice(0, 64);
  }
  return found;
}

function put(vin: string, at: number, character: string): string {
  return vin.slice(0, at) + character + vin.slice(at + 1);
}
