import { readSyntax } from './characters.ts';
import { bundledBytes, readDataFile } from './data-file.ts';
import { Doubtful, type Doubts } from './doubtful.ts';
import type { Explained } from './errors.ts';
import { serialMatters } from './kinds.ts';
import { clear, matcher, newPass, type Pass } from './matcher.ts';
import { steps } from './passes.ts';
import type { RawDecode } from './raw.ts';
import { characterNumbers, readRelease } from './reader.ts';
import { meantBy, meantByText, repairsOf } from './repairs.ts';
import { isVin } from './syntax.ts';
import type { Decoded, DecodedFull, DecodeOptions, Vehicle, Vpic } from './types.ts';
import { values } from './values.ts';
import * as verdicts from './verdict.ts';
import { warningOf } from './warnings.ts';
import { isLight, modelYears } from './years.ts';

const INCOMPLETE_TYPE = 10;
const OTHER = 63;
const NOTHING: never[] = [];
const NO_DOUBTS: Doubts = { suggested: null, warning: null, repair: null, otherYear: null };

/** A decoder over one data file, with the procedure's own findings laid open. */
export interface Decoder extends Vpic {
  decodeRaw(vin: string, now: Date): RawDecode;
}

/** Loads a data file, the package's own when none is given. Throws DataFileError for anything but a whole one. */
export function loadVpic(bytes: Uint8Array = bundledBytes()): Decoder {
  const data = readDataFile(bytes);
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
  const found: verdicts.Findings = {
    wrongCheckDigit: false,
    outOfPlace: 0,
    ninthOutOfPlace: false,
    isException: false,
  };

  /** How the last VIN was settled. */
  let wmi = -1;
  let best = later;
  let otherYear = 0;
  let hasDefaults = false;

  function read(vin: string): void {
    for (let i = 0; i < 17; i++) {
      const char = vin.charCodeAt(i);
      codes[i] = char < 128 ? characterNumbers[char]! : OTHER;
    }
  }

  function readFindings(vin: string, serial: number): void {
    readSyntax(codes, serial, found);
    found.isException = (found.wrongCheckDigit || found.ninthOutOfPlace) && release.exceptions.has(vin);
    if (found.isException) found.wrongCheckDigit = false;
  }

  function attempt({ pass, verdict }: typeof later, year: number): void {
    clear(pass, year);
    match(pass, wmi, codes);
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
    wmi = vin.length === 17 ? release.wmi(codes) : -1;
    if (wmi !== -1 && release.wmiPublic[wmi]! * 1000 > now.getTime()) wmi = -1;
    readFindings(vin, codes[2] === 9 ? 14 : wmi !== -1 && isLight(release, wmi) ? 12 : 13);
    return wmi !== -1;
  }

  /** Finds the best pass of an identified VIN. */
  function settle(now: Date): void {
    const { year, other } = modelYears(release, wmi, codes, now.getUTCFullYear());
    best = later;
    otherYear = other;
    hasDefaults = false;
    attempt(later, year);
    if (other === 0) return;
    attempt(earlier, other);
    const lead = later.verdict.weight - earlier.verdict.weight;
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

  /** Decodes a VIN into `best`. `wanted`: the slots whose values will be asked for. */
  function settleFor(vin: string, now: Date, wanted: Uint8Array): void {
    if (!identify(vin, now)) {
      otherYear = modelYears(release, -1, codes, now.getUTCFullYear()).other;
      return;
    }
    settle(now);
    if (!hasDefaults) run.addSpecs(best.pass, wmi, wanted);
  }

  function decodeRaw(vin: string, now: Date): RawDecode {
    settleFor(vin, now, everything);
    return tell(vin);
  }

  /** Whether a VIN has no code but informational ones; cheaper than a decode, as a repair asks it of several VINs. */
  function isClean(vin: string, now: Date): boolean {
    if (!identify(vin, now) || found.wrongCheckDigit || found.outOfPlace !== 0) return false;
    settle(now);
    const { wrong, nothingFound, outOfPlace } = best.verdict;
    return wrong === 0 && !nothingFound && outOfPlace === 0;
  }

  // It is never earlier than the data are: a machine that starts with its clock at 1970 would not know any make.
  const made = Date.parse(data.header.month);
  const today = (): Date => new Date(Math.max(Date.now(), made));

  const hasSay = serialMatters(release);

  function repairOf(raw: RawDecode, now: Date): string | null {
    const clean = (to: string): boolean => isClean(to, now);
    return isVin(raw.vin) ? meantBy(raw, clean) : meantByText(raw.vin, clean);
  }

  function doubtsOf(raw: RawDecode, now: Date): Doubts {
    const repair = repairOf(raw, now);
    const otherYear = raw.otherYear === null ? null : String(raw.otherYear);
    return { suggested: raw.suggested, warning: warningOf(raw, repair), repair, otherYear };
  }

  /** The answer about the VIN that was decoded last. */
  function answer(vin: string, now: Date): Decoded {
    const vehicle: Vehicle | null = wmi === -1 ? null : print.vehicle(best.pass, vin);
    const found = codesFound();
    if (found[0] !== 0) return new Doubtful(vin, vehicle, found, () => doubtsOf(decodeRaw(vin, now), now));
    // 9 and 10: gliders and off-road vehicles.
    const isPlain =
      yearInDoubt() === 0 && !isIncomplete(best.pass) && !found.includes(9) && !found.includes(10);
    const { suggested, warning, repair, otherYear: other } = isPlain ? NO_DOUBTS : doubtsOf(tell(vin), now);
    return { vin, vehicle, codes: found, suggested, warning, repair, otherYear: other };
  }

  return {
    month: data.header.month,
    input: data.header.input,
    counts: data.header.counts,
    kindOf(vin) {
      // A third character of 9 means that the manufacturer is named in the serial number.
      if (!identify(vin, today()) || codes[2] === 9 || hasSay(wmi)) return null;
      if (found.wrongCheckDigit || found.ninthOutOfPlace || found.outOfPlace !== 0) return null;
      return vin.slice(0, 8) + vin.slice(9, 11);
    },
    makesOf(vin) {
      if (!identify(vin, today())) return [];
      const makes = release.wmiMake.subarray(release.wmiMakeFrom[wmi], release.wmiMakeFrom[wmi + 1]);
      return Array.from(makes, (pair) => release.text(pair));
    },
    decodeRaw,
    decode(given: string, { now = today() }: DecodeOptions = {}): Decoded {
      const vin = given.toUpperCase();
      settleFor(vin, now, release.answered);
      if (print.answeredByDefaults && wmi !== -1 && !hasDefaults) run.addDefaults(best.pass, wmi);
      return answer(vin, now);
    },
    decodeFull(given: string, { now = today() }: DecodeOptions = {}): DecodedFull {
      const vin = given.toUpperCase();
      settleFor(vin, now, everything);
      if (wmi !== -1 && !hasDefaults) run.addDefaults(best.pass, wmi);
      const raw = tell(vin);
      const elements = print.elements(wmi === -1 ? null : best.pass, raw, {
        yearInDoubt: otherYear !== 0,
        isException: release.exceptions.has(vin),
      });
      return Object.assign(answer(vin, now), { elements, possibleValues: raw.possibleValues });
    },
    repair(text, { now = today() }: DecodeOptions = {}) {
      return repairOf(decodeRaw(text.toUpperCase(), now), now);
    },
    candidates: (text, { now = today() }: DecodeOptions = {}) => repairsOf(text, (to) => isClean(to, now)),
  };
}

/** Loads the data file that comes with the package, or another. */
export function loadBundled(path?: string): Decoder {
  return loadVpic(bundledBytes(path));
}
