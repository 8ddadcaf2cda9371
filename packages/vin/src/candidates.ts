import type { RawDecode } from './raw.ts';

/** Positions (from 0) of manufacturer and model year; the seventh tells the cycle of the year. */
const FRAME = [0, 1, 2, 6, 9];

/** Whether a change touches what all else depends on. */
function changesFrame(vin: string, to: string): boolean {
  for (const at of FRAME) if (vin[at] !== to[at]) return true;
  return vin[2] === '9' && vin.slice(11, 14) !== to.slice(11, 14);
}

/**
 * Whether a repair is worth a decode: one that leaves a wrong character where it is, for the same manufacturer and
 * year, is not. With two years to choose from the change may tip the choice, so then every repair is.
 */
export function mayBeClean(raw: RawDecode, to: string): boolean {
  if (raw.wrong.length === 0 || raw.otherYear !== null || changesFrame(raw.vin, to)) return true;
  return raw.wrong.every(({ position }) => raw.vin[position - 1] !== to[position - 1]);
}
