import type { Box, TextItem } from './types.ts';
import type { Line } from './lines.ts';

/** Letters reach about this share of the font size above their baseline. */
const ASCENT = 0.8;

/** The box around lines, to highlight them on a page; none in recorded text. */
export function boxOf(...lines: (Line | null | undefined)[]): Box | undefined {
  const printed = lines.filter((line): line is Line => line?.positioned === true);
  const [first] = printed;
  if (!first) return undefined;
  // Of a name that continues in the next column, only the first part is highlighted.
  const beside = printed.filter((line) => line.page === first.page && Math.abs(line.y - first.y) < 80);
  const left = Math.min(...beside.map((line) => line.x));
  const top = Math.min(...beside.map((line) => line.y - line.size * ASCENT));
  const right = Math.max(...beside.map((line) => line.right));
  const bottom = Math.max(...beside.map((line) => line.y + line.size * (1 - ASCENT)));
  return {
    page: first.page,
    x: round(left),
    y: round(top),
    width: round(right - left),
    height: round(bottom - top),
  };
}

/** The box around runs of text. */
export function boxOfItems(items: TextItem[], page = 1): Box {
  const left = Math.min(...items.map((item) => item.x));
  const top = Math.min(...items.map((item) => item.y - item.size * ASCENT));
  const right = Math.max(...items.map((item) => item.x + item.width));
  const bottom = Math.max(...items.map((item) => item.y + item.size * (1 - ASCENT)));
  return { page, x: round(left), y: round(top), width: round(right - left), height: round(bottom - top) };
}

function round(points: number): number {
  return Math.round(points * 10) / 10;
}
