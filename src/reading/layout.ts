import type { Cell, Line } from './line.ts';
import { cents, isNoCharge } from './money.ts';
import type { TextItem, TextPage } from './types.ts';

/**
 * The layout of a page, from geometry alone: the order in which a PDF draws its text differs between programs that
 * save it. All distances are in units of the font size (em), so that a page may be scaled.
 */

/** Baselines this share of the smaller font size apart are one row. */
const SAME_ROW = 0.35;
/** A gap of this many em begins a new cell. */
const NEW_CELL = 1;
/** A gap of this share of an em is a space that the PDF did not write. */
const SPACE = 0.18;
/** Glyph widths are approximate: runs of one word may overlap by this share of an em. */
const OVERLAP = 0.5;
/** The maximum distance between a name and its amount, in em. */
const AMOUNT_GAP = 45;
/** Lines this many em above and below show where a column begins. */
const NEIGHBORHOOD_EM = 3;
/** How many candidates a search checks in one bucket. Labels have fewer; this bounds the work for other files. */
const MAX_CANDIDATES = 16;

/** How many rows of a page a search checks. */
const MAX_BUCKETS = 100;
/** No page has more columns. */
const MAX_COLUMNS = 40;

/** A phrase: runs close to each other on one baseline, between two gaps. */
interface Phrase extends Cell {
  y: number;
  size: number;
  items: TextItem[];
}

/** The lines of a page, block by block and column by column. The order of the items does not matter. */
export function layoutLines(page: TextPage, number: number): Line[] {
  const items = page.items.filter((item) => item.text.trim() !== '');
  const phrases = phrasesOf(items.filter((item) => !item.sideways));
  const lines = withAmounts(phrases).map((cells) => lineOf(cells, number));
  const sideways = items.filter((item) => item.sideways).map((item) => lineOf([phraseOf(item)], number));
  return [...inReadingOrder(lines), ...fromTop(sideways)];
}

const rightOf = (item: TextItem): number => item.x + item.width;

/** Things on a page by their baseline, to find neighbors without looking at all of them. */
class Rows<T extends { y: number }> {
  readonly #buckets = new Map<number, T[]>();
  readonly #height: number;

  constructor(height: number) {
    this.#height = Math.max(height, 0.5);
  }

