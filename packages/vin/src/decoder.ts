import { catalogue } from './catalogue.ts';
import { readSyntax } from './characters.ts';
import type { VpicData } from './data-file.ts';
import { LazyDecoded, type Diagnosis } from './lazy-decoded.ts';
import type { Explained } from './errors.ts';
import { ABSENT_CHARACTER, FIRST_YEAR } from './layout.ts';
import { serialMatters } from './serial-matters.ts';
import { clear, matcher, newPass, type Pass } from './matcher.ts';
import { steps } from './passes.ts';
import type { RawDecode } from './raw.ts';
import { characterNumbers, readRelease } from './reader.ts';
import { meantBy, meantByText, repairsOf } from './repairs.ts';
import { isVin } from './syntax.ts';
import type { Decoded, DecodedFull, DecodeOptions, Vehicle, Vpic } from './types.ts';
import { values } from './values.ts';
import { testVins, wmisToTry } from './test-vins.ts';
import { vpicShape } from './vpic-shape.ts';
import * as verdicts from './verdict.ts';
import { warningOf } from './warnings.ts';
import { isLight, modelYears } from './years.ts';

const INCOMPLETE_TYPE = 10;
const OTHER = 63;
/** The weight of code 12. */
const WRONG_YEAR_WEIGHT = 20;
const NOTHING: never[] = [];
const NOTHING_WRONG: Diagnosis = { suggested: null, warning: null, repair: null, otherYear: null };

/** A decoder with access to its raw results. */
export interface Decoder extends Vpic {
  decodeRaw(vin: string, now: Date): RawDecode;
  /** The data it decodes with. */
  data: VpicData;
}

