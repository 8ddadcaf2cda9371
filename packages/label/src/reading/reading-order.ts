import type { Line } from './types.ts';
import { isMoney } from './money.ts';

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
