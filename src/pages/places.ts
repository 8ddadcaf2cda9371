import type { Box, Label, LabelText, OptionLine, TextPage } from '../reading/types.ts';

/** The sheet as the page shows it, in PDF points. */
export interface Sheet {
  width: number;
  height: number;
}

/** Something on the first page that a line of the reading points at. */
export interface Place {
  id: string;
  box: Box;
}

const AIR = 3;

/** Places by field path (`prices.base`, `prices.options.3`), a little wider than the words, on the first page only. */
export function placesOf(label: Label, text: LabelText | null): Map<string, Place> {
  const places = new Map<string, Place>();
  const page = text?.positioned ? text.pages[0] : undefined;
  // A page on its side is shown as it is, while its items are those of the upright page.
  if (!page || page.turn) return places;
  const add = (path: string, box: Box | undefined) => {
    if (box?.page !== 1) return;
    places.set(path, { id: `at-${path.replaceAll('.', '-')}`, box: airy(box, page) });
  };
  for (const [path, box] of Object.entries(label.places)) if (/^[\w.]+$/.test(path)) add(path, box);
  for (const kind of ['options', 'discounts', 'taxes', 'fees'] as const) {
    label.prices[kind].forEach((line, at) => {
      const box = line.at ?? label.places[`prices.${kind}.${at}`];
      add(
        `prices.${kind}.${at}`,
        box && kind === 'options' ? withChildren(box, line as OptionLine, page) : box,
      );
    });
  }
  return places;
}

function airy(box: Box, page: Sheet): Box {
  const x = Math.max(0, box.x - AIR);
  const y = Math.max(0, box.y);
  return {
    page: box.page,
    x,
    y,
    width: Math.min(box.width + 2 * AIR, page.width - x),
    height: Math.min(box.height, page.height - y),
  };
}

/** Down to the last of its children that stands beneath it in the same column. */
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

/** Pixels of a WebP picture, from its first bytes; null when they are not those of one. */
export function webpSize(webp: Buffer): Sheet | null {
  if (webp.length < 30 || webp.toString('latin1', 12, 16) !== 'VP8 ') return null;
  return { width: webp.readUInt16LE(26) & 0x3fff, height: webp.readUInt16LE(28) & 0x3fff };
}
