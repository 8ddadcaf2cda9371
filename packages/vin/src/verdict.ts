import { nothingWrong, wrongCharacters, type Syntax, type Wrong } from './errors.ts';
import type { Pass } from './matcher.ts';
import type { steps } from './passes.ts';
import type { RawDecode } from './raw.ts';
import type { Release } from './reader.ts';

/** Positions 4–8 and 11, as items name them. */
const NAMEABLE = 0x3f;
const NINTH_BIT = 1 << 8;

/** What one pass is worth. */
export interface Verdict {
  wrong: Wrong;
  /** Code 8. */
  nothingFound: boolean;
  /** Code 14, and the bits of positions that say nothing. */
  incomplete: boolean;
  unused: number;
  /** Code 400: bits of positions. */
  outOfPlace: number;
  weight: number;
}

/** What holds for all passes over a VIN. */
export interface Findings extends Syntax {
  vin: string;
  noYear: boolean;
  /** On the list of VINs whose check digit is not asked for. */
  isException: boolean;
}

export function judge(release: Release, run: ReturnType<typeof steps>) {
  const wrongFor = wrongCharacters(release);
  const { slots, offRoad } = release;
  const isOffRoad = (pass: Pass): boolean =>
    pass.rank[slots.body] !== 0 && offRoad.size > 0 && offRoad.has(pass.pair[slots.body]!);

  return (pass: Pass, wmi: number, codes: Uint8Array, found: Findings): Verdict => {
    const nothingFound = run.items(pass) === 0;
    const wrong = nothingFound ? nothingWrong : wrongFor(wmi, pass.year, codes);
    const outOfPlace =
      found.ninthOutOfPlace && !found.isException && !isOffRoad(pass)
        ? found.outOfPlace | NINTH_BIT
        : found.outOfPlace;
    const unused = nothingFound ? 0 : NAMEABLE & ~run.named(pass);
    const clean =
      !nothingFound && wrong.code === 0 && outOfPlace === 0 && !found.wrongCheckDigit && !found.noYear;
    const incomplete = unused !== 0 || (clean && pass.rank[slots.model] === 0);
    let weight = found.wrongCheckDigit ? -5 : 0;
    if (wrong.code === 2 || wrong.code === 3) weight -= 100;
    else if (wrong.code === 4) weight -= 200;
    else if (wrong.code === 5) weight -= 300;
    if (nothingFound) weight -= 1000;
    if (incomplete) weight -= 30;
    if (outOfPlace !== 0) weight -= 40;
    return { wrong, nothingFound, incomplete, unused, outOfPlace, weight };
  };
}

const positionsOf = (bits: number, position: (bit: number) => number): number[] => {
  const found: number[] = [];
  for (let bit = 0; bits >>> bit !== 0; bit++) if (((bits >>> bit) & 1) === 1) found.push(position(bit));
  return found;
};

const NOTHING: never[] = [];

/** The suggested VIN: the right character or `!` over what is wrong. */
function suggest(vin: string, wrong: Wrong, outOfPlace: number): string | null {
  if (wrong.code === 0 && outOfPlace === 0) return null;
  const characters = vin.split('');
  for (const [at, char] of wrong.over) characters[at] = char;
  for (let at = 0; at < 17; at++) if (((outOfPlace >>> at) & 1) === 1) characters[at] = '!';
  return characters.join('');
}

/** A verdict as codes and positions. */
export function tell(
  found: Findings,
  verdict: Verdict,
  body: { glider: boolean; offRoad: boolean },
  known: boolean,
) {
  const codes: number[] = [];
  if (found.wrongCheckDigit) codes.push(1);
  if (verdict.wrong.code !== 0) codes.push(verdict.wrong.code);
  if (!known) codes.push(7);
  if (verdict.nothingFound) codes.push(8);
  if (found.noYear) codes.push(11);
  if (verdict.outOfPlace !== 0) codes.push(400);
  if (codes.length === 0) codes.push(0);
  if (body.glider) codes.push(9);
  if (body.offRoad) codes.push(10);
  if (verdict.incomplete) codes.push(14);
  if (codes.length > 1) codes.sort((a, b) => a - b);
  return {
    codes,
    suggested: suggest(found.vin, verdict.wrong, verdict.outOfPlace),
    wrong: verdict.wrong.positions,
    possibleValues: verdict.wrong.possibleValues,
    outOfPlace: verdict.outOfPlace === 0 ? NOTHING : positionsOf(verdict.outOfPlace, (bit) => bit + 1),
    unused: verdict.unused === 0 ? NOTHING : positionsOf(verdict.unused, (bit) => (bit === 5 ? 11 : bit + 4)),
  } satisfies Partial<RawDecode>;
}
