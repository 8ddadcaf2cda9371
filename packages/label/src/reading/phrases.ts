import type { TextItem, TextPage } from './types.ts';

/** One word where it is printed: `x` to `right`, on the baseline `y`. */
export interface Word {
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
}

/** Words of one size that follow each other on a baseline. */
export interface Phrase extends Word {
  words: Word[];
}

/** A step of this share of the font size is another baseline. */
const BASELINE_EM = 0.3;
/** Runs closer than this share of the font size are one word that the PDF has split. */
const SPLIT_WORD_EM = 0.12;
/** A gap of more than this share of the font size ends a phrase. */
const MAX_GAP_EM = 0.75;
/** Sizes that differ by more than this factor don't belong together. */
const MAX_SIZE_RATIO = 1.2;

/**
 * The words of a page by their position. The order in which the PDF draws them, and how it splits or
 * joins its runs, makes no difference.
 */
export function phrasesOf(page: TextPage): Phrase[] {
  const phrases: Phrase[] = [];
  for (const row of rowsOf(page.items.flatMap(wordsOf))) {
    let open: Phrase | null = null;
    for (const word of row) {
      const gap: number = open ? word.x - open.right : Infinity;
      const follows = open && alike(open, word) && gap < MAX_GAP_EM * word.size && gap > -0.5 * word.size;
      if (!open || !follows) {
        open = { ...word, words: [{ ...word }] };
        phrases.push(open);
        continue;
      }
      const last = open.words.at(-1)!;
      if (gap < SPLIT_WORD_EM * word.size) {
        last.text += word.text;
        last.right = Math.max(last.right, word.right);
        open.text += word.text;
      } else {
        open.words.push({ ...word });
        open.text += ` ${word.text}`;
      }
      open.right = Math.max(open.right, word.right);
    }
  }
  return phrases;
}

function alike(one: Word, other: Word): boolean {
  return one.size < other.size * MAX_SIZE_RATIO && other.size < one.size * MAX_SIZE_RATIO;
}

/** A run's words, each with its share of the width. */
function wordsOf(item: TextItem): Word[] {
  const words: Word[] = [];
  const letter = item.text.length > 0 ? item.width / item.text.length : 0;
  for (const found of item.text.matchAll(/\S+/g)) {
    const x = item.x + found.index * letter;
    words.push({ text: found[0], x, right: x + found[0].length * letter, y: item.y, size: item.size });
  }
  return words;
}

/** Words of one size and baseline, from left to right. */
function rowsOf(words: Word[]): Word[][] {
  const rows: { y: number; size: number; words: Word[] }[] = [];
  const sorted = words.toSorted((one, other) => one.y - other.y);
  // Rows come in the order of their baselines, so only the last few can still get a word.
  let first = 0;
  for (const word of sorted) {
    while (first < rows.length && word.y - rows[first]!.y > BASELINE_EM * 80) first++;
    let home: (typeof rows)[number] | undefined;
    for (let at = rows.length - 1; at >= Math.max(first, rows.length - 40); at--) {
      const row = rows[at]!;
      if (
        Math.abs(row.y - word.y) <= BASELINE_EM * Math.min(row.size, word.size) &&
        alike(row.words[0]!, word)
      ) {
        home = row;
        break;
      }
    }
    if (home) home.words.push(word);
    else rows.push({ y: word.y, size: word.size, words: [word] });
  }
  return rows.map((row) => row.words.toSorted((one, other) => one.x - other.x));
}

/** True if one is above the other. */
export function overlaps(
  one: { x: number; right: number },
  other: { x: number; right: number },
  tolerance = 0,
): boolean {
  return one.x < other.right + tolerance && other.x < one.right + tolerance;
}

/** The text of all words on the same baseline, from left to right. */
export function rowText(phrases: Phrase[], of: Word): string {
  return phrases
    .filter((phrase) => Math.abs(phrase.y - of.y) <= BASELINE_EM * of.size && phrase.x >= of.x - of.size)
    .toSorted((one, other) => one.x - other.x)
    .map((phrase) => phrase.text)
    .join(' ');
}

/** Labels repeat words a few times. This bounds the work for a page that repeats them thousands of times. */
export const MAX_MATCHES = 8;
/** A figure's font is at least this much larger than that of the word that names it. */
export const MIN_SIZE_RATIO = 1.7;

export function valueOf(word: Word): number {
  return Number(word.text.replace(',', '.'));
}

export function isLeftOf(number: Word, anchor: Word): boolean {
  const gap = anchor.x - number.right;
  const level = anchor.y > number.y - number.size && anchor.y < number.y + anchor.size;
  return level && gap > -anchor.size && gap < number.size * 1.5;
}