  add(thing: T): void {
    const key = Math.floor(thing.y / this.#height);
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.push(thing);
    else this.#buckets.set(key, [thing]);
  }

  /** The buckets between two heights. */
  between(top: number, bottom: number): T[][] {
    const found: T[][] = [];
    const first = Math.floor(top / this.#height);
    // Type as high as the page is a picture's: it has no row.
    const last = Math.min(Math.floor(bottom / this.#height), first + MAX_BUCKETS);
    for (let key = first; key <= last; key++) {
      const bucket = this.#buckets.get(key);
      if (bucket) found.push(bucket);
    }
    return found;
  }
}

/** The middle font size: a measure of the page that stray large and small print does not move. */
function middleSize(things: { size: number }[]): number {
  const sizes = things.map(({ size }) => size).toSorted((one, other) => one - other);
  return sizes[sizes.length >> 1] || 8;
}

function phrasesOf(items: TextItem[]): Phrase[] {
  const sorted = items.toSorted(
    (one, other) => one.x - other.x || one.y - other.y || (one.text < other.text ? -1 : 1),
  );
  const edges = edgesOf(sorted);
  const tails = new Rows<Phrase>(middleSize(items) / 4);
  const phrases: Phrase[] = [];
  for (const item of sorted) {
    const phrase = phraseBefore(item, tails, edges);
    if (phrase === 'printed twice') continue;
    if (phrase) {
      phrase.items.push(item);
      phrase.right = Math.max(phrase.right, rightOf(item));
      phrase.size = Math.max(phrase.size, item.size);
    } else {
      const begun = phraseOf(item);
      phrases.push(begun);
      tails.add(begun);
    }
  }
  for (const phrase of phrases) phrase.text = textOf(phrase.items);
  return phrases;
}

function phraseOf(item: TextItem): Phrase {
  const { text, x, y, size } = item;
  // A run on its side has no width from left to right.
  return { text: text.trim(), x, right: item.sideways ? x + size : rightOf(item), y, size, items: [item] };
}

/** The phrase that an item goes on with. */
function phraseBefore(
  item: TextItem,
  tails: Rows<Phrase>,
  edges: Map<number, number>,
): Phrase | 'printed twice' | null {
  let best: Phrase | null = null;
  let nearest = Infinity;
  const reach = SAME_ROW * item.size;
  for (const bucket of tails.between(item.y - reach, item.y + reach)) {
    for (let at = bucket.length - 1; at >= 0 && at >= bucket.length - MAX_CANDIDATES; at--) {
      const phrase = bucket[at]!;
      const last = phrase.items.at(-1)!;
      const step = Math.abs(item.y - last.y);
      if (step > SAME_ROW * Math.min(item.size, last.size)) continue;
      // Bold type may be the same words drawn twice.
      if (item.text === last.text && Math.abs(item.x - last.x) < 0.2 * item.size) return 'printed twice';
      const gap = item.x - phrase.right;
      if (gap < -OVERLAP * item.size || gap > NEW_CELL * item.size) continue;
      const distance = Math.abs(gap) + step;
      if (distance < nearest) [best, nearest] = [phrase, distance];
    }
  }
  return best && !isNewCell(best, item, edges) ? best : null;
}

/** Does another cell begin here, although the gap is small? */
function isNewCell(phrase: Phrase, item: TextItem, edges: Map<number, number>): boolean {
  const gap = item.x - phrase.right;
  const size = phrase.items.at(-1)!.size;
  const [smaller, larger] = size < item.size ? [size, item.size] : [item.size, size];
  if (gap <= SPACE * smaller) return false;
  const text = item.text.trim();
  // Words of other type belong to another box, unless they are a remark in brackets.
  const isRemark = text.startsWith('(') && larger === size;
  if (larger > 1.8 * smaller || (larger > 1.15 * smaller && gap > 0.5 * smaller && !isRemark)) return true;
  const last = phrase.items.at(-1)!.text.trim();
  // A price ends its line: what follows is in the next column.
  if (/\d[.,]\d{2}$/.test(last) && isMoney(last)) return true;
  if (/^NO CHARGE$/.test(last) && gap > 0.3 * smaller) return true;
  if (isMoney(text) && /[\p{L}\d)]/u.test(last) && !/^(?:of|to|from|save|spend)$/i.test(last)) return true;
  return gap > 0.3 * item.size && last.length > 2 && (edges.get(Math.round(item.x)) ?? 0) >= 5;
}

/** How many items begin at a place, to the point: columns begin where many do. */
function edgesOf(items: TextItem[]): Map<number, number> {
  const edges = new Map<number, number>();
  for (const { x } of items) edges.set(Math.round(x), (edges.get(Math.round(x)) ?? 0) + 1);
  return edges;
}

function textOf(items: TextItem[]): string {
  const words: string[] = [];
  let right = Infinity;
  for (const item of items) {
    words.push(item.x - right > SPACE * item.size ? ' ' : '', item.text);
    right = rightOf(item);
  }
  return words.join('').replace(/\s+/g, ' ').replace(IN_A_NUMBER, '$1').trim();
}

/** A blank that a printer put into a number: `$1, 095`, `3. 6L`. */
const IN_A_NUMBER = /(\d,(?= \d{3}(?!\d))|\d\.(?= \d)) /g;

/** A bare number beside a name is another box's figure. */
export const isMoney = (text: string): boolean =>
  cents(text) !== null && (/\$|\.\d{2}$/.test(text) || isNoCharge(text));

/** A lone minus belongs to the amount at its right. */
const isAmount = ({ text }: Cell): boolean => isMoney(text) || /^[-–−]$/.test(text);

/** Joins each name with the amount in its row at the right of its column. */
function withAmounts(phrases: Phrase[]): Phrase[][] {
  const unit = middleSize(phrases);
  const rows = new Rows<Phrase>(unit);
  for (const phrase of phrases) rows.add(phrase);
  const lines = new Map<Phrase, Phrase[]>(phrases.map((phrase) => [phrase, [phrase]]));
  // From left to right, so that a minus is with its name before its figure is.
  for (const amount of phrases) {
    if (!isAmount(amount)) continue;
    const name = nameOf(amount, rows, lines);
    if (!name) continue;
    const line = lines.get(name)!;
    line.push(amount);
    lines.set(amount, line);
  }
  return [...new Set(lines.values())];
}

function nameOf(amount: Phrase, rows: Rows<Phrase>, lines: Map<Phrase, Phrase[]>): Phrase | null {
  const reach = SAME_ROW * amount.size;
  let name: Phrase | null = null;
  for (const bucket of rows.between(amount.y - reach, amount.y + reach)) {
    const before = countBefore(bucket, amount.x);
    for (let at = before - 1; at >= 0 && at >= before - MAX_CANDIDATES; at--) {
      const phrase = bucket[at]!;
      if (phrase === amount || phrase.right > amount.x + OVERLAP * amount.size) continue;
      if (Math.abs(phrase.y - amount.y) > SAME_ROW * Math.min(phrase.size, amount.size)) continue;
      if (!name || phrase.right > name.right) name = phrase;
    }
  }
  if (!name || amount.x - name.right > AMOUNT_GAP * amount.size || !isLike(name, amount)) return null;
  const line = lines.get(name);
  // A line has only one amount.
  if (!line || isMoney(line.at(-1)!.text)) return null;
  return hasColumnBetween(name, amount, rows) ? null : name;
}

/** A name and its price are set in much the same type. */
const isLike = (one: Phrase, other: Phrase): boolean =>
  Math.max(one.size, other.size) < 1.5 * Math.min(one.size, other.size);

/** How many things of a bucket, which is sorted from left to right, begin before `x`. */
function countBefore(bucket: Phrase[], x: number): number {
  let [low, high] = [0, bucket.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bucket[middle]!.x < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Do lines above or below begin between the two? Then the amount is in a column of its own. */
function hasColumnBetween(name: Phrase, amount: Phrase, rows: Rows<Phrase>): boolean {
  const reach = NEIGHBORHOOD_EM * amount.size;
  const slack = OVERLAP * amount.size;
  const begins = new Map<number, number>();
  for (const bucket of rows.between(amount.y - reach, amount.y + reach)) {
    const from = countBefore(bucket, name.right);
    for (let at = from; at < bucket.length && at < from + MAX_CANDIDATES; at++) {
      const other = bucket[at]!;
      if (other.x >= amount.x) break;
      if (isAmount(other) || Math.abs(other.right - amount.right) < slack || other.text.length < 4) continue;
      if (Math.abs(other.y - amount.y) < slack || Math.abs(other.size - amount.size) > 0.2 * amount.size)
        continue;
      const key = Math.round(other.x / slack);
      const count = (begins.get(key) ?? 0) + 1;
      if (count + (begins.get(key - 1) ?? 0) + (begins.get(key + 1) ?? 0) >= 2) return true;
      begins.set(key, count);
    }
  }
  return false;
}

function lineOf(phrases: Phrase[], page: number): Line {
  const [first] = phrases;
  return {
    page,
    text: phrases.map(({ text }) => text).join(' '),
    x: first!.x,
    right: phrases.reduce((right, phrase) => Math.max(right, phrase.right), -Infinity),
    y: first!.y,
    size: phrases.reduce((size, phrase) => Math.max(size, phrase.size), 0),
    cells: phrases.map(({ text, x, right }) => ({ text, x, right })),
    items: phrases.flatMap(({ items }) => items),
    positioned: true,
  };
}

/** A gap between columns is at least this many em wide, one between blocks this many high. */
const GUTTER = 0.8;
const MAX_DEPTH = 24;

/**
 * The order in which a person reads: where a page can be cut between columns, the left one first; else where it can be
 * cut between rows, at its widest gap. Lines that cannot be cut apart go from top to bottom.
 */
function inReadingOrder(lines: Line[]): Line[] {
  const unit = middleSize(lines);
  const ordered: Line[] = [];
  const cut = (part: Line[], depth: number): void => {
    const pieces = depth > 0 && part.length > 1 ? (columnsOf(part, unit) ?? bandsOf(part)) : null;
    if (pieces) for (const piece of pieces) cut(piece, depth - 1);
    else for (const line of fromTop(part)) ordered.push(line);
  };
  cut(lines, MAX_DEPTH);
  return ordered;
}

/** From top to bottom, and from left to right in a row. */
export function fromTop(lines: Line[]): Line[] {
  const sorted = lines.toSorted((one, other) => one.y - other.y || one.x - other.x);
  const rows: Line[][] = [];
  for (const line of sorted) {
    const row = rows.at(-1);
    if (row && line.y - row[0]!.y < SAME_ROW * Math.min(line.size, row[0]!.size)) row.push(line);
    else rows.push([line]);
  }
  return rows.flatMap((row) => row.toSorted((one, other) => one.x - other.x));
}

/** The columns of a part of the page that nothing spans; null where there is but one. */
export function columnsOf(lines: Line[], unit = middleSize(lines)): Line[][] | null {
  const sorted = lines.toSorted((one, other) => one.x - other.x || one.y - other.y);
  const columns: Line[][] = [];
  let right = -Infinity;
  for (const line of sorted) {
    if (line.x - right > GUTTER * unit) columns.push([]);
    columns.at(-1)!.push(line);
    right = Math.max(right, line.right);
  }
  return columns.length > 1 ? columns : null;
}

/**
 * The columns of a block by where their lines begin, which a line that runs over into the next column does not hide:
 * a step of more than `step` points between two left edges begins a column. Amounts alone in their row stand at the
 * right of a column and begin none.
 */
export function columnsByEdge(lines: Line[], step: number): Line[][] {
  const edges = lines
    .filter((line) => !isMoney(line.text) && line.text.length > 1)
    .map((line) => line.x)
    .toSorted((one, other) => one - other);
  const starts = edges.filter((x, at) => at === 0 || x - edges[at - 1]! > step).slice(0, MAX_COLUMNS);
  const columns = starts.map((): Line[] => []);
  for (const line of lines)
    columns[
      Math.max(
        0,
        starts.findLastIndex((x) => x <= line.x),
      )
    ]?.push(line);
  return columns.map(fromTop);
}

/** Cuts at the highest gap between rows; null where there is none. */
function bandsOf(lines: Line[]): Line[][] | null {
  const sorted = lines.toSorted((one, other) => topOf(one) - topOf(other));
  let [at, highest, bottom] = [0, 0, -Infinity];
  for (const [index, line] of sorted.entries()) {
    const gap = topOf(line) - bottom;
    if (index > 0 && gap > highest) [at, highest] = [index, gap];
    bottom = Math.max(bottom, line.y);
  }
  return at > 0 ? [sorted.slice(0, at), sorted.slice(at)] : null;
}

const topOf = (line: Line): number => line.y - 0.7 * line.size;
