import { catalog } from './catalog.ts';
import { columnDecoder } from './columns.ts';
import type { VpicData } from './data-file.ts';
import { LazyDecoded, type Diagnosis } from './lazy-decoded.ts';
import type { Explained } from './characters.ts';
import { lists as vpicLists } from './lists.ts';
import { serialMatters, type Pass } from './matcher.ts';
import type {
  RawDecode,
  Decoded,
  DecodedFull,
  DecodeOptions,
  Model,
  ModelFilter,
  Vehicle,
  Vpic,
  VpicLists,
} from './types.ts';
import { readRelease, type Release } from './reader.ts';
import { meantBy, meantByText, repairsOf } from './repairs.ts';
import { isVin } from './syntax.ts';
import { values } from './values.ts';
import { testVins, wmisToTry } from './test-vins.ts';
import { vpicShape } from './vpic-shape.ts';
import * as verdicts from './verdict.ts';
import { warningOf } from './warnings.ts';
import { yearChooser } from './year-chooser.ts';

const INCOMPLETE_TYPE = 10;
const NONE: never[] = [];
const NOTHING_WRONG: Diagnosis = { suggested: null, warning: null, repair: null, otherYear: null };

/** A decoder with access to its raw results. */
export interface Decoder extends Vpic {
  decodeRaw(vin: string, now: Date): RawDecode;
  /** `models` in parts, each selected when you read it. Some are empty. */
  modelsInParts(make: string | number, filter?: ModelFilter | number): Iterable<Model[]>;
  lists: VpicLists;
  /** The data it decodes with. */
  data: VpicData;
}

