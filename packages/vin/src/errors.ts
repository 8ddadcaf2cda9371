import { checkDigit, isDigit, NINTH } from './characters.ts';
import { ALPHABET, CHECKED_COUNT, CHECKED_INDEXES, FIRST_YEAR } from './layout.ts';
import type { WrongPosition } from './raw.ts';
import { characterNumbers, linkCovers, linkSchemaOf, type Release } from './reader.ts';

/** Codes 2–5 by position. */
export interface Explained {
  positions: WrongPosition[];
  possibleValues: string;
  /** Characters of the suggested VIN, by index. */
  replacements: [number, string][];
}

/** The characters of a set in vPIC's order: `_`, digits, letters. */
export function charactersOf(lo: number, hi: number): string {
  let text = '';
  for (let i = 0; i < ALPHABET.length; i++) {
    if ((((i < 32 ? lo : hi) >>> (i & 31)) & 1) === 0) continue;
    text = ALPHABET[i] === '_' ? `_${text}` : text + ALPHABET[i];
  }
  return text;
}

/** Finds characters that no pattern of the manufacturer and year has at their position. */
export function validity(release: Release) {
  const { linkFromWmi, links, schemaValid, setLo, setHi, wmiPositions } = release;
  const trial = new Uint8Array(17);

  /**
   * Checked positions, as bits, that some key names but none with this VIN's character; for all years if `year` is 0.
   * `resolved` positions are skipped.
   */
  function find(wmi: number, year: number, codes: Uint8Array, resolved: number): number {
    // Manufacturers with six-character identifiers are free to use the rest of the serial number.
    let open = (codes[2] === 9 ? 0x3f : 0x1ff) & wmiPositions(wmi) & ~resolved;
    if (open === 0) return 0;
    const yearOffset = year - FIRST_YEAR;
    const end = linkFromWmi[wmi + 1]!;
    let constrained = 0;
    for (let link = linkFromWmi[wmi]!; link < end && open !== 0; link++) {
      if (year !== 0 && !linkCovers(links[link]!, yearOffset)) continue;
      const first = linkSchemaOf(links[link]!) * CHECKED_COUNT;
      for (let checked = 0; checked < CHECKED_COUNT; checked++) {
        if ((open & (1 << checked)) === 0) continue;
        const set = schemaValid[first + checked]!;
        if (set === 0) continue;
        constrained |= 1 << checked;
        const code = codes[CHECKED_INDEXES[checked]!]!;
        if ((((code < 32 ? setLo[set]! : setHi[set]!) >>> (code & 31)) & 1) === 1) open &= ~(1 << checked);
      }
    }
    return open & constrained;
  }

  /** The characters valid at a checked position, over all schemas of the year. */
  function valid(wmi: number, year: number, checked: number): string {
    const yearOffset = year - FIRST_YEAR;
    let lo = 0;
    let hi = 0;
    for (let link = linkFromWmi[wmi]!; link < linkFromWmi[wmi + 1]!; link++) {
      if (!linkCovers(links[link]!, yearOffset)) continue;
      const set = schemaValid[linkSchemaOf(links[link]!) * CHECKED_COUNT + checked]!;
      lo |= setLo[set]!;
      hi |= setHi[set]!;
    }
    return charactersOf(lo, hi);
  }

  /** The characters that make the check digit right; none if it can't be computed. */
  function fitting(codes: Uint8Array, position: number, characters: string): string {
    for (let i = codes[2] === 9 ? 14 : 12; i < 17; i++) if (i !== position && !isDigit(codes[i]!)) return '';
    const digitsOnly = position >= (codes[2] === 9 ? 14 : 12);
    let fit = '';
    trial.set(codes);
    for (let i = 0; i < characters.length; i++) {
      const code = characterNumbers[characters.charCodeAt(i)]!;
      if (digitsOnly && !isDigit(code)) continue;
      trial[position] = code;
      if (checkDigit(trial) === codes[NINTH]) fit += characters[i];
    }
    return fit;
  }

  /** Code 2–5 for the positions found, 0 for none. */
  function codeOf(wmi: number, year: number, codes: Uint8Array, bits: number): 0 | 2 | 3 | 4 | 5 {
    if (bits === 0) return 0;
    if ((bits & (bits - 1)) !== 0) return 5;
    const checked = 31 - Math.clz32(bits);
    const characters = valid(wmi, year, checked);
    if (characters.length === 1) return 2;
    return fitting(codes, CHECKED_INDEXES[checked]!, characters).length === 1 ? 3 : 4;
  }

  function explain(wmi: number, year: number, codes: Uint8Array, bits: number, code: number): Explained {
    const positions: WrongPosition[] = [];
    const replacements: [number, string][] = [];
    let possibleValues = '';
    for (let checked = 0; checked < CHECKED_COUNT; checked++) {
      if ((bits & (1 << checked)) === 0) continue;
      const index = CHECKED_INDEXES[checked]!;
      const characters = valid(wmi, year, checked);
      positions.push({ position: index + 1, valid: characters });
      const right = code === 3 ? fitting(codes, index, characters) : characters;
      replacements.push([index, code === 2 || code === 3 ? right : '!']);
      possibleValues += `(${index + 1}:${right})`;
    }
    return { positions, possibleValues, replacements };
  }

  return { find, codeOf, explain, valid };
}
