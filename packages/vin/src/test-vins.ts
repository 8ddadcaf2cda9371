import { checkDigit } from './check-digit.ts';
import { charactersOf, validity, yearCode } from './characters.ts';
import { CHECKED_INDEXES, FIRST_YEAR, MORE, PAIR_MASK, SIZE_MASK, TEST_SHIFT } from './layout.ts';
import { randomFrom, shuffle } from './random.ts';
import { linkCovers, linkSchemaOf, wmiCodes, type Release } from './reader.ts';
import type { Decoded, DecodeOptions, TestVinOptions } from './types.ts';
import { isLight } from './year-chooser.ts';

const CHARACTERS = '0123456789ABCDEFGHJKLMNPRSTUVWXYZ';
const DIGITS = '0123456789';
const CHECK_DIGIT = 8;
const YEAR = 9;
const SEVENTH = 6;
const SERIAL = 12;
/** From this model year on, position 7 of a car or light truck is a letter; before, a digit. */
const LETTER_FROM = 2010;
/** How many patterns and years to try per manufacturer. */
const MAX_ATTEMPTS = 60;

/** The characters a pattern accepts, by index in the VIN. */
type Accepted = Map<number, string>;

interface ModelPattern {
  model: string;
  accepted: Accepted;
}

/** Identifiers of the manufacturers that list a make, in an order that depends on the seed. */
export function wmisToTry(wmisOfMake: Map<string, string[]>, { make, seed = 1 }: TestVinOptions): string[] {
  const wmis =
    make === undefined ? [...wmisOfMake.values()].flat() : (wmisOfMake.get(make.trim().toUpperCase()) ?? []);
  return shuffle([...new Set(wmis)].sort(), randomFrom(seed));
}

/** Makes up VINs of one manufacturer and confirms each with `decode`. */
export function testVins(release: Release, decode: (vin: string, options: DecodeOptions) => Decoded) {
  const { valid } = validity(release);

  function yearsOf(wmi: number, { year, now = new Date() }: TestVinOptions): number[] {
    const years: number[] = [];
    const last = now.getUTCFullYear() + 1;
    for (let index = year ?? FIRST_YEAR; index <= (year ?? last); index++)
      if (linksOf(wmi, index).length > 0) years.push(index);
    return years;
  }

  function linksOf(wmi: number, year: number): number[] {
    const links = release.links.subarray(release.linkFromWmi[wmi], release.linkFromWmi[wmi + 1]);
    return Array.from(links).filter((link) => linkCovers(link, year - FIRST_YEAR));
  }

  /** The patterns that name a model for a year; one that accepts anything where no pattern does. */
  function patternsOf(wmi: number, year: number): ModelPattern[] {
    const patterns = linksOf(wmi, year).flatMap((link) => modelPatterns(release, linkSchemaOf(link)));
    return patterns.length > 0 ? patterns : [{ model: '', accepted: new Map() }];
  }

  /** Characters that can be at an index: what the pattern accepts, else what the manufacturer uses in that year. */
  function charactersAt(vinIndex: number, wmi: number, year: number, accepted: Accepted): string {
    const checked = CHECKED_INDEXES.indexOf(vinIndex);
    const accepts = accepted.get(vinIndex) ?? (checked === -1 ? '' : valid(wmi, year, checked));
    const possible = vinIndex >= SERIAL || (vinIndex === SERIAL - 1 && accepts === '') ? DIGITS : CHARACTERS;
    const wanted = accepts === '' ? possible : intersect(accepts, possible);
    if (vinIndex !== SEVENTH || !isLight(release, wmi)) return wanted;
    return intersect(wanted, year >= LETTER_FROM ? CHARACTERS.slice(10) : DIGITS) || wanted;
  }

  function fill(code: string, wmi: number, year: number, accepted: Accepted, random: () => number): string {
    let vin = code.slice(0, 3);
    for (let vinIndex = 3; vinIndex < 17; vinIndex++) {
      if (vinIndex === CHECK_DIGIT) vin += '0';
      else if (vinIndex === YEAR) vin += yearCode(year);
      else if (code.length === 6 && vinIndex >= 11 && vinIndex < 14) vin += code.charAt(vinIndex - 8);
      else {
        const characters = charactersAt(vinIndex, wmi, year, accepted);
        vin += characters.charAt(Math.floor(random() * characters.length));
      }
    }
    return vin.slice(0, CHECK_DIGIT) + (checkDigit(vin) ?? '0') + vin.slice(CHECK_DIGIT + 1);
  }

  function isWanted(vin: string, year: number, { make, model, now }: TestVinOptions): boolean {
    const { vehicle, codes } = decode(vin, { now });
    if (vin.length !== 17 || codes[0] !== 0 || vehicle?.year !== String(year)) return false;
    return isSame(vehicle.make, make) && isSame(vehicle.model, model);
  }

  /** A test VIN of the manufacturer with this identifier, or null. */
  return (code: string, options: TestVinOptions): string | null => {
    const wmi = release.wmi(wmiCodes(code));
    if (wmi === -1) return null;
    const random = randomFrom(options.seed ?? 1);
    let attempts = 0;
    for (const year of shuffle(yearsOf(wmi, options), random)) {
      const patterns = patternsOf(wmi, year).filter(({ model }) => isSame(model, options.model));
      for (const { accepted } of shuffle(patterns, random)) {
        if (++attempts > MAX_ATTEMPTS) return null;
        const vin = fill(code, wmi, year, accepted, random);
        if (isWanted(vin, year, options)) return vin;
      }
    }
    return null;
  };
}

const intersect = (characters: string, wanted: string): string =>
  [...characters].filter((character) => wanted.includes(character)).join('');

const isSame = (name: string | null, wanted: string | undefined): boolean =>
  wanted === undefined || name?.trim().toUpperCase() === wanted.trim().toUpperCase();

/** Walks a schema's trie and collects what leads to each model. */
function modelPatterns(release: Release, schema: number): ModelPattern[] {
  const { trie, schemaFrom, pairSlot, formulaFrom, slots, testPlace, testLo, testHi } = release;
  const found: ModelPattern[] = [];
  /** The tests above the current word. */
  const path: { end: number; vinIndex: number; characters: string }[] = [];
  for (let index = schemaFrom[schema]!; index < schemaFrom[schema + 1]!; index++) {
    while (path.length > 0 && index >= path.at(-1)!.end) path.pop();
    const word = trie[index]!;
    if (word >= 0) {
      const test = word >> TEST_SHIFT;
      const characters = charactersOf(testLo[test]!, testHi[test]!);
      path.push({ end: index + 1 + (word & SIZE_MASK), vinIndex: testPlace[test]!, characters });
      continue;
    }
    const pair = word & PAIR_MASK;
    if (pair < formulaFrom && pairSlot[pair] === slots.model) {
      const accepted: Accepted = new Map();
      for (const { vinIndex, characters } of path)
        accepted.set(vinIndex, intersect(characters, accepted.get(vinIndex) ?? CHARACTERS));
      found.push({ model: release.text(pair), accepted });
    }
    if ((word & MORE) !== 0) index++;
  }
  return found;
}
