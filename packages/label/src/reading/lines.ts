import type { Line, LabelText, TextPage, Cell, TextItem } from './types.ts';
import { isMoney } from './money.ts';
import { fromTop, inReadingOrder, medianSize, RowIndex, SAME_ROW_EM } from './line-search.ts';

/** Increase it when extraction changes, so that stored texts are extracted again. */
export const TEXT_VERSION = 4;

const lineHeight = 12;

/**
 * Recorded plain text as a label's text: a line is an item, a form feed begins a page. Positions only keep
 * the lines apart and in order; `positioned` is false, because they mean nothing more.
 */
export function plainText(text: string): LabelText {
  const pages = text
    .replace(/^\ufeff/, '')
    .replace(/(?<!\f)\f+$/, '')
    .split('\f')
    .map((page) => {
      const lines = page.split(/\r\n|\r|\n/);
      if (lines.at(-1) === '') lines.pop();
      const items = lines.map((line, index) => ({
        text: clean(line),
        x: 0,
        y: (index + 1) * lineHeight,
        width: line.length * 5,
        size: 10,
      }));
      return { width: 1224, height: Math.max(792, (lines.length + 1) * lineHeight), items };
    });
  return { version: TEXT_VERSION, positioned: false, pages };
}

// Printable Latin-1 without the soft hyphen. Nearly all text matches and needs no cleaning.
const plain = /^[\x20-\x7e\xa1-\xac\xae-\xff]*$/;
const blank = /[\p{Z}\t\n\v\f\r\u0085\u2800]/gu;
// Controls, bidi and zero-width marks, private use, halves of surrogate pairs, unassigned, variation selectors, fillers.
const unprintable = /[\p{C}\p{Default_Ignorable_Code_Point}\ufffd]/gu;

/**
 * Removes characters that aren't printable. All text from PDFs passes through here, so that a label can't reverse or
 * hide text in a response, page or log. Printable text isn't changed.
 */
export function clean(text: string): string {
  if (plain.test(text)) return text;
  // PDFs draw a soft hyphen as a hyphen.
  return text.replaceAll('\u00ad', '-').replace(blank, ' ').replace(unprintable, '');
}

/**
 * The lines of all pages: of a PDF by their place on the page, block by block and column by column; of recorded text
 * as recorded.
 */
export function linesOf(text: LabelText): Line[] {
  return text.pages.flatMap((page, index) =>
    text.positioned ? layoutLines(page, index + 1) : recordedLines(page, index + 1),
  );
}

function recordedLines(page: TextPage, number: number): Line[] {
  return page.items.flatMap((item) => {
    const text = item.text.replace(/\s+/g, ' ').trim();
    const { x, y, size } = item;
    const right = x + item.width;
    const cells = [{ text, x, right }];
    return text ? [{ page: number, text, x, right, y, size, cells, items: [item], positioned: false }] : [];
  });
}

/** A gap of this many em begins a new cell. */
const NEW_CELL_EM = 1;
/** A gap of this share of an em is a space that the PDF did not write. */
const SPACE_EM = 0.18;
/** Glyph widths are approximate: runs of one word may overlap by this share of an em. */
const MAX_OVERLAP_EM = 0.5;
/** The maximum distance between a name and its amount, in em. */
const MAX_AMOUNT_GAP_EM = 45;
/** Lines this many em above and below show where a column begins. */
const COLUMN_SEARCH_EM = 3;
/** How many candidates a search checks in one bucket. Labels have fewer; this bounds the work for other files. */
const MAX_CANDIDATES = 16;

/** A cell with its runs, before cells become lines. */
interface PlacedCell extends Cell {
  /** Its last text: that of its last run, and of the runs before it that touch it. */
  last: string;
  y: number;
  size: number;
  items: TextItem[];
}

/**
 * The lines of a page, from geometry alone: the order in which a PDF draws its text differs between programs that save it.
 * All distances are in em (the font size), so that a page may be scaled.
 */
function layoutLines(page: TextPage, number: number): Line[] {
  const items = page.items.filter((item) => item.text.trim() !== '');
  const cells = cellsOf(items.filter((item) => !item.sideways));
  const lines = withAmounts(cells).map((line) => lineOf(line, number));
  const sideways = items.filter((item) => item.sideways).map((item) => lineOf([cellOf(item)], number));
  return [...inReadingOrder(lines), ...fromTop(sideways)];
}

const rightOf = (item: TextItem): number => item.x + item.width;

