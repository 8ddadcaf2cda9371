import { bundledBytes, readDataFile } from './data-file.ts';
import { nothingWrong, readSyntax } from './errors.ts';
import { clear, matcher, newPass, type Pass } from './matcher.ts';
import { steps } from './passes.ts';
import type { RawDecode } from './raw.ts';
import { characterNumbers, readRelease } from './reader.ts';
import { repairOf } from './repairs.ts';
import type { Decoded, DecodedFull, DecodeOptions, Vpic } from './types.ts';
import { values } from './values.ts';
import { judge, tell, type Findings, type Verdict } from './verdict.ts';
import { warningOf } from './warnings.ts';
import { isLight, modelYears } from './years.ts';

const INCOMPLETE_TYPE = 10;
const nobody = { glider: false, offRoad: false };

/** A decoder over one data file, with the procedure's own findings laid open. */
export interface Decoder extends Vpic {
  decodeRaw(vin: string, now: Date): RawDecode;
}

/** Loads a data file, the package's own when none is given. Throws DataFileError for anything but a whole one. */
export function loadVpic(bytes: Uint8Array = bundledBytes()): Decoder {
  const { header, ...data } = readDataFile(bytes);
  const release = readRelease({ header, ...data });
  const run = steps(release);
  const match = matcher(release);
  const verdictOf = judge(release, run);
  const print = values(release);
  const { slots } = release;
  const codes = new Uint8Array(17);
  const first = newPass(release.slotCount);
  const second = newPass(release.slotCount);
  /** The pass of the last decode; null when the manufacturer was unknown. */
  let best: Pass | null = null;

  function read(vin: string): void {
    for (let i = 0; i < 17; i++) {
      const char = vin.charCodeAt(i);
      codes[i] = char < 128 ? characterNumbers[char]! : 63;
    }
  }

  function findings(vin: string, serial: number): Findings {
    const syntax = readSyntax(codes, serial);
    const isException = (syntax.wrongCheckDigit || syntax.ninthOutOfPlace) && release.exceptions.has(vin);
    return {
      vin,
      noYear: (syntax.outOfPlace & (1 << 9)) !== 0,
      isException,
      wrongCheckDigit: syntax.wrongCheckDigit && !isException,
      outOfPlace: syntax.outOfPlace,
      ninthOutOfPlace: syntax.ninthOutOfPlace,
    };
  }

  function unknown(vin: string): RawDecode {
    best = null;
    const found = findings(vin, codes[2] === 9 ? 14 : 13);
    const verdict: Verdict = {
      wrong: nothingWrong,
      nothingFound: false,
      incomplete: false,
      unused: 0,
      outOfPlace:
        found.ninthOutOfPlace && !found.isException ? found.outOfPlace | (1 << 8) : found.outOfPlace,
      weight: 0,
    };
    return {
      vin,
      ...tell(found, verdict, nobody, false),
      vehicleType: null,
      manufacturer: null,
      make: null,
      modelYear: null,
      otherYear: null,
      incomplete: false,
      ...nobody,
    };
  }

  function attempt(pass: Pass, wmi: number, year: number, found: Findings): Verdict {
    clear(pass, year);
    match(pass, wmi, codes);
    run.begin(pass, wmi);
    return verdictOf(pass, wmi, codes, found);
  }

  /** Of two years, the one whose pass has the lighter errors, then says more; the later when all is equal. */
  function better(later: Verdict, earlier: Verdict, wmi: number): boolean {
    if (later.weight !== earlier.weight) return later.weight > earlier.weight;
    const items = [run.items(first), run.items(second)] as const;
    run.complete(first, wmi);
    run.complete(second, wmi);
    const weights = [run.weight(first), run.weight(second)] as const;
    if (weights[0] !== weights[1]) return weights[0] > weights[1];
    return items[0] >= items[1];
  }

  function decodeRaw(vin: string, now: Date): RawDecode {
    read(vin);
    const wmi = release.wmi(codes);
    if (wmi === -1 || release.wmiPublic[wmi]! * 1000 > now.getTime()) return unknown(vin);
    const serial = codes[2] === 9 ? 14 : isLight(release, wmi) ? 12 : 13;
    const found = findings(vin, serial);
    const { year, other } = modelYears(release, wmi, codes, now.getUTCFullYear());
    let verdict = attempt(first, wmi, year, found);
    let pass = first;
    let completed = false;
    if (other !== 0) {
      const earlier = attempt(second, wmi, other, found);
      completed = verdict.weight === earlier.weight;
      if (!better(verdict, earlier, wmi)) {
        verdict = earlier;
        pass = second;
      }
    }
    if (!completed) run.complete(pass, wmi);
    best = pass;
    const bodyPair = pass.rank[slots.body] === 0 ? -1 : pass.pair[slots.body]!;
    const body = { glider: release.gliders.has(bodyPair), offRoad: release.offRoad.has(bodyPair) };
    const type = release.wmiType[wmi]!;
    return {
      vin,
      ...tell(found, verdict, body, true),
      vehicleType: type,
      manufacturer: release.text(release.wmiManufacturer[wmi]!),
      make: pass.rank[slots.make] === 0 ? null : release.text(pass.pair[slots.make]!) || null,
      modelYear: pass.year || null,
      otherYear: other === 0 ? null : pass === first ? other : year,
      incomplete: type === INCOMPLETE_TYPE || release.incomplete.has(bodyPair),
      ...body,
    };
  }

  const isClean = (now: Date) => (vin: string) => decodeRaw(vin, now).codes[0] === 0;

  function inWords(raw: RawDecode, vehicle: Decoded['vehicle'], now: Date): Decoded {
    const repair = repairOf(raw, isClean(now));
    return {
      vin: raw.vin,
      vehicle,
      codes: raw.codes,
      suggested: raw.suggested,
      warning: warningOf(raw, repair),
      repair,
    };
  }

  return {
    month: header.month,
    input: header.input,
    counts: header.counts,
    decodeRaw,
    decode(vin: string, { now = new Date() }: DecodeOptions = {}): Decoded {
      const raw = decodeRaw(vin, now);
      return inWords(raw, best && print.vehicle(best, vin), now);
    },
    decodeFull(vin: string, { now = new Date() }: DecodeOptions = {}): DecodedFull {
      const raw = decodeRaw(vin, now);
      const vehicle = best && print.vehicle(best, vin);
      const elements = best ? print.elements(best, vin) : [];
      return { ...inWords(raw, vehicle, now), elements, possibleValues: raw.possibleValues };
    },
  };
}

/** Loads the data file that comes with the package. */
export function loadBundled(path?: string): Decoder {
  return loadVpic(bundledBytes(path));
}
