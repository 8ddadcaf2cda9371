import { FIRST_YEAR } from './layout.ts';
import { linkCovers, type Release } from './reader.ts';

const CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const CODED_FROM = 2010;
const CYCLE = 30;

/** Character number → the later of its two model years, or 0. */
const yearOfCharacter = new Uint16Array(64);
for (let i = 0; i < CODES.length; i++) {
  const char = CODES.charCodeAt(i);
  yearOfCharacter[char < 58 ? char - 48 : char - 55] = CODED_FROM + i;
}

/** The character of a model year at position 10. */
export const yearCode = (year: number): string => CODES.charAt((year - FIRST_YEAR) % CYCLE);

export const isYearCode = (character: number): boolean => yearOfCharacter[character] !== 0;

/** Cars, MPVs and light trucks: position 7 decides the cycle of the year, and the serial number begins at position 13. */
export function isLight(release: Release, wmi: number): boolean {
  const type = release.wmiType[wmi];
  return type === 2 || type === 7 || (type === 3 && release.wmiTruck[wmi] === 1);
}

export interface Years {
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
export function modelYears(release: Release, wmi: number, codes: Uint8Array, now: number): Years {
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