function cellsOf(items: TextItem[]): PlacedCell[] {
  const sorted = items.toSorted(
    (one, other) => one.x - other.x || one.y - other.y || (one.text < other.text ? -1 : 1),
  );
  const edges = edgesOf(sorted);
  const tails = new RowIndex<PlacedCell>(medianSize(items) / 4);
  const cells: PlacedCell[] = [];
  for (const item of sorted) {
    const cell = cellBefore(item, tails, edges);
    if (cell === 'printed twice') continue;
    if (cell) {
      const touches = item.x - cell.right <= SPACE_EM * item.size;
      // A PDF may join a name and its price: `SEATS1,595.00`.
      cell.last = touches && !isPrice(item.text.trim()) ? cell.last + item.text : item.text;
      cell.items.push(item);
      cell.right = Math.max(cell.right, rightOf(item));
      cell.size = Math.max(cell.size, item.size);
    } else {
      const begun = cellOf(item);
      cells.push(begun);
      tails.add(begun);
    }
  }
  for (const cell of cells) cell.text = textOf(cell.items);
  return cells;
}

function cellOf(item: TextItem): PlacedCell {
  const { text, x, y, size } = item;
  // A run on its side has no width from left to right.
  const right = item.sideways ? x + size : rightOf(item);
  return { text: text.trim(), last: text, x, right, y, size, items: [item] };
}

/** The cell that an item continues. */
function cellBefore(
  item: TextItem,
  tails: RowIndex<PlacedCell>,
  edges: Map<number, number>,
): PlacedCell | 'printed twice' | null {
  let best: PlacedCell | null = null;
  let nearest = Infinity;
  const reach = SAME_ROW_EM * item.size;
  for (const bucket of tails.between(item.y - reach, item.y + reach)) {
    for (let at = bucket.length - 1; at >= 0 && at >= bucket.length - MAX_CANDIDATES; at--) {
      const cell = bucket[at]!;
      const last = cell.items.at(-1)!;
      const step = Math.abs(item.y - last.y);
      if (step > SAME_ROW_EM * Math.min(item.size, last.size)) continue;
      // Bold type may be the same words drawn twice.
      if (item.text === last.text && Math.abs(item.x - last.x) < 0.2 * item.size) return 'printed twice';
      const gap = item.x - cell.right;
      if (gap < -MAX_OVERLAP_EM * item.size || gap > NEW_CELL_EM * item.size) continue;
      const distance = Math.abs(gap) + step;
      if (distance < nearest) [best, nearest] = [cell, distance];
    }
  }
  return best && !isNewCell(best, item, edges) ? best : null;
}

/** True if another cell begins here, although the gap is small. */
function isNewCell(cell: PlacedCell, item: TextItem, edges: Map<number, number>): boolean {
  const gap = item.x - cell.right;
  const size = cell.items.at(-1)!.size;
  const [smaller, larger] = size < item.size ? [size, item.size] : [item.size, size];
  if (gap <= SPACE_EM * smaller) return false;
  const text = item.text.trim();
  // Words of other type belong to another box, unless they are a remark in brackets.
  const isRemark = text.startsWith('(') && larger === size;
  if (larger > 1.8 * smaller || (larger > 1.15 * smaller && gap > 0.5 * smaller && !isRemark)) return true;
  const last = cell.last.trim();
  // A price ends its line: what follows is in the next column.
  if (isPrice(last)) return true;
  if (/^NO CHARGE$/.test(last) && gap > 0.3 * smaller) return true;
  const isLeading = [last, cell.items.at(-1)!.text.trim()].some((word) => LEADING.test(word));
  if (isMoney(text) && /[\p{L}\d)]/u.test(last) && !isLeading) return true;
  return gap > 0.3 * item.size && last.length > 2 && (edges.get(Math.round(item.x)) ?? 0) >= 5;
}

/** A sentence goes on with an amount after these: `Up to $500`. */
const LEADING = /^(?:of|to|from|save|spend)$/i;
/** An amount with its cents. */
const isPrice = (text: string): boolean => /\d[.,]\d{2}$/.test(text) && isMoney(text);

/** How many items begin at each x, rounded to a point. Columns begin where many do. */
function edgesOf(items: TextItem[]): Map<number, number> {
  const edges = new Map<number, number>();
  for (const { x } of items) edges.set(Math.round(x), (edges.get(Math.round(x)) ?? 0) + 1);
  return edges;
}

function textOf(items: TextItem[]): string {
  const words: string[] = [];
  let right = Infinity;
  for (const item of items) {
    words.push(item.x - right > SPACE_EM * item.size ? ' ' : '', item.text);
    right = rightOf(item);
  }
  return words.join('').replace(/\s+/g, ' ').replace(IN_A_NUMBER, '$1').trim();
}

/** A blank that a printer program put into a number: `$1, 095`, `3. 6L`. */
const IN_A_NUMBER = /(\d,(?= \d{3}(?!\d))|\d\.(?= \d)) /g;

