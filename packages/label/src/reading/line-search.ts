import type { Line } from './types.ts';
import { isMoney } from './money.ts';

/** Index of the first line from `from` on that matches, or -1. */
export function indexOf(lines: Line[], anchor: RegExp, from = 0): number {
  for (let index = from; index < lines.length; index++) if (anchor.test(lines[index]!.text)) return index;
  return -1;
}

/** Index of the last line that matches, or -1. */
export function lastIndexOf(lines: Line[], anchor: RegExp): number {
  return lines.findLastIndex((line) => anchor.test(line.text));
}

/** The lines from `from` until the first that matches, or to the end. */
export function until(lines: Line[], from: number, stop: RegExp): Line[] {
  const end = indexOf(lines, stop, from);
  return lines.slice(from, end < 0 ? undefined : end);
}

/** How far apart lines may be, in em of the anchor: 5 em are an indent of 40 points under 8-point type. */
const NEAR_EM = { below: 2.6, indent: 6, outdent: 4 };

/** The line under another in the same column, indented or not. */
export function below(lines: Line[], anchor: Line): Line | null {
  let nearest: Line | null = null;
  for (const line of lines) {
    if (!isUnder(line, anchor) || line.y - anchor.y > NEAR_EM.below * anchor.size) continue;
    if (!nearest || line.y < nearest.y) nearest = line;
  }
  return nearest;
}

/** True if a line is below another and begins under its words or near them. */
export function isUnder(line: Line, anchor: Line): boolean {
  return (
    line.page === anchor.page &&
    line.y > anchor.y + 0.5 * Math.min(line.size, anchor.size) &&
    line.x >= anchor.x - NEAR_EM.outdent * anchor.size &&
    line.right > anchor.x &&
    line.x <= Math.max(anchor.right, anchor.x + NEAR_EM.indent * anchor.size)
  );
}

/** The lines to the right of another in its row, from left to right. */
export function rightOf(lines: Line[], anchor: Line): Line[] {
  return lines
    .filter((line) => line !== anchor && isInRow(line, anchor) && line.x >= anchor.right - anchor.size / 2)
    .toSorted((one, other) => one.x - other.x);
}

const MAX_ROW_GAP_EM = 4;

/** A line and the rest of its row, up to a gap of a few em: `ARLINGTON, TX     U.S.A.` */
export function rowFrom(lines: Line[], first: Line): string {
  let { text, right } = first;
  for (const line of rightOf(lines, first)) {
    if (line.x - right > MAX_ROW_GAP_EM * first.size) break;
    text += ` ${line.text}`;
    right = line.right;
  }
  return text;
}

/** True if two lines share a baseline, or nearly. */
export function isInRow(line: Line, anchor: Line): boolean {
  return line.page === anchor.page && Math.abs(line.y - anchor.y) <= 0.4 * Math.min(line.size, anchor.size);
}

/** The maximum distance between an anchor and its value, in em. */
const MAX_VALUE_GAP_EM = 25;
/** Two texts this close together in a row, in em, compete for one anchor. Further right, another box begins. */
const RIVAL_GAP_EM = 6;

/** True if a text to the right of a value is close enough to be the value instead. */
export function isRival(rival: Line, value: Line): boolean {
  return rival.x - value.right < RIVAL_GAP_EM * value.size;
}

/** Labels repeat words a few times. This bounds the work for a page that repeats them thousands of times. */
export const MAX_ANCHORS = 20;

/** What follows the anchor on its own line, or beside it: `Engine: 2.0L` gives `2.0L`. Null if there is nothing. */
export function valueOf(lines: Line[], anchor: RegExp): { text: string; line: Line } | null {
  let alone = 0;
  for (const line of lines) {
    const found = anchor.exec(line.text);
    if (!found) continue;
    const text = line.text.slice(found.index + found[0].length).trim();
    if (text) return { text, line };
    const [beside, rival] = line.positioned && alone++ < MAX_ANCHORS ? rightOf(lines, line) : [];
    if (!beside || beside.x - line.right >= MAX_VALUE_GAP_EM * line.size || beside.text.endsWith(':'))
      continue;
    // Nothing tells which of two values is right.
    return rival && isRival(rival, beside) ? null : { text: beside.text, line: beside };
  }
  return null;
}

interface Fact {
  text: string;
  line: Line;
}

/**
 * The value of a name with a colon: on the same line, beside it, or below it. `isFact` matches the names of other facts,
 * which are never values.
 */
export function factOf(lines: Line[], anchor: RegExp, isFact: RegExp): Fact | null {
  const at = indexOf(lines, anchor);
  const line = lines[at];
  if (!line) return null;
  const own = line.text
    .replace(anchor, '')
    // oxlint-disable-next-line patterns/linear -- The rule checks each `isFact`, and the rest always matches.
    .replace(new RegExp(`${isFact.source}[^]*`, 'i'), '')
    .trim();
  if (own) return { text: own, line };
  const value = line.positioned ? nearestValue(lines, line) : (lines[at + 1] ?? null);
  return value && !isFact.test(value.text) && !isMoney(value.text) ? { text: value.text, line: value } : null;
}

function nearestValue(lines: Line[], name: Line): Line | null {
  const [beside, rival] = rightOf(lines, name);
  if (!beside || beside.x - name.right >= MAX_VALUE_GAP_EM * name.size) return below(lines, name);
  // Nothing tells which of two values is right.
  return rival && isRival(rival, beside) ? null : beside;
}

