import type { LabelText, TextItem } from '../src/reading/types.ts';

/** A run of text on a made-up page: left edge, baseline, text and, unless it is 10, the size of its type. */
export type Run = [x: number, y: number, text: string, size?: number];

/** A page like a label's, of runs in the order given. A run that follows on the same baseline goes on with its line. */
export function pageOf(...runs: Run[]): LabelText {
  const items = runs.map(([x, y, text, size = 10], index): TextItem => {
    const next = runs[index + 1];
    const item = { text, x, y, width: text.length * size * 0.45, size };
    return next && next[1] === y && next[0] > x ? item : { ...item, eol: true };
  });
  return { version: 1, positioned: true, pages: [{ width: 1224, height: 792, items }] };
}

/** Lines one under the other from a place on the page; `[text, price]` has its price at the column's right edge. */
export function columnOf(
  x: number,
  y: number,
  lines: (string | [string, string])[],
  size = 10,
  width = 180,
): Run[] {
  return lines.flatMap((line, index): Run[] => {
    const at = y + index * 12;
    if (typeof line === 'string') return [[x, at, line, size]];
    const [name, price] = line;
    return [
      [x, at, name, size],
      [x + width - price.length * size * 0.45, at, price, size],
    ];
  });
}
