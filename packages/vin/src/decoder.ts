import { catalogue } from './catalogue.ts';
import { readSyntax } from './characters.ts';
import type { VpicData } from './data-file.ts';
import { Doubtful, type Doubts } from './doubtful.ts';
import type { Explained } from './errors.ts';
import { ABSENT_CHARACTER, FIRST_YEAR } from './layout.ts';
import { serialMatters } from './kinds.ts';
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
/** What code 12 weighs against a pass. */
const WRONG_YEAR_WEIGHT = 20;
const NOTHING: never[] = [];
const NO_DOUBTS: Doubts = { suggested: null, warning: null, repair: null, otherYear: null };

/** A decoder over one data file, with the procedure's own findings laid open. */
export interface Decoder extends Vpic {
  decodeRaw(vin: string, now: Date): RawDecode;
  /** What it decodes from. */
  data: VpicData;
}

/** A decoder over data that is in memory; `loadVpic` and `openVpic` get it there. */
export function createDecoder(data: VpicData): Decoder {
  const release = readRelease(data);
  const { slots, gliders, offRoad, incomplete, wmiType } = release;
  const run = steps(release);
  const match = matcher(release);
  const { weigh, explain } = verdicts.judge(release);
  const print = values(release);

  const everything = new Uint8Array(release.slotCount).fill(1);
  // Used again for every VIN: nothing is allocated but the answer.
  const codes = new Uint8Array(17);
  const later = { pass: newPass(release.slotCount), verdict: verdicts.newVerdict() };
  const earlier = { pass: newPass(release.slotCount), verdict: verdicts.newVerdict() };
  const found = verdicts.newFindings();

  /** How the last VIN was settled. */
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
    // Without a fourth character there is nothing to match, not even for patterns that accept any.
    if (codes[3] !== ABSENT_CHARACTER) match(pass, wmi, codes);
    run.begin(pass, wmi);
    weigh(pass, wmi, codes, found, verdict);
  }

  function complete(pass: Pass): void {
    run.addSpecs(pass, wmi, everything);
    run.addDefaults(pass, wmi);
  }

  /** Of two years with errors of equal weight, the one that says more; the later when all is equal. */
  function laterSaysMore(): boolean {
    if (!later.pass.found && !earlier.pass.found) return true;
    const items = run.items(later.pass) - run.items(earlier.pass);
    complete(later.pass);
    complete(earlier.pass);
    hasDefaults = true;
    const weight = run.weight(later.pass) - run.weight(earlier.pass);
    return weight > 0 || (weight === 0 && items >= 0);
  }

  /** Finds the manufacturer and what the characters alone tell. False when nobody knows the manufacturer. */
  function identify(vin: string, now: Date): boolean {
    read(vin);
    // Of a longer text the first seventeen characters would pass for a VIN.
    wmi = vin.length <= 17 ? release.wmi(codes) : -1;
    if (wmi !== -1 && release.wmiPublic[wmi]! * 1000 > now.getTime()) wmi = -1;
    readFindings(vin, codes[2] === 9 ? 14 : wmi !== -1 && isLight(release, wmi) ? 12 : 13);
    return wmi !== -1;
  }

  const isPossibleYear = (year: number, now: Date): boolean =>
    year >= FIRST_YEAR && year <= now.getUTCFullYear() + 2;

  /** Finds the best pass of an identified VIN. `given`: the caller's model year. */
  function settle(now: Date, given?: number): void {
    const { year, other } = modelYears(release, wmi, codes, now.getUTCFullYear());
    best = later;
    hasDefaults = false;
    if (given === undefined) return choose(year, other);
    // A year that the VIN does not name is taken where the VIN names none, or where nothing is known of those it names.
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

  /** Of the years that the VIN may mean, the one with the better pass. */
  function choose(year: number, other: number, given?: number): void {
    otherYear = other;
    attempt(later, year);
    if (other === 0) return;
    attempt(earlier, other);
    const preferred = given === year ? WRONG_YEAR_WEIGHT : given === other ? -WRONG_YEAR_WEIGHT : 0;
    const lead = later.verdict.weight - earlier.verdict.weight + preferred;
    if (lead > 0 || (lead === 0 && laterSaysMore())) return;
    best = earlier;
    otherYear = year;
  }

  const bodyOf = (pass: Pass): number => (pass.rank[slots.body] === 0 ? -1 : pass.pair[slots.body]!);

  const isIncomplete = (pass: Pass): boolean =>
    wmiType[wmi] === INCOMPLETE_TYPE || incomplete.has(bodyOf(pass));

  /**
   * The other year, 0 when there is no real doubt: where only one year decodes without errors, or only one to a model,
   * that is the year.
   */
  function yearInDoubt(): number {
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

  /** What is wrong with the VIN that was decoded last, and how sure its year is. */
  function tell(vin: string): RawDecode {
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
      vehicleType: wmi === -1 ? null : wmiType[wmi]!,
      manufacturer: wmi === -1 ? null : print.value(best.pass, slots.manufacturer, vin),
      make: wmi === -1 ? null : print.value(best.pass, slots.make, vin),
      modelYear: wmi === -1 ? null : best.pass.year || null,
      otherYear: wmi === -1 ? null : yearInDoubt() || null,
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

  /** Decodes a VIN into `best`. `wanted`: the slots whose values will be asked for. */
  function settleFor(vin: string, now: Date, wanted: Uint8Array, modelYear?: number): void {
    if (!identify(vin, now)) {
      readYearOfUnknown(now, modelYear);
      return;
    }
    settle(now, modelYear);
    if (!hasDefaults) run.addSpecs(best.pass, wmi, wanted);
  }

  function decodeRaw(vin: string, now: Date, modelYear?: number): RawDecode {
    settleFor(vin, now, everything, modelYear);
    return tell(vin);
  }

  /** Whether a VIN has no code but informational ones; cheaper than a decode, as a repair asks it of several VINs. */
  function isClean(vin: string, now: Date): boolean {
    if (!identify(vin, now) || found.isShort || found.wrongCheckDigit || found.outOfPlace !== 0) return false;
    settle(now);
    const { wrong, nothingFound, outOfPlace } = best.verdict;
    return wrong === 0 && !nothingFound && outOfPlace === 0;
  }

  // It is never earlier than the data are: a machine that starts with its clock at 1970 would not know any make.
  const made = Date.parse(data.header.month);
  const today = (): Date => new Date(Math.max(Date.now(), made));

  const hasSay = serialMatters(release);
  const shape = vpicShape(release);
  const lists = catalogue(release);
  let wmisOfMake: Map<string, string[]> | undefined;
  const testVinOf = testVins(release, (vin, options) => decoder.decode(vin, options));

  function repairOf(raw: RawDecode, now: Date): string | null {
    const clean = (to: string): boolean => isClean(to, now);
    const complete = (to: string): boolean => clean(to) && best.verdict.unused === 0;
    return isVin(raw.vin) ? meantBy(raw, clean, complete) : meantByText(raw.vin, clean);
  }

  function doubtsOf(raw: RawDecode, now: Date): Doubts {
    const repair = repairOf(raw, now);
    const otherYear = raw.otherYear === null ? null : String(raw.otherYear);
    return { suggested: raw.suggested, warning: warningOf(raw, repair), repair, otherYear };
  }

  /** The answer about the VIN that was decoded last. */
  function answer(vin: string, now: Date, modelYear?: number): Decoded {
    const vehicle: Vehicle | null = wmi === -1 ? null : print.vehicle(best.pass, vin);
    const told = codesFound();
    if (told[0] !== 0)
      return new Doubtful(vin, vehicle, told, () => doubtsOf(decodeRaw(vin, now, modelYear), now));
    // 9 and 10: gliders and off-road vehicles.
    const isPlain =
      yearInDoubt() === 0 &&
      !found.wrongYear &&
      !isIncomplete(best.pass) &&
      !told.includes(9) &&
      !told.includes(10);
    const { suggested, warning, repair, otherYear: other } = isPlain ? NO_DOUBTS : doubtsOf(tell(vin), now);
    return { vin, vehicle, codes: told, suggested, warning, repair, otherYear: other };
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
      // A third character of 9 means that the manufacturer is named in the serial number.
      if (!identify(vin, today()) || codes[2] === 9 || hasSay(wmi)) return null;
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
      settleFor(vin, now, release.answered, modelYear);
      if (print.answeredByDefaults && wmi !== -1 && !hasDefaults) run.addDefaults(best.pass, wmi);
      return answer(vin, now, modelYear);
    },
    decodeFull(given: string, { now = today(), modelYear }: DecodeOptions = {}): DecodedFull {
      const vin = given.toUpperCase();
      settleFor(vin, now, everything, modelYear);
      if (wmi !== -1 && !hasDefaults) run.addDefaults(best.pass, wmi);
      const raw = tell(vin);
      const elements = print.elements(wmi === -1 ? null : best.pass, raw, {
        yearInDoubt: otherYear !== 0,
        isException: release.isException(vin),
      });
      return Object.assign(answer(vin, now, modelYear), { elements, possibleValues: raw.possibleValues });
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
