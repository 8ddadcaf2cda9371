import type { Box, Label, LabelText, OptionLine, TextPage } from '../reading/types.ts';

/** Size of a label's page as shown, in PDF points or pixels. */
export interface PageSize {
  width: number;
  height: number;
}

/** A rectangle on the label's first page that a line of the reading links to. */
export interface Highlight {
  id: string;
  box: Box;
}

/** By field path: `prices.base`, `prices.options.3`. */
export type Highlights = ReadonlyMap<string, Highlight>;

const PADDING = 3;

/** The highlights of a reading, slightly padded. Only the first page is shown, so only it has any. */
export function highlightsOf(label: Label, text: LabelText | null): Map<string, Highlight> {
  const highlights = new Map<string, Highlight>();
  const page = text?.positioned ? text.pages[0] : undefined;
  // The picture of a rotated page doesn't match the positions, which are those of the upright page.
  if (!page || page.turn) return highlights;
  const add = (path: string, box: Box | undefined) => {
    if (box?.page !== 1) return;
    highlights.set(path, { id: `at-${path.replaceAll('.', '-')}`, box: padded(box, page) });
  };
  for (const [path, box] of Object.entries(label.places)) if (/^[\w.]+$/.test(path)) add(path, box);
  for (const kind of ['options', 'discounts', 'taxes', 'fees'] as const) {
    label.prices[kind].forEach((line, index) => {
      const box = line.at ?? label.places[`prices.${kind}.${index}`];
      add(
        `prices.${kind}.${index}`,
        box && kind === 'options' ? withChildren(box, line as OptionLine, page) : box,
      );
    });
  }
  return highlights;
}

function padded(box: Box, page: PageSize): Box {
  const x = Math.max(0, box.x - PADDING);
  const y = Math.max(0, box.y);
  return {
    page: box.page,
    x,
    y,
    width: Math.min(box.width + 2 * PADDING, page.width - x),
    height: Math.min(box.height, page.height - y),
  };
}

/** Extends an option's box down to the last of its children printed below it in the same column. */
function withChildren(box: Box, { children }: OptionLine, page: TextPage): Box {
  if (children.length === 0) return box;
  let bottom = box.y + box.height;
  const lowest = bottom + children.length * box.height * 2.4;
  const inColumn = page.items
    .filter(
      (item) => item.x >= box.x - 4 && item.x < box.x + box.width && item.y > bottom && item.y <= lowest,
    )
    .sort((a, b) => a.y - b.y);
  for (const item of inColumn) {
    const words = item.text.trim();
    if (words.length > 2 && children.some((child) => child.includes(words)))
      bottom = item.y + item.size * 0.15;
  }
  return { ...box, height: bottom - box.y };
}

/** Size in pixels of a lossy WebP image, from its header; null for anything else. */
export function webpSize(webp: Buffer): PageSize | null {
  if (webp.length < 30 || webp.toString('latin1', 12, 16) !== 'VP8 ') return null;
  return { width: webp.readUInt16LE(26) & 0x3fff, height: webp.readUInt16LE(28) & 0x3fff };
}
