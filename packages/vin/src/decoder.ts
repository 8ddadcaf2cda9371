import { readSyntax } from './characters.ts';
import { bundledBytes, readDataFile } from './data-file.ts';
import { serialMatters } from './kinds.ts';
import { clear, matcher, newPass, type Pass } from './matcher.ts';
import { steps } from './passes.ts';
import type { RawDecode } from './raw.ts';
import { characterNumbers, readRelease } from './reader.ts';
import { meantBy } from './repairs.ts';
import type { Decoded, DecodedFull, DecodeOptions, Vehicle, Vpic } from './types.ts';
import { values } from './values.ts';
import * as verdicts from './verdict.ts';
import { warningOf } from './warnings.ts';
import { isLight, modelYears } from './years.ts';

const INCOMPLETE_TYPE = 10;
const OTHER = 63;
const NOTHING: never[] = [];

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

  function tell(vin: string): RawDecode {
    const { pass, verdict } = best;
    const body = pass.rank[slots.body] === 0 ? -1 : pass.pair[slots.body]!;
    const is = { known: true, glider: gliders.has(body), offRoad: offRoad.has(body) };
    const { wrong, wrongPlaces, outOfPlace, unused } = verdict;
    const explained = wrong === 0 ? null : explain(wmi, pass.year, codes, wrongPlaces, wrong);
    const type = wmiType[wmi]!;
    return {
      vin,
      codes: verdicts.codesOf(found, verdict, is),
      suggested:
        explained || outOfPlace !== 0 ? verdicts.suggest(vin, explained?.over ?? NOTHING, outOfPlace) : null,
      wrong: explained ? explained.positions : NOTHING,
      possibleValues: explained ? explained.possibleValues : '',
      outOfPlace: outOfPlace === 0 ? NOTHING : verdicts.positionsOf(outOfPlace),
      unused: unused === 0 ? NOTHING : verdicts.positionsOf(verdicts.asPositions(unused)),
      vehicleType: type,
      manufacturer: print.value(pass, slots.manufacturer, vin),
      make: print.value(pass, slots.make, vin),
      modelYear: pass.year || null,
      otherYear: otherYear || null,
      incomplete: type === INCOMPLETE_TYPE || incomplete.has(body),
      glider: is.glider,
      offRoad: is.offRoad,
    };
  }

  /** `wanted`: the slots whose values will be asked for. */
  function decodeFor(vin: string, now: Date, wanted: Uint8Array): RawDecode {
    if (!identify(vin, now)) {
      otherYear = modelYears(release, -1, codes, now.getUTCFullYear()).other;
      return verdicts.tellUnknown(vin, found);
    }
    settle(now);
    if (!hasDefaults) run.addSpecs(best.pass, wmi, wanted);
    return tell(vin);
  }

  /** Whether a VIN has no code but informational ones; cheaper than a decode, as a repair asks it of several VINs. */
  function isClean(vin: string, now: Date): boolean {
    if (!identify(vin, now) || found.wrongCheckDigit || found.outOfPlace !== 0) return false;
    settle(now);
    const { wrong, nothingFound, outOfPlace } = best.verdict;
    return wrong === 0 && !nothingFound && outOfPlace === 0;
  }

  function inWords(raw: RawDecode, now: Date): { warning: string | null; repair: string | null } {
    const quiet =
      raw.codes[0] === 0 && raw.otherYear === null && !raw.incomplete && !raw.glider && !raw.offRoad;
    if (quiet) return { warning: null, repair: null };
    const meant = meantBy(raw, (to) => isClean(to, now));
    return { warning: warningOf(raw, meant), repair: meant.repair };
  }

  // It is never earlier than the data are: a machine that starts with its clock at 1970 would not know any make.
  const made = Date.parse(data.header.month);
  const today = (): Date => new Date(Math.max(Date.now(), made));

  const hasSay = serialMatters(release);

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
    decodeRaw: (vin, now) => decodeFor(vin, now, everything),
    decode(given: string, { now = today() }: DecodeOptions = {}): Decoded {
      const vin = given.toUpperCase();
      const raw = decodeFor(vin, now, release.answered);
      if (print.answeredByDefaults && wmi !== -1 && !hasDefaults) run.addDefaults(best.pass, wmi);
      const vehicle: Vehicle | null = wmi === -1 ? null : print.vehicle(best.pass, vin);
      const { warning, repair } = inWords(raw, now);
      return { vin, vehicle, codes: raw.codes, suggested: raw.suggested, warning, repair };
    },
    decodeFull(given: string, { now = today() }: DecodeOptions = {}): DecodedFull {
      const vin = given.toUpperCase();
      const raw = decodeFor(vin, now, everything);
      const { possibleValues, suggested } = raw;
      if (wmi !== -1 && !hasDefaults) run.addDefaults(best.pass, wmi);
      const vehicle: Vehicle | null = wmi === -1 ? null : print.vehicle(best.pass, vin);
      const elements = print.elements(wmi === -1 ? null : best.pass, raw, {
        yearInDoubt: otherYear !== 0,
        isException: release.exceptions.has(vin),
      });
      const { warning, repair } = inWords(raw, now);
      return { vin, vehicle, codes: raw.codes, suggested, warning, repair, elements, possibleValues };
    },
  };
}

/** Loads the data file that comes with the package, or another. */
export function loadBundled(path?: string): Decoder {
  return loadVpic(bundledBytes(path));
}
