import { newSyntax, type Syntax, validity, type Explained } from './characters.ts';
import type { Pass } from './matcher.ts';
import type { Release } from './reader.ts';

/** Positions 4–8 and 11, as items name them. */
const NAMEABLE_BITS = 0x3f;
const NINTH_BIT = 1 << 8;

/** The errors of one pass. */
export interface Verdict {
  /** 0, or a code from 2 to 5 and its checked positions as bits. */
  wrong: 0 | 2 | 3 | 4 | 5;
  wrongPositions: number;
  /** Code 8. */
  nothingFound: boolean;
  /** Code 14, and the unexplained positions as bits. */
  lacking: boolean;
  unused: number;
  /** Code 400: positions as bits. */
  invalidPositions: number;
  weight: number;
}

export const newVerdict = (): Verdict => ({
  wrong: 0,
  wrongPositions: 0,
  nothingFound: false,
  lacking: false,
  unused: 0,
  invalidPositions: 0,
  weight: 0,
});

const weights = [0, 0, -100, -100, -200, -300];

/** What all passes over a VIN have in common. */
export interface Findings extends Syntax {
  /** On the list of VINs whose check digit isn't checked. */
  isException: boolean;
  /** Code 12: the caller's model year differs from the VIN's. */
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

  /** Characters that a matching key names are valid, except those that only explicit brackets allow. */
  const resolved = (bits: number, invalidPositions: number): number =>
    bits & ~(((invalidPositions >> 3) & 0x1f) | ((invalidPositions >> 5) & 0x20));

  /** Writes the errors of a pass to `verdict`, before vehicle specs and defaults are added. */
  function weigh(pass: Pass, wmi: number, codes: Uint8Array, found: Findings, verdict: Verdict): void {
    const { invalidPositions, wrongCheckDigit } = found;
    verdict.invalidPositions = invalidPositions;
    if (found.ninthIsInvalid && !found.isException) {
      const isOffRoad = pass.rank[slots.body] !== 0 && offRoad.has(pass.pair[slots.body]!);
      if (!isOffRoad) verdict.invalidPositions |= NINTH_BIT;
    }
    verdict.nothingFound = !pass.found;
    verdict.wrong = 0;
    verdict.wrongPositions = 0;
    verdict.unused = 0;
    if (pass.found) {
      const bits = named(pass);
      const unnamed = find(wmi, pass.year, codes, resolved(bits, invalidPositions) | found.absentPositions);
      // A range such as A-Z matches I, O and Q without naming them.
      verdict.unused = NAMEABLE_BITS & (~bits | unnamed) & ~found.absentPositions;
      // Without a model year any character is valid.
      verdict.wrongPositions = pass.year === 0 ? 0 : unnamed;
      verdict.wrong = codeOf(wmi, pass.year, codes, verdict.wrongPositions);
    }
    const clean =
      pass.found &&
      verdict.wrong === 0 &&
      verdict.invalidPositions === 0 &&
      !wrongCheckDigit &&
      !found.isShort;
    verdict.lacking = verdict.unused !== 0 || (clean && pass.rank[slots.model] === 0);
    verdict.weight =
      weights[verdict.wrong]! +
      (wrongCheckDigit ? -5 : 0) +
      (pass.found ? 0 : -1000) +
      (verdict.lacking ? -30 : 0) +
      (verdict.invalidPositions === 0 ? 0 : -40);
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
  const errors = codes.length > 0 || verdict.invalidPositions !== 0;
  if (!errors) codes.push(0);
  if (isGlider) codes.push(9);
  if (isOffRoad) codes.push(10);
  if (found.wrongYear) codes.push(12);
  else if (found.noYear) codes.push(11);
  if (verdict.lacking) codes.push(14);
  if (verdict.invalidPositions !== 0) codes.push(400);
  return codes;
}

/** The suggested VIN, with the right character or `!` at wrong positions. */
export function suggest(
  vin: string,
  replacements: Explained['replacements'],
  invalidPositions: number,
): string {
  let suggestion = vin;
  for (const [index, char] of replacements)
    suggestion = suggestion.slice(0, index) + char + suggestion.slice(index + 1);
  for (let index = 0; index < 17 && invalidPositions >>> index !== 0; index++) {
    if (((invalidPositions >>> index) & 1) === 1)
      suggestion = `${suggestion.slice(0, index)}!${suggestion.slice(index + 1)}`;
  }
  return suggestion;
}

export function positionsOf(bits: number): number[] {
  const found: number[] = [];
  for (let bit = 0; bits >>> bit !== 0; bit++) if (((bits >>> bit) & 1) === 1) found.push(bit + 1);
  return found;
}

/** Converts bits for positions 4–8 and 11 to bits of VIN positions. */
export const asPositions = (unused: number): number => ((unused & 0x1f) << 3) | ((unused & 0x20) << 5);

/** The errors of a VIN with an unknown manufacturer. */
export function unknown(found: Findings): Verdict {
  const verdict = newVerdict();
  verdict.invalidPositions = found.invalidPositions;
  if (found.ninthIsInvalid && !found.isException) verdict.invalidPositions |= NINTH_BIT;
  return verdict;
}