/** A decoder for data in memory; `loadVpic` and `openVpic` load the data. */
export function createDecoder(data: VpicData): Decoder {
  const release = readRelease(data);
  const chooser = yearChooser(release);
  const { state, codes, found, run, everything, identify, decodeInto, isClean } = chooser;
  const print = values(release);
  const described = results(release, chooser, print);
  const { rawResult, decodeRaw, repairOf, resultOf } = described;

  // Never before the data's month: with a clock that starts in 1970, every make would be unknown.
  const dataDate = Date.parse(data.header.month);
  const today = (): Date => new Date(Math.max(Date.now(), dataDate));

  const usesSerial = serialMatters(release);
  function hasKind(vin: string, now: Date): boolean {
    // With 9 as the third character, the serial number is part of the manufacturer's identifier.
    if (!identify(vin, now) || codes[2] === 9 || usesSerial(state.wmi)) return false;
    return !(found.isShort || found.wrongCheckDigit || found.ninthIsInvalid || found.invalidPositions !== 0);
  }

  const shape = vpicShape(release);
  const lists = catalog(release);
  let columns: ReturnType<typeof columnDecoder> | undefined;
  let wmisOfMake: Map<string, string[]> | undefined;
  const testVinOf = testVins(release, (vin, options) => decoder.decode(vin, options));

  const decoder: Decoder = {
    wmi: lists.wmi,
    makes: lists.makes,
    models: lists.models,
    modelsInParts: lists.modelsInParts,
    lists: vpicLists(release),
    data,
    month: data.header.month,
    input: data.header.input,
    counts: data.header.counts,
    kindOf: (vin) => (hasKind(vin, today()) ? vin.slice(0, 8) + vin.slice(9, 11) : null),
    makesOf(vin) {
      if (!identify(vin, today())) return [];
      const makes = release.wmiMake.subarray(
        release.wmiMakeFrom[state.wmi],
        release.wmiMakeFrom[state.wmi + 1],
      );
      return Array.from(makes, (pair) => release.text(pair));
    },
    decodeRaw,
    decode(text: string, { now = today(), modelYear }: DecodeOptions = {}): Decoded {
      const vin = text.toUpperCase();
      decodeInto(vin, now, release.vehicleSlots, modelYear);
      if (print.defaultsFillVehicle && state.wmi !== -1 && !state.hasDefaults)
        run.addDefaults(state.best.pass, state.wmi);
      return resultOf(vin, now, modelYear);
    },
    decodeFull(text: string, { now = today(), modelYear }: DecodeOptions = {}): DecodedFull {
      const vin = text.toUpperCase();
      decodeInto(vin, now, everything, modelYear);
      if (state.wmi !== -1 && !state.hasDefaults) run.addDefaults(state.best.pass, state.wmi);
      const raw = rawResult(vin);
      const elements = print.elements(state.wmi === -1 ? null : state.best.pass, raw, {
        isYearUncertain: state.otherYear !== 0,
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
    columns(fields, { now = today(), modelYear }: DecodeOptions = {}) {
      columns ??= columnDecoder({ release, chooser, print, hasKind, ...described });
      return columns(fields, now, modelYear);
    },
    values: (vin, options) => shape.values(decoder.decodeFull(vin, options)),
    variables: (vin, options) =>
      shape.variables(decoder.decodeFull(vin, options), options?.extended ?? false),
  };
  return decoder;
}

/** Describes the VIN that `chooser` decoded last. */
function results(
  release: Release,
  chooser: ReturnType<typeof yearChooser>,
  print: ReturnType<typeof values>,
) {
  const { slots, gliders, offRoad, incomplete, wmiType } = release;
  const { state, codes, found, explain, everything, uncertainYear, decodeInto, isClean } = chooser;

  const bodyOf = (pass: Pass): number => (pass.rank[slots.body] === 0 ? -1 : pass.pair[slots.body]!);

  const isIncomplete = (pass: Pass): boolean =>
    wmiType[state.wmi] === INCOMPLETE_TYPE || incomplete.has(bodyOf(pass));

  /** The errors of the last VIN. */
  const verdict = (): verdicts.Verdict => (state.wmi === -1 ? verdicts.unknown(found) : state.best.verdict);

  function codesFound(): number[] {
    if (state.wmi === -1) return verdicts.codesOf(found, verdict(), false, false, false);
    const body = bodyOf(state.best.pass);
    return verdicts.codesOf(found, state.best.verdict, true, gliders.has(body), offRoad.has(body));
  }

  function explained(): Explained | null {
    if (state.wmi === -1 || state.best.verdict.wrong === 0) return null;
    return explain(
      state.wmi,
      state.best.pass.year,
      codes,
      state.best.verdict.wrongPositions,
      state.best.verdict.wrong,
    );
  }

  /** The raw result for the last VIN. */
  function rawResult(vin: string): RawDecode {
    const wrong = explained();
    const { invalidPositions, unused } = verdict();
    const body = state.wmi === -1 ? -1 : bodyOf(state.best.pass);
    return {
      vin,
      codes: codesFound(),
      suggested:
        wrong || invalidPositions !== 0
          ? verdicts.suggest(vin, wrong?.replacements ?? NONE, invalidPositions)
          : null,
      wrong: wrong?.positions ?? NONE,
      possibleValues: wrong?.possibleValues ?? '',
      invalidPositions: verdicts.positionsOf(invalidPositions),
      unused: verdicts.positionsOf(verdicts.asPositions(unused)),
      hasModel: state.wmi !== -1 && state.best.pass.rank[slots.model] !== 0,
      vehicleType: state.wmi === -1 ? null : wmiType[state.wmi]!,
      manufacturer: state.wmi === -1 ? null : print.value(state.best.pass, slots.manufacturer, vin),
      make: state.wmi === -1 ? null : print.value(state.best.pass, slots.make, vin),
      modelYear: state.wmi === -1 ? null : state.best.pass.year || null,
      otherYear: state.wmi === -1 ? null : uncertainYear() || null,
      incomplete: state.wmi !== -1 && isIncomplete(state.best.pass),
      glider: gliders.has(body),
      offRoad: offRoad.has(body),
    };
  }

  function decodeRaw(vin: string, now: Date, modelYear?: number): RawDecode {
    decodeInto(vin, now, everything, modelYear);
    return rawResult(vin);
  }

  function repairOf(raw: RawDecode, now: Date): string | null {
    const clean = (to: string): boolean => isClean(to, now);
    const complete = (to: string): boolean => clean(to) && !state.best.verdict.lacking;
    return isVin(raw.vin) ? meantBy(raw, clean, complete) : meantByText(raw.vin, clean);
  }

  function diagnosisOf(raw: RawDecode, now: Date): Diagnosis {
    const repair = repairOf(raw, now);
    const otherYear = raw.otherYear === null ? null : String(raw.otherYear);
    return { suggested: raw.suggested, warning: warningOf(raw, repair), repair, otherYear };
  }

  /** Whether there is nothing to say about the VIN itself. */
  const isPlain = (foundCodes: number[]): boolean =>
    uncertainYear() === 0 &&
    !found.wrongYear &&
    !isIncomplete(state.best.pass) &&
    // Gliders and off-road vehicles.
    !foundCodes.includes(9) &&
    !foundCodes.includes(10);

  /** What is wrong with the last VIN. */
  function diagnose(vin: string, foundCodes: number[], now: Date): Diagnosis {
    return foundCodes[0] === 0 && isPlain(foundCodes) ? NOTHING_WRONG : diagnosisOf(rawResult(vin), now);
  }

  /** The result for the last VIN. */
  function resultOf(vin: string, now: Date, modelYear?: number): Decoded {
    const vehicle: Vehicle | null = state.wmi === -1 ? null : print.vehicle(state.best.pass, vin);
    const foundCodes = codesFound();
    if (foundCodes[0] !== 0)
      return new LazyDecoded(vin, vehicle, foundCodes, () =>
        diagnosisOf(decodeRaw(vin, now, modelYear), now),
      );
    const { suggested, warning, repair, otherYear } = diagnose(vin, foundCodes, now);
    return { vin, vehicle, codes: foundCodes, suggested, warning, repair, otherYear };
  }

  return {
    codesFound,
    verdict,
    isIncomplete: () => state.wmi !== -1 && isIncomplete(state.best.pass),
    rawResult,
    decodeRaw,
    repairOf,
    diagnose,
    resultOf,
  };
}
