import type { Word } from './phrases.ts';

/** Figures of the fuel economy box, and the words that name them. */

/** Labels repeat words a few times. This bounds the work for a page that repeats them thousands of times. */
export const MAX_MATCHES = 8;
/** A figure's font is at least this much larger than that of the word that names it. */
export const MIN_SIZE_RATIO = 1.7;

/** What a car uses, by the word beside the figure. */
export const USED = { gallons: /^gallons$/i, electricity: /^kW-?h(?:r|rs|ours)?$/i };

export function valueOf(word: Word): number {
  return Number(word.text.replace(',', '.'));
}

export function isLeftOf(number: Word, anchor: Word): boolean {
  const gap = anchor.x - number.right;
  const level = anchor.y > number.y - number.size && anchor.y < number.y + anchor.size;
  return level && gap > -anchor.size && gap < number.size * 1.5;
}
