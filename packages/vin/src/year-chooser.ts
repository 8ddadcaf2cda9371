import { CYCLE, readSyntax, yearOfCharacter } from './characters.ts';
import { ABSENT_CHARACTER, FIRST_YEAR } from './layout.ts';
import { clear, matcher, newPass, type Pass } from './matcher.ts';
import { passSteps } from './pass-steps.ts';
import { characterNumbers, linkCovers, type Release } from './reader.ts';
import * as verdicts from './verdict.ts';

/** Cars, MPVs and light trucks: position 7 decides the cycle of the year, and the serial number begins at position 13. */
export function isLight(release: Release, wmi: number): boolean {
  const type = release.wmiType[wmi];
  return type === 2 || type === 7 || (type === 3 && release.wmiTruck[wmi] === 1);
}

interface Years {
  /** 0 if position 10 isn't a year code. */
  year: number;
  /** The other possible year, thirty years earlier; 0 if the year is certain. */
  other: number;
}

function isLinked(release: Release, wmi: number, year: number): boolean {
  const { linkFromWmi, links } = release;
  const yearOffset = year - FIRST_YEAR;
  for (let link = linkFromWmi[wmi]!; link < linkFromWmi[wmi + 1]!; link++) {
    if (linkCovers(links[link]!, yearOffset)) return true;
  }
  return false;
}

/** The model years that a VIN may mean in the year `now`. `wmi` is −1 for an unknown manufacturer. */
function modelYears(release: Release, wmi: number, codes: Uint8Array, now: number): Years {
  let year = yearOfCharacter[codes[9]!]!;
  if (year === 0) return { year: 0, other: 0 };
  const latest = now + 2;
  const seventh = codes[6]!;
  let certain = false;
  if (seventh < 36 && wmi !== -1 && isLight(release, wmi)) {
    certain = true;
    if (seventh < 10) year -= CYCLE;
  }
  if (year > latest) {
    certain = true;
    year -= CYCLE;
  }
  if (!certain) return { year, other: year - CYCLE };
  if (wmi !== -1 && !isLinked(release, wmi, year)) {
    const otherCycle = year - CYCLE >= FIRST_YEAR ? year - CYCLE : year + CYCLE;
    if (otherCycle <= latest && isLinked(release, wmi, otherCycle)) year = otherCycle;
  }
  return { year, other: 0 };
}

const OTHER = 63;
/** The weight of code 12. */
const WRONG_YEAR_WEIGHT = 20;

/** A pass over the patterns of one model year, and how wrong the VIN is for that year. */
interface Attempt {
  pass: Pass;
  verdict: verdicts.Verdict;
}

/**
 * Decodes one VIN at a time into `state`: finds the manufacturer, tries the model years that the VIN may mean, and
 * chooses the better one. Everything is reused for the next VIN, so that only results are allocated.
 */
