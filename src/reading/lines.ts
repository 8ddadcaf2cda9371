import type { LabelText, TextItem } from './types.ts';

/** A run of text set apart from its neighbours by a gap: a name and its price are two cells of one line. */
export interface Cell {
  text: string;
  x: number;
  right: number;
}

/** One printed line, in the PDF's own order. */
export interface Line {
  page: number;
  text: string;
  x: number;
  right: number;
  y: number;
  size: number;
  /** From left to right; recorded text has one cell a line. */
  cells: Cell[];
  items: TextItem[];
  /** False for recorded text, whose positions mean nothing. */
  positioned: boolean;
}

/** A step of this share of the smaller font size up or down begins a new line. */
const NEW_LINE = 0.35;
/** A step of this many points begins a new line across a gap. */
const ACROSS = 1.2;
/** A gap of this many font sizes begins a new cell. */
const NEW_CELL = 1;
/** A gap of this share of the font size is a space the PDF did not write. */
const SPACE = 0.18;

/** The lines of all pages in content order, which keeps blocks together where rows would interleave columns. */
export function linesOf(text: LabelText): Line[] {
  const lines: Line[] = [];
  text.pages.forEach((page, index) => {
    let open: TextItem[] = [];
    const close = (): void => {
      const line = lineOf(open, index + 1, text.positioned);
      if (line) lines.push(line);
      open = [];
    };
    for (const item of page.items) {
      const last = open.at(-1);
      if (last && text.positioned && stepsDown(last, item)) close();
      if (item.text.trim() !== '') open.push(item);
      if (item.eol) close();
    }
    close();
  });
  return lines;
}

function stepsDown(last: TextItem, item: TextItem): boolean {
  if (item.text.trim() === '') return false;
  const step = Math.abs(item.y - last.y);
  const gap = item.x - (last.x + last.width);
  if (item.x + item.width < last.x) return true;
  // A small step is a raised sign beside its word, but another column's line across a gap.
  return step > NEW_LINE * Math.min(last.size, item.size) || (step > ACROSS && gap > 1.5 * item.size);
}

function lineOf(items: TextItem[], page: number, positioned: boolean): Line | null {
  const [first] = items;
  if (!first) return null;
  const cells: Cell[] = [];
  // Joined once at the end: looking at a cell's text after each word would copy all of it each time.
  const words: string[][] = [];
  for (const item of items) {
    const cell = cells.at(-1);
    const gap = cell && positioned ? item.x - cell.right : Infinity;
    if (cell && gap <= NEW_CELL * item.size) {
      words.at(-1)!.push(gap > SPACE * item.size ? ' ' : '', item.text);
      cell.right = Math.max(cell.right, item.x + item.width);
    } else {
      cells.push({ text: '', x: item.x, right: item.x + item.width });
      words.push([item.text]);
    }
  }
  cells.forEach((cell, at) => (cell.text = words[at]!.join('').replace(/\s+/g, ' ').trim()));
  return {
    page,
    text: cells.map((cell) => cell.text).join(' '),
    x: Math.min(...cells.map((cell) => cell.x)),
    right: Math.max(...cells.map((cell) => cell.right)),
    y: first.y,
    size: Math.max(...items.map((item) => item.size)),
    cells,
    items,
    positioned,
  };
}