/** A lone minus belongs to the amount at its right. */
const isAmount = ({ text }: Cell): boolean => isMoney(text) || /^[-–−]$/.test(text);

/** Joins each name with the amount in its row at the right of its column. */
function withAmounts(cells: PlacedCell[]): PlacedCell[][] {
  const unit = medianSize(cells);
  const rows = new RowIndex<PlacedCell>(unit);
  for (const cell of cells) rows.add(cell);
  const lines = new Map<PlacedCell, PlacedCell[]>(cells.map((cell) => [cell, [cell]]));
  // From left to right, so that a minus is joined to its name before its figure.
  for (const amount of cells) {
    if (!isAmount(amount)) continue;
    const name = nameOf(amount, rows, lines);
    if (!name) continue;
    const line = lines.get(name)!;
    line.push(amount);
    lines.set(amount, line);
  }
  return [...new Set(lines.values())];
}

function nameOf(
  amount: PlacedCell,
  rows: RowIndex<PlacedCell>,
  lines: Map<PlacedCell, PlacedCell[]>,
): PlacedCell | null {
  const reach = SAME_ROW_EM * amount.size;
  let name: PlacedCell | null = null;
  for (const bucket of rows.between(amount.y - reach, amount.y + reach)) {
    const before = countBefore(bucket, amount.x);
    for (let at = before - 1; at >= 0 && at >= before - MAX_CANDIDATES; at--) {
      const cell = bucket[at]!;
      if (cell === amount || cell.right > amount.x + MAX_OVERLAP_EM * amount.size) continue;
      if (Math.abs(cell.y - amount.y) > SAME_ROW_EM * Math.min(cell.size, amount.size)) continue;
      if (!name || cell.right > name.right) name = cell;
    }
  }
  if (!name || amount.x - name.right > MAX_AMOUNT_GAP_EM * amount.size || !isLike(name, amount)) return null;
  const line = lines.get(name);
  // A line has only one amount.
  if (!line || isMoney(line.at(-1)!.text)) return null;
  return hasColumnBetween(name, amount, rows) ? null : name;
}

/** A name and its price are set in much the same type. */
const isLike = (one: PlacedCell, other: PlacedCell): boolean =>
  Math.max(one.size, other.size) < 1.5 * Math.min(one.size, other.size);

/** How many cells of a bucket, which is sorted from left to right, begin before `x`. */
function countBefore(bucket: PlacedCell[], x: number): number {
  let [low, high] = [0, bucket.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bucket[middle]!.x < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** True if lines above or below begin between the two: the amount is then in another column. */
function hasColumnBetween(name: PlacedCell, amount: PlacedCell, rows: RowIndex<PlacedCell>): boolean {
  const reach = COLUMN_SEARCH_EM * amount.size;
  const tolerance = MAX_OVERLAP_EM * amount.size;
  const begins = new Map<number, number>();
  for (const bucket of rows.between(amount.y - reach, amount.y + reach)) {
    const from = countBefore(bucket, name.right);
    for (let at = from; at < bucket.length && at < from + MAX_CANDIDATES; at++) {
      const other = bucket[at]!;
      if (other.x >= amount.x) break;
      if (isAmount(other) || Math.abs(other.right - amount.right) < tolerance || other.text.length < 4)
        continue;
      if (Math.abs(other.y - amount.y) < tolerance || Math.abs(other.size - amount.size) > 0.2 * amount.size)
        continue;
      const key = Math.round(other.x / tolerance);
      const count = (begins.get(key) ?? 0) + 1;
      if (count + (begins.get(key - 1) ?? 0) + (begins.get(key + 1) ?? 0) >= 2) return true;
      begins.set(key, count);
    }
  }
  return false;
}

function lineOf(cells: PlacedCell[], page: number): Line {
  const [first] = cells;
  return {
    page,
    text: cells.map(({ text }) => text).join(' '),
    x: first!.x,
    right: cells.reduce((right, cell) => Math.max(right, cell.right), -Infinity),
    y: first!.y,
    size: cells.reduce((size, cell) => Math.max(size, cell.size), 0),
    cells: cells.map(({ text, x, right }) => ({ text, x, right })),
    items: cells.flatMap(({ items }) => items),
    positioned: true,
  };
}

/** The two parts of a line whose runs from `at` on belong to another column. */
export function splitLine(line: Line, at: number): [Line, Line] {
  const part = (items: TextItem[]): Line => {
    const x = items[0]!.x;
    const right = Math.max(...items.map(rightOf));
    const text = textOf(items);
    return { ...line, text, x, right, cells: [{ text, x, right }], items };
  };
  return [part(line.items.slice(0, at)), part(line.items.slice(at))];
}