export function yearChooser(release: Release) {
  const run = passSteps(release);
  const match = matcher(release);
  const { weigh, explain } = verdicts.judge(release);
  const everything = new Uint8Array(release.slotCount).fill(1);
  const codes = new Uint8Array(17);
  const newAttempt = (): Attempt => ({ pass: newPass(release.slotCount), verdict: verdicts.newVerdict() });
  const later = newAttempt();
  const earlier = newAttempt();
  const found = verdicts.newFindings();
  /** The result for the last VIN. */
  const state = {
    /** -1 if the manufacturer is unknown. */
    wmi: -1,
    best: later,
    /** The other year that the VIN may mean, or 0. */
    otherYear: 0,
    hasDefaults: false,
  };

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
    found.isException = (found.wrongCheckDigit || found.ninthIsInvalid) && release.isException(vin);
    if (found.isException) found.wrongCheckDigit = false;
  }

  function attempt({ pass, verdict }: Attempt, year: number): void {
    clear(pass, year);
    // Without a fourth character no pattern matches, not even one that accepts any character.
    if (codes[3] !== ABSENT_CHARACTER) match(pass, state.wmi, codes);
    run.begin(pass, state.wmi);
    weigh(pass, state.wmi, codes, found, verdict);
  }

  function complete(pass: Pass): void {
    run.addSpecs(pass, state.wmi, everything);
    run.addDefaults(pass, state.wmi);
  }

  /** Chooses between two years with equal error weights: the one with more information, else the later one. */
  function laterHasMore(): boolean {
    if (!later.pass.found && !earlier.pass.found) return true;
    const items = run.items(later.pass) - run.items(earlier.pass);
    complete(later.pass);
    complete(earlier.pass);
    state.hasDefaults = true;
    const weight = run.weight(later.pass) - run.weight(earlier.pass);
    return weight > 0 || (weight === 0 && items >= 0);
  }

  /** Finds the manufacturer and checks the characters. False if the manufacturer is unknown. */
  function identify(vin: string, now: Date): boolean {
    read(vin);
    // The first seventeen characters of a longer text aren't a VIN.
    state.wmi = vin.length <= 17 ? release.wmi(codes) : -1;
    if (state.wmi !== -1 && release.wmiPublic[state.wmi]! * 1000 > now.getTime()) state.wmi = -1;
    readFindings(vin, codes[2] === 9 ? 14 : state.wmi !== -1 && isLight(release, state.wmi) ? 12 : 13);
    return state.wmi !== -1;
  }

  const isPossibleYear = (year: number, now: Date): boolean =>
    year >= FIRST_YEAR && year <= now.getUTCFullYear() + 2;

  /** Finds the best pass for an identified VIN. `given`: the caller's model year. */
  function decodeYears(now: Date, given?: number): void {
    const { year, other } = modelYears(release, state.wmi, codes, now.getUTCFullYear());
    state.best = later;
    state.hasDefaults = false;
    if (given === undefined) return choose(year, other);
    // A year that the VIN doesn't name counts if the VIN names none, or if nothing is found for the years it names.
    if (isPossibleYear(given, now) && given !== year && given !== other) {
      attempt(later, given);
      if (later.pass.found || year === 0) return useGivenYear();
      choose(year, other, given);
      if (!state.best.pass.found) {
        state.best = later;
        state.hasDefaults = false;
        attempt(later, given);
        return useGivenYear();
      }
    } else choose(year, other, given);
    found.wrongYear = year !== 0 && state.best.pass.year !== given;
  }

  function useGivenYear(): void {
    state.otherYear = 0;
    found.wrongYear = true;
  }

  /** Chooses the better of the years that the VIN may mean. */
  function choose(year: number, other: number, given?: number): void {
    state.otherYear = other;
    attempt(later, year);
    if (other === 0) return;
    attempt(earlier, other);
    const preferred = given === year ? WRONG_YEAR_WEIGHT : given === other ? -WRONG_YEAR_WEIGHT : 0;
    const lead = later.verdict.weight - earlier.verdict.weight + preferred;
    if (lead > 0 || (lead === 0 && laterHasMore())) return;
    state.best = earlier;
    state.otherYear = year;
  }

  /**
   * The other possible year, or 0 if the year is clear: only one of the two decodes without errors, or only one to a
   * model.
   */
  function uncertainYear(): number {
    if (state.otherYear === 0) return 0;
    const decodes = ({ verdict }: Attempt): boolean => verdict.wrong === 0 && !verdict.nothingFound;
    const hasModel = ({ pass }: Attempt): boolean => pass.rank[release.slots.model] !== 0;
    const alike = decodes(later) === decodes(earlier) && hasModel(later) === hasModel(earlier);
    return alike ? state.otherYear : 0;
  }

  function readYearOfUnknownManufacturer(now: Date, given?: number): void {
    const { year, other } = modelYears(release, -1, codes, now.getUTCFullYear());
    const isAnother = given !== undefined && given !== year && given !== other;
    const isTaken = isAnother && isPossibleYear(given, now);
    state.otherYear = isTaken ? 0 : other;
    found.wrongYear = isTaken || (isAnother && year !== 0);
  }

  /** Decodes a VIN into `state`. `wanted`: the slots whose values will be read. */
  function decodeInto(vin: string, now: Date, wanted: Uint8Array, modelYear?: number): void {
    identify(vin, now);
    decodeIdentified(now, wanted, modelYear);
  }

  /** The same for the VIN that was identified last. */
  function decodeIdentified(now: Date, wanted: Uint8Array, modelYear?: number): void {
    if (state.wmi === -1) {
      readYearOfUnknownManufacturer(now, modelYear);
      return;
    }
    decodeYears(now, modelYear);
    if (!state.hasDefaults) run.addSpecs(state.best.pass, state.wmi, wanted);
  }

  /** Whether a VIN decodes without errors. Cheaper than a decode, because a repair checks dozens of VINs. */
  function isClean(vin: string, now: Date): boolean {
    if (!identify(vin, now) || found.isShort || found.wrongCheckDigit || found.invalidPositions !== 0)
      return false;
    decodeYears(now);
    const { wrong, nothingFound, invalidPositions } = state.best.verdict;
    return wrong === 0 && !nothingFound && invalidPositions === 0;
  }

  return {
    state,
    codes,
    found,
    run,
    explain,
    everything,
    uncertainYear,
    identify,
    decodeIdentified,
    decodeInto,
    isClean,
  };
}
