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

/** What follows the anchor on its own line: `Engine: 2.0L` gives `2.0L`. Nothing after it is no value. */
export function valueOf(lines: Line[], anchor: RegExp): { text: string; line: Line } | null {
  for (const line of lines) {
    const found = anchor.exec(line.text);
    const text = found && line.text.slice(found.index + found[0].length).trim();
    if (text) return { text, line };
  }
  return null;
}
