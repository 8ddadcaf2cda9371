import type { TextItem } from './types.ts';

/** A run of text set apart from its neighbors by a gap: a name and its price are two cells of one line. */
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