/** The lines of the column that a priced line belongs to, from top to bottom. Recorded text has one column. */
export function columnAround(lines: Line[], priced: Line): Line[] {
  const amount = priced.cells.at(-1);
  if (!priced.positioned || !amount || priced.cells.length < 2) return lines;
  const left = priced.x - 6 * priced.size;
  return fromTop(lines.filter((line) => line.page === priced.page && line.x >= left && line.x < amount.x));
}

/** Without a slash at its end, after which another value, or the same in French, would follow. */
export function withoutSlash(text: string): string {
  let end = text.length;
  while (end > 0 && /[\s/]/.test(text[end - 1]!)) end--;
  return text.slice(0, end);
}

export interface Row {
  values: string[];
  lines: Line[];
  /** Where the first value begins; null if it is on the anchor's own line. */
  x: number | null;
}

/** The texts after an anchor: on its own line and, on a page, beside it in its row. */
export function rowAfter(lines: Line[], anchor: RegExp): Row | null {
  const line = lines[indexOf(lines, anchor)];
  if (!line) return null;
  const own = line.text.replace(anchor, '').trim();
  const beside = line.positioned ? rightOf(lines, line) : [];
  return {
    values: [own, ...beside.map(({ text }) => text)].filter((text) => text !== ''),
    lines: own ? [line, ...beside] : beside,
    x: own ? null : (beside[0]?.x ?? null),
  };
}

/** Baselines this many em apart, of the smaller font, are one row. */
export const SAME_ROW_EM = 0.35;
/** No page has more columns. */
const MAX_COLUMNS = 40;
/** A gap between columns is at least this many em wide. */
const GUTTER_EM = 0.8;
const MAX_DEPTH = 24;

/**
 * Lines in the order in which a person reads them (an XY cut): if the page can be cut between columns, the left one
 * first; else it is cut between rows, at the widest gap. Lines that can't be separated are sorted from top to bottom.
 */
export function inReadingOrder(lines: Line[]): Line[] {
  const unit = medianSize(lines);
  const ordered: Line[] = [];
  const cut = (part: Line[], depth: number): void => {
    const pieces = depth > 0 && part.length > 1 ? (columnsOf(part, unit) ?? bandsOf(part)) : null;
    if (pieces) for (const piece of pieces) cut(piece, depth - 1);
    else for (const line of fromTop(part)) ordered.push(line);
  };
  cut(lines, MAX_DEPTH);
  return ordered;
}

/** The median font size, which stray large and small print does not change. */
export function medianSize(lines: { size: number }[]): number {
  const sizes = lines.map(({ size }) => size).toSorted((one, other) => one - other);
  return sizes[sizes.length >> 1] || 8;
}

/** From top to bottom, and from left to right in a row. */
export function fromTop(lines: Line[]): Line[] {
  return rowsOf(lines).flat();
}

/** Lines whose baselines differ by less than `em`, from left to right; rows from top to bottom. */
export function rowsOf(lines: Line[], em = SAME_ROW_EM): Line[][] {
  const sorted = lines.toSorted((one, other) => one.y - other.y || one.x - other.x);
  const rows: Line[][] = [];
  for (const line of sorted) {
    const row = rows.at(-1);
    if (row && line.y - row[0]!.y < em * Math.min(line.size, row[0]!.size)) row.push(line);
    else rows.push([line]);
  }
  return rows.map((row) => row.toSorted((one, other) => one.x - other.x));
}

/** The columns of a part of the page, where no line crosses the gap between them; null if there is only one. */
function columnsOf(lines: Line[], unit: number): Line[][] | null {
  const sorted = lines.toSorted((one, other) => one.x - other.x || one.y - other.y);
  const columns: Line[][] = [];
  let right = -Infinity;
  for (const line of sorted) {
    if (line.x - right > GUTTER_EM * unit) columns.push([]);
    columns.at(-1)!.push(line);
    right = Math.max(right, line.right);
  }
  return columns.length > 1 ? columns : null;
}

/**
 * The columns of a block by where their lines begin, which a line that runs over into the next column does not hide:
 * a step of more than `step` points between two left edges begins a column. Amounts alone in their row are at the
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

/** Cuts at the highest gap between rows; null if there is none. */
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

/** How many rows of a page a search checks. */
const MAX_BUCKETS = 100;

/** An index of items by their baseline, to find neighbors without searching the page. */
export class RowIndex<T extends { y: number }> {
  readonly #buckets = new Map<number, T[]>();
  readonly #height: number;

  constructor(height: number) {
    this.#height = Math.max(height, 0.5);
  }

  add(item: T): void {
    const key = Math.floor(item.y / this.#height);
    const bucket = this.#buckets.get(key);
    if (bucket) bucket.push(item);
    else this.#buckets.set(key, [item]);
  }

  /** The buckets between two heights. */
  between(top: number, bottom: number): T[][] {
    const found: T[][] = [];
    const first = Math.floor(top / this.#height);
    // Type as high as the page belongs to a picture and has no row.
    const last = Math.min(Math.floor(bottom / this.#height), first + MAX_BUCKETS);
    for (let key = first; key <= last; key++) {
      const bucket = this.#buckets.get(key);
      if (bucket) found.push(bucket);
    }
    return found;
  }
}