/** A decoder for data in memory; `loadVpic` and `openVpic` load the data. */
export function createDecoder(data: VpicData): Decoder {
  const release = readRelease(data);
  const { slots, gliders, offRoad, incomplete, wmiType } = release;
  const run = steps(release);
  const match = matcher(release);
  const { weigh, explain } = verdicts.judge(release);
  const print = values(release);

  const everything = new Uint8Array(release.slotCount).fill(1);
  // Reused for every VIN, so that only the result is allocated.
  const codes = new Uint8Array(17);
  const later = { pass: newPass(release.slotCount), verdict: verdicts.newVerdict() };
  const earlier = { pass: newPass(release.slotCount), verdict: verdicts.newVerdict() };
  const found = verdicts.newFindings();

  /** The result for the last VIN. */
  let wmi = -1;
  let best = later;
  let otherYear = 0;
  let hasDefaults = false;

  function read(vin: string): void {
    const length = Math.min(vin.length, 17);
    for (let i = 0; i < length; i++) {
      const char = vin.charCodeAt(i);
      codes[i] = char < 128 ? characterNumbers[char]! : OTHER;
    }
    if (length < 17) codes.fill(ABSENT_CHARACTER, length);
  }

  function readFindings(vin: string, serial: number): void {
    readSyntax(codes, serial, vin.length, found);
    found.wrongYear = false;
    found.isException = (found.wrongCheckDigit || found.ninthOutOfPlace) && release.isException(vin);
    if (found.isException) found.wrongCheckDigit = false;
  }

  function attempt({ pass, verdict }: typeof later, year: number): void {
    clear(pass, year);
    // Without a fourth character no pattern matches, not even one that accepts any character.
    if (codes[3] !== ABSENT_CHARACTER) match(pass, wmi, codes);
    run.begin(pass, wmi);
    weigh(pass, wmi, codes, found, verdict);
  }

  function complete(pass: Pass): void {
    run.addSpecs(pass, wmi, everything);
    run.addDefaults(pass, wmi);
  }

  /** Chooses between two years with equal error weights: the one with more information, else the later one. */
  function laterHasMore(): boolean {
    if (!later.pass.found && !earlier.pass.found) return true;
    const items = run.items(later.pass) - run.items(earlier.pass);
    complete(later.pass);
    complete(earlier.pass);
    hasDefaults = true;
    const weight = run.weight(later.pass) - run.weight(earlier.pass);
    return weight > 0 || (weight === 0 && items >= 0);
  }

  /** Finds the manufacturer and checks the characters. False if the manufacturer is unknown. */
  function identify(vin: string, now: Date): boolean {
    read(vin);
    // The first seventeen characters of a longer text aren't a VIN.
    wmi = vin.length <= 17 ? release.wmi(codes) : -1;
    if (wmi !== -1 && release.wmiPublic[wmi]! * 1000 > now.getTime()) wmi = -1;
    readFindings(vin, codes[2] === 9 ? 14 : wmi !== -1 && isLight(release, wmi) ? 12 : 13);
    return wmi !== -1;
  }

  const isPossibleYear = (year: number, now: Date): boolean =>
    year >= FIRST_YEAR && year <= now.getUTCFullYear() + 2;

  /** Finds the best pass for an identified VIN. `given`: the caller's model year. */
  function decodeYears(now: Date, given?: number): void {
    const { year, other } = modelYears(release, wmi, codes, now.getUTCFullYear());
    best = later;
    hasDefaults = false;
    if (given === undefined) return choose(year, other);
    // A year that the VIN doesn't name counts if the VIN names none, or if nothing is found for the years it names.
    if (isPossibleYear(given, now) && given !== year && given !== other) {
      attempt(later, given);
      if (later.pass.found || year === 0) return takeGiven();
      choose(year, other, given);
      if (!best.pass.found) {
        best = later;
        hasDefaults = false;
        attempt(later, given);
        return takeGiven();
      }
    } else choose(year, other, given);
    found.wrongYear = year !== 0 && best.pass.year !== given;
  }

  function takeGiven(): void {
    otherYear = 0;
    found.wrongYear = true;
  }

  /** Chooses the better of the years that the VIN may mean. */
  function choose(year: number, other: number, given?: number): void {
    otherYear = other;
    attempt(later, year);
    if (other === 0) return;
    attempt(earlier, other);
    const preferred = given === year ? WRONG_YEAR_WEIGHT : given === other ? -WRONG_YEAR_WEIGHT : 0;
    const lead = later.verdict.weight - earlier.verdict.weight + preferred;
    if (lead > 0 || (lead === 0 && laterHasMore())) return;
    best = earlier;
    otherYear = year;
  }

  const bodyOf = (pass: Pass): number => (pass.rank[slots.body] === 0 ? -1 : pass.pair[slots.body]!);

  const isIncomplete = (pass: Pass): boolean =>
    wmiType[wmi] === INCOMPLETE_TYPE || incomplete.has(bodyOf(pass));

  /**
   * The other possible year, or 0 if the year is clear: only one of the two decodes without errors, or only one to a
   * model.
   */
  function uncertainYear(): number {
    if (otherYear === 0) return 0;
    const decodes = ({ verdict }: typeof later): boolean => verdict.wrong === 0 && !verdict.nothingFound;
    const hasModel = ({ pass }: typeof later): boolean => pass.rank[slots.model] !== 0;
    const alike = decodes(later) === decodes(earlier) && hasModel(later) === hasModel(earlier);
    return alike ? otherYear : 0;
  }

  function codesFound(): number[] {
    if (wmi === -1) return verdicts.codesOf(found, verdicts.unknown(found), false, false, false);
    const body = bodyOf(best.pass);
    return verdicts.codesOf(found, best.verdict, true, gliders.has(body), offRoad.has(body));
  }

  function explained(): Explained | null {
    if (wmi === -1 || best.verdict.wrong === 0) return null;
    return explain(wmi, best.pass.year, codes, best.verdict.wrongPlaces, best.verdict.wrong);
  }

  /** The raw result for the last VIN. */
  function rawResult(vin: string): RawDecode {
    const wrong = explained();
    const { outOfPlace, unused } = wmi === -1 ? verdicts.unknown(found) : best.verdict;
    const body = wmi === -1 ? -1 : bodyOf(best.pass);
    return {
      vin,
      codes: codesFound(),
      suggested: wrong || outOfPlace !== 0 ? verdicts.suggest(vin, wrong?.over ?? NOTHING, outOfPlace) : null,
      wrong: wrong?.positions ?? NOTHING,
      possibleValues: wrong?.possibleValues ?? '',
      outOfPlace: verdicts.positionsOf(outOfPlace),
      unused: verdicts.positionsOf(verdicts.asPositions(unused)),
      hasModel: wmi !== -1 && best.pass.rank[slots.model] !== 0,
      vehicleType: wmi === -1 ? null : wmiType[wmi]!,
      manufacturer: wmi === -1 ? null : print.value(best.pass, slots.manufacturer, vin),
      make: wmi === -1 ? null : print.value(best.pass, slots.make, vin),
      modelYear: wmi === -1 ? null : best.pass.year || null,
      otherYear: wmi === -1 ? null : uncertainYear() || null,
      incomplete: wmi !== -1 && isIncomplete(best.pass),
      glider: gliders.has(body),
      offRoad: offRoad.has(body),
    };
  }

  function readYearOfUnknown(now: Date, given?: number): void {
    const { year, other } = modelYears(release, -1, codes, now.getUTCFullYear());
    const isAnother = given !== undefined && given !== year && given !== other;
    const isTaken = isAnother && isPossibleYear(given, now);
    otherYear = isTaken ? 0 : other;
    found.wrongYear = isTaken || (isAnother && year !== 0);
  }

  /** Decodes a VIN into `best`. `wanted`: the slots whose values will be read. */
  function decodeInto(vin: string, now: Date, wanted: Uint8Array, modelYear?: number): void {
    if (!identify(vin, now)) {
      readYearOfUnknown(now, modelYear);
      return;
    }
    decodeYears(now, modelYear);
    if (!hasDefaults) run.addSpecs(best.pass, wmi, wanted);
  }

  function decodeRaw(vin: string, now: Date, modelYear?: number): RawDecode {
    decodeInto(vin, now, everything, modelYear);
    return rawResult(vin);
  }

  /** Whether a VIN decodes without errors. Cheaper than a decode, because a repair checks dozens of VINs. */
  function isClean(vin: string, now: Date): boolean {
    if (!identify(vin, now) || found.isShort || found.wrongCheckDigit || found.outOfPlace !== 0) return false;
    decodeYears(now);
    const { wrong, nothingFound, outOfPlace } = best.verdict;
    return wrong === 0 && !nothingFound && outOfPlace === 0;
  }

  // Never before the data's month: a machine whose clock starts at 1970 wouldn't know any make.
  const made = Date.parse(data.header.month);
  const today = (): Date => new Date(Math.max(Date.now(), made));

  const usesSerial = serialMatters(release);
  const shape = vpicShape(release);
  const lists = catalogue(release);
  let wmisOfMake: Map<string, string[]> | undefined;
  const testVinOf = testVins(release, (vin, options) => decoder.decode(vin, options));

  function repairOf(raw: RawDecode, now: Date): string | null {
    const clean = (to: string): boolean => isClean(to, now);
    const complete = (to: string): boolean => clean(to) && !best.verdict.lacking;
    return isVin(raw.vin) ? meantBy(raw, clean, complete) : meantByText(raw.vin, clean);
  }

  function diagnosisOf(raw: RawDecode, now: Date): Diagnosis {
    const repair = repairOf(raw, now);
    const otherYear = raw.otherYear === null ? null : String(raw.otherYear);
    return { suggested: raw.suggested, warning: warningOf(raw, repair), repair, otherYear };
  }

  /** The result for the last VIN. */
  function resultOf(vin: string, now: Date, modelYear?: number): Decoded {
    const vehicle: Vehicle | null = wmi === -1 ? null : print.vehicle(best.pass, vin);
    const foundCodes = codesFound();
    if (foundCodes[0] !== 0)
      return new LazyDecoded(vin, vehicle, foundCodes, () =>
        diagnosisOf(decodeRaw(vin, now, modelYear), now),
      );
    // 9 and 10: gliders and off-road vehicles.
    const isPlain =
      uncertainYear() === 0 &&
      !found.wrongYear &&
      !isIncomplete(best.pass) &&
      !foundCodes.includes(9) &&
      !foundCodes.includes(10);
    const {
      suggested,
      warning,
      repair,
      otherYear: other,
    } = isPlain ? NOTHING_WRONG : diagnosisOf(rawResult(vin), now);
    return { vin, vehicle, codes: foundCodes, suggested, warning, repair, otherYear: other };
  }

  const decoder: Decoder = {
    wmi: lists.wmi,
    makes: lists.makes,
    models: lists.models,
    data,
    month: data.header.month,
    input: data.header.input,
    counts: data.header.counts,
    kindOf(vin) {
      // With 9 as the third character, the serial number is part of the manufacturer's identifier.
      if (!identify(vin, today()) || codes[2] === 9 || usesSerial(wmi)) return null;
      if (found.isShort || found.wrongCheckDigit || found.ninthOutOfPlace || found.outOfPlace !== 0)
        return null;
      return vin.slice(0, 8) + vin.slice(9, 11);
    },
    makesOf(vin) {
      if (!identify(vin, today())) return [];
      const makes = release.wmiMake.subarray(release.wmiMakeFrom[wmi], release.wmiMakeFrom[wmi + 1]);
      return Array.from(makes, (pair) => release.text(pair));
    },
    decodeRaw,
    decode(given: string, { now = today(), modelYear }: DecodeOptions = {}): Decoded {
      const vin = given.toUpperCase();
      decodeInto(vin, now, release.answered, modelYear);
      if (print.answeredByDefaults && wmi !== -1 && !hasDefaults) run.addDefaults(best.pass, wmi);
      return resultOf(vin, now, modelYear);
    },
    decodeFull(given: string, { now = today(), modelYear }: DecodeOptions = {}): DecodedFull {
      const vin = given.toUpperCase();
      decodeInto(vin, now, everything, modelYear);
      if (wmi !== -1 && !hasDefaults) run.addDefaults(best.pass, wmi);
      const raw = rawResult(vin);
      const elements = print.elements(wmi === -1 ? null : best.pass, raw, {
        isYearUncertain: otherYear !== 0,
        isException: release.isException(vin),
      });
      return Object.assign(resultOf(vin, now, modelYear), { elements, possibleValues: raw.possibleValues });
    },
    repair(text, { now = today() }: DecodeOptions = {}) {
      return repairOf(decodeRaw(text.toUpperCase(), now), now);
    },
    candidates: (text, { now = today() }: DecodeOptions = {}) => repairsOf(text, (to) => isClean(to, now)),
    testVin(options = {}) {
      if (options.wmi !== undefined) return testVinOf(options.wmi.trim().toUpperCase(), options);
      wmisOfMake ??= lists.wmisOfMake();
      for (const wmi of wmisToTry(wmisOfMake, options)) {
        const vin = testVinOf(wmi, options);
        if (vin !== null) return vin;
      }
      return null;
    },
    *decodeMany(vins, options) {
      for (const vin of vins) yield decoder.decode(vin, options);
    },
    values: (vin, options) => shape.values(decoder.decodeFull(vin, options)),
    variables: (vin, options) =>
      shape.variables(decoder.decodeFull(vin, options), options?.extended ?? false),
  };
  return decoder;
}
