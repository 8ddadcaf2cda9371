import type { Box, Label, LabelText, OptionLine, TextPage } from '@monroney/label/reading/types';
import { html, type Html } from './html.ts';

/** Size of a label's page as shown, in PDF points or pixels. */
export interface PageSize {
  width: number;
  height: number;
}

/** The size of most labels, used if a label's own is unknown. */
export const USUAL_SIZE: PageSize = { width: 1224, height: 792 };

/** A rectangle on the label's first page that a line of the reading links to. */
export interface Highlight {
  id: string;
  box: Box;
}

/** By field path: `prices.base`, `prices.options.3`. */
export type Highlights = ReadonlyMap<string, Highlight>;

/** In points, on every side. */
const PADDING = 4;

/** Kinds of price lines, in the order of the table. */
export const LINE_KINDS = ['options', 'discounts', 'taxes', 'fees'] as const;

/** Fragment of each line of the price table by its field path. Links that people share end in it: `#line-7`. */
export function lineIds({ prices }: Label): ReadonlyMap<string, string> {
  const paths = [
    'prices.base',
    ...LINE_KINDS.flatMap((kind) => prices[kind].map((_, index) => `prices.${kind}.${index}`)),
    'prices.destination',
    'prices.total',
  ];
  return new Map(paths.map((path, index) => [path, `line-${index + 1}`]));
}

/** The highlights of a reading, slightly padded. Only the first page is shown, so only it has any. */
export function highlightsOf(label: Label, text: LabelText | null): Map<string, Highlight> {
  const highlights = new Map<string, Highlight>();
  const page = text?.positioned ? text.pages[0] : undefined;
  // The picture of a rotated page doesn't match the positions, which are those of the upright page.
  if (!page || page.turn) return highlights;
  const ids = lineIds(label);
  const add = (path: string, box: Box | undefined) => {
    if (box?.page !== 1) return;
    const id = ids.get(path) ?? `at-${path.replaceAll('.', '-')}`;
    highlights.set(path, { id, box: padded(box, page) });
  };
  for (const [path, box] of Object.entries(label.places)) if (/^[\w.]+$/.test(path)) add(path, box);
  for (const kind of LINE_KINDS) {
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
  const y = Math.max(0, box.y - PADDING);
  return {
    page: box.page,
    x,
    y,
    width: Math.min(box.width + 2 * PADDING, page.width - x),
    height: Math.min(box.height + 2 * PADDING, page.height - y),
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

/** The size of a label's first page as shown; null if the text has no positions. */
export function pageSizeIn(text: LabelText | null): PageSize | null {
  const page = text?.positioned ? text.pages[0] : undefined;
  if (!page) return null;
  return page.turn === 90 || page.turn === 270 ? { width: page.height, height: page.width } : page;
}

/** The frames of highlights, in a drawing above a picture of the page. */
export function frames(highlights: Iterable<Highlight>): Html {
  return html`${[...highlights].map(({ id, box }) => html`<rect id="${id}" x="${number(box.x)}" y="${number(box.y)}" width="${number(box.width)}" height="${number(box.height)}" />`)}`;
}

/** The coordinates of that drawing. */
export const viewBox = ({ width, height }: PageSize): string => `0 0 ${number(width)} ${number(height)}`;

function number(points: number): string {
  return String(Math.round(points * 10) / 10);
}
