import { layoutLines } from './layout.ts';
import type { Line, LabelText, TextPage } from './types.ts';

export type { Cell, Line } from './types.ts';

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
