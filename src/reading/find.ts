import { fromTop } from './layout.ts';
import type { Line } from './lines.ts';

/** Index of the first line from `from` on that matches, or -1. */
export function indexOf(lines: Line[], anchor: RegExp, from = 0): number {
  for (let index = from; index < lines.length; index++) if (anchor.test(lines[index]!.text)) return index;
  return -1;
}

/** Index of the last line that matches, or -1. */
export function lastIndexOf(lines: Line[], anchor: RegExp): number {
  return lines.findLastIndex((line) => anchor.test(line.text));
}

/** The line `steps` after the first that matches. */
export function lineAfter(lines: Line[], anchor: RegExp, steps = 1): Line | null {
  const at = indexOf(lines, anchor);
  return at < 0 ? null : (lines[at + steps] ?? null);
}

/** The lines from `from` until the first that matches, or to the end. */
export function until(lines: Line[], from: number, stop: RegExp): Line[] {
  const end = indexOf(lines, stop, from);
  return lines.slice(from, end < 0 ? undefined : end);
}

/** Lines whose left edge lies in a column. */
export function column(lines: Line[], left: number, right: number): Line[] {
  return lines.filter((line) => line.x >= left && line.x < right);
}

/** How far apart lines may be, in em of the anchor: 5 em are an indent of 40 points under 8-point type. */
const NEAR = { below: 2.6, indent: 6, outdent: 1.5 };

/** The line under another in the same column, indented or not. */
export function below(lines: Line[], anchor: Line, within = NEAR.below): Line | null {
  let nearest: Line | null = null;
  for (const line of lines) {
    if (!isUnder(line, anchor) || line.y - anchor.y > within * anchor.size) continue;
    if (!nearest || line.y < nearest.y) nearest = line;
  }
  return nearest;
}

/** Does a line stand under another, and begin under its words or a little to their left? */
export function isUnder(line: Line, anchor: Line): boolean {
  return (
    line.page === anchor.page &&
    line.y > anchor.y + 0.5 * Math.min(line.size, anchor.size) &&
    line.x >= anchor.x - NEAR.outdent * anchor.size &&
    line.x <= Math.max(anchor.right, anchor.x + NEAR.indent * anchor.size)
  );
}

/** The lines to the right of another in its row, from left to right. */
export function rightOf(lines: Line[], anchor: Line): Line[] {
  return lines
    .filter((line) => line !== anchor && isInRow(line, anchor) && line.x >= anchor.right - anchor.size / 2)
    .toSorted((one, other) => one.x - other.x);
}

/** Do two lines share a baseline, or nearly? */
export function isInRow(line: Line, anchor: Line): boolean {
  return (
    line.page === anchor.page && Math.abs(line.y - anchor.y) <= 0.4 * Math.min(line.size, anchor.size)
  );
}

/** The lines under a heading as far as `right`, from top to bottom: its column, whatever their indent. */
export function columnUnder(lines: Line[], heading: Line, right = heading.right): Line[] {
  const left = heading.x - NEAR.outdent * heading.size;
  return fromTop(
    lines.filter(
      (line) =>
        line.page === heading.page &&
        line.y > heading.y + 0.5 * Math.min(line.size, heading.size) &&
        line.x >= left &&
        line.x < right,
    ),
  );
}

/** What follows the anchor on its own line: `Engine: 2.0L` gives `2.0L`. Nothing after it is no value. */
export function valueOf(lines: Line[], anchor: RegExp): { text: string; line: Line } | null {
  for (const line of lines) {
    const found = anchor.exec(line.text);
    const text = found && line.text.slice(found.index + found[0].length).trim();
    if (text) return { text, line };
  }
  return null;
}
