import { newSyntax, type Syntax } from './characters.ts';
import { validity, type Explained } from './errors.ts';
import type { Pass } from './matcher.ts';
import type { Release } from './reader.ts';

/** Positions 4–8 and 11, as items name them. */
const NAMEABLE = 0x3f;
const NINTH_BIT = 1 << 8;

/** What one pass is worth. */
export interface Verdict {
  /** 0, or a code from 2 to 5, and the checked places it is about. */
  wrong: 0 | 2 | 3 | 4 | 5;
  wrongPlaces: number;
  /** Code 8. */
  nothingFound: boolean;
  /** Code 14, and the bits of positions that say nothing. */
  lacking: boolean;
  unused: number;
  /** Code 400: bits of positions. */
  outOfPlace: number;
  weight: number;
}

export const newVerdict = (): Verdict => ({
  wrong: 0,
  wrongPlaces: 0,
  nothingFound: false,
  lacking: false,
  unused: 0,
  outOfPlace: 0,
  weight: 0,
});

const weights = [0, 0, -100, -100, -200, -300];

/** What holds for all passes over a VIN. */
export interface Findings extends Syntax {
  /** On the list of VINs whose check digit is not asked for. */
  isException: boolean;
  /** Code 12: the caller gave another model year than the VIN. */
  wrongYear: boolean;
}

export const newFindings = (): Findings => ({ ...newSyntax(), isException: false, wrongYear: false });

export function judge(release: Release) {
  const { find, codeOf, explain } = validity(release);
  const { slots, offRoad } = release;

  function named(pass: Pass): number {
    let bits = 0;
    for (let i = 0; i < pass.touchedCount; i++) bits |= pass.named[pass.touched[i]!]!;
    for (let i = 0; i < pass.repeatedNamed.length; i++) bits |= pass.repeatedNamed[i]!;
    return bits;
  }

  /** A character that a matching key names is valid there, unless it is one that only brackets written out allow. */
  const resolved = (bits: number, outOfPlace: number): number =>
    bits & ~(((outOfPlace >> 3) & 0x1f) | ((outOfPlace >> 5) & 0x20));

  /** Judges a pass before its vehicle specs and defaults, into `verdict`. */
  function weigh(pass: Pass, wmi: number, codes: Uint8Array, found: Findings, verdict: Verdict): void {
    const { outOfPlace, wrongCheckDigit } = found;
    verdict.outOfPlace = outOfPlace;
    if (found.ninthOutOfPlace && !found.isException) {
      const isOffRoad = pass.rank[slots.body] !== 0 && offRoad.has(pass.pair[slots.body]!);
      if (!isOffRoad) verdict.outOfPlace |= NINTH_BIT;
    }
    verdict.nothingFound = !pass.found;
    verdict.wrong = 0;
    verdict.wrongPlaces = 0;
    verdict.unused = 0;
    if (pass.found) {
      const bits = named(pass);
      const unnamed = find(wmi, pass.year, codes, resolved(bits, outOfPlace) | found.absentPlaces);
      // A range such as A-Z matches I, O and Q without naming them.
      verdict.unused = NAMEABLE & (~bits | unnamed) & ~found.absentPlaces;
      // Without a model year any character is valid.
      verdict.wrongPlaces = pass.year === 0 ? 0 : unnamed;
      verdict.wrong = codeOf(wmi, pass.year, codes, verdict.wrongPlaces);
    }
    const clean =
      pass.found && verdict.wrong === 0 && verdict.outOfPlace === 0 && !wrongCheckDigit && !found.isShort;
    verdict.lacking = verdict.unused !== 0 || (clean && pass.rank[slots.model] === 0);
    verdict.weight =
      weights[verdict.wrong]! +
      (wrongCheckDigit ? -5 : 0) +
      (pass.found ? 0 : -1000) +
      (verdict.lacking ? -30 : 0) +
      (verdict.outOfPlace === 0 ? 0 : -40);
  }

  return { weigh, explain };
}

/** vPIC's codes, ascending. */
export function codesOf(
  found: Findings,
  verdict: Verdict,
  isKnown: boolean,
  isGlider: boolean,
  isOffRoad: boolean,
): number[] {
  const codes: number[] = [];
  if (found.wrongCheckDigit) codes.push(1);
  if (verdict.wrong !== 0) codes.push(verdict.wrong);
  if (found.isShort) codes.push(6);
  if (!isKnown) codes.push(7);
  if (verdict.nothingFound) codes.push(8);
  const errors = codes.length > 0 || verdict.outOfPlace !== 0;
  if (!errors) codes.push(0);
  if (isGlider) codes.push(9);
  if (isOffRoad) codes.push(10);
  if (found.wrongYear) codes.push(12);
  else if (found.noYear) codes.push(11);
  if (verdict.lacking) codes.push(14);
  if (verdict.outOfPlace !== 0) codes.push(400);
  return codes;
}

/** The suggested VIN: the right character or `!` over what is wrong. */
export function suggest(vin: string, over: Explained['over'], outOfPlace: number): string {
  let made = vin;
  for (const [at, char] of over) made = made.slice(0, at) + char + made.slice(at + 1);
  for (let at = 0; at < 17 && outOfPlace >>> at !== 0; at++) {
    if (((outOfPlace >>> at) & 1) === 1) made = `${made.slice(0, at)}!${made.slice(at + 1)}`;
  }
  return made;
}

export function positionsOf(bits: number): number[] {
  const found: number[] = [];
  for (let bit = 0; bits >>> bit !== 0; bit++) if (((bits >>> bit) & 1) === 1) found.push(bit + 1);
  return found;
}

/** Bits of positions 4–8 and 11 as items name them → bits of positions. */
export const asPositions = (unused: number): number => ((unused & 0x1f) << 3) | ((unused & 0x20) << 5);

/** The verdict on a VIN whose manufacturer nobody knows. */
export function unknown(found: Findings): Verdict {
  const verdict = newVerdict();
  verdict.outOfPlace = found.outOfPlace;
  if (found.ninthOutOfPlace && !found.isException) verdict.outOfPlace |= NINTH_BIT;
  return verdict;
}
