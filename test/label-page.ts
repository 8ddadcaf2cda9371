import type { LabelText, TextItem } from '@monroney/label/reading/types';

/** A run of text on a made-up page: left edge, baseline, text and font size (10 by default). */
export type Run = [x: number, y: number, text: string, size?: number];

/** A label-like page with these runs in order. */
export function pageOf(...runs: Run[]): LabelText {
  const items = runs.map(([x, y, text, size = 10]): TextItem => ({
    text,
    x,
    y,
    width: text.length * size * 0.45,
    size,
  }));
  return { version: 1, positioned: true, pages: [{ width: 1224, height: 792, items }] };
}

/** Lines below each other, starting at a position; for `[text, price]` the price is right-aligned in the column. */
export function columnOf(
  x: number,
  y: number,
  lines: (string | [string, string])[],
  size = 10,
  width = 180,
): Run[] {
  return lines.flatMap((line, index): Run[] => {
    const lineY = y + index * 12;
    if (typeof line === 'string') return [[x, lineY, line, size]];
    const [name, price] = line;
    return [
      [x, lineY, name, size],
      [x + width - price.length * size * 0.45, lineY, price, size],
    ];
  });
}
