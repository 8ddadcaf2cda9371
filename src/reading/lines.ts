import { layoutLines } from './layout.ts';
import type { LabelText, TextItem, TextPage } from './types.ts';

/** A run of text set apart from its neighbours by a gap: a name and its price are two cells of one line. */
export interface Cell {
  text: string;
  x: number;
  right: number;
}

/** One printed line of one column. */
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
