import { linesOf } from '@monroney/label/reading/lines';
import type { LabelText, Shape, TextItem } from '@monroney/label/reading/types';

/** Changes that programs and printers make to a label: the same words at other positions or in other runs of text. */
export type Distortion = (text: LabelText) => LabelText;

const mapPages = (
  text: LabelText,
  change: (items: TextItem[]) => TextItem[],
  move: (shape: Shape) => Shape = (shape) => shape,
): LabelText => ({
  ...text,
  pages: text.pages.map((page) => ({
    ...page,
    items: change(page.items),
    ...(page.shapes ? { shapes: page.shapes.map(move) } : {}),
  })),
});

/** Moves words and shapes alike. */
const moveAll = (text: LabelText, move: <T extends { x: number; y: number }>(element: T) => T): LabelText =>
  mapPages(text, (items) => items.map(move), move);

/** The same numbers for the same seed, so that failures are reproducible. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const shift =
  (x: number, y: number): Distortion =>
  (text) =>
    moveAll(text, (element) => ({ ...element, x: element.x + x, y: element.y + y }));

export const scale =
  (by: number): Distortion =>
  (text) =>
    mapPages(
      text,
      (items) =>
        items.map((item) => ({
          ...item,
          x: item.x * by,
          y: item.y * by,
          width: item.width * by,
          size: item.size * by,
        })),
      (shape) => ({
        ...shape,
        x: shape.x * by,
        y: shape.y * by,
        width: shape.width * by,
        height: shape.height * by,
      }),
    );

export const shuffle =
  (seed: number): Distortion =>
  (text) => {
    const next = randomFrom(seed);
    return mapPages(text, (items) =>
      items
        .map((item) => ({ item, key: next() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ item }) => item),
    );
  };

/** Moves everything to the right of `from` further right. */
export const indent =
  (from: number, by: number): Distortion =>
  (text) =>
    moveAll(text, (element) => (element.x >= from ? { ...element, x: element.x + by } : element));

/** Moves lines without an amount right by up to `maxShift` points each, where there is room. */
export const ragged =
  (seed: number, maxShift: number, isFree: (line: string) => boolean): Distortion =>
  (text) => {
    const next = randomFrom(seed);
    const moved = new Map<TextItem, number>();
    for (const line of linesOf(text)) {
      const by = next() * maxShift;
      const hasSpace = !text.pages[line.page - 1]!.items.some(
        (item) =>
          Math.abs(item.y - line.y) < 0.8 * line.size &&
          item.x + item.width > line.x + 1 &&
          item.x < line.right + maxShift + 2 * line.size &&
          !line.items.includes(item),
      );
      if (hasSpace && isFree(line.text)) for (const item of line.items) moved.set(item, by);
    }
    return mapPages(text, (items) => items.map((item) => ({ ...item, x: item.x + (moved.get(item) ?? 0) })));
  };

/** Splits runs of text in two, possibly within a word. Assumes that letters are equally wide. */
export const split =
  (seed: number): Distortion =>
  (text) => {
    const next = randomFrom(seed);
    return mapPages(text, (items) =>
      items.flatMap((item) => {
        if (item.text.trim().length < 4) return [item];
        const cut = 1 + Math.floor(next() * (item.text.length - 2));
        const width = (item.width * cut) / item.text.length;
        return [
          { ...item, text: item.text.slice(0, cut), width },
          { ...item, text: item.text.slice(cut), x: item.x + width, width: item.width - width },
        ];
      }),
    );
  };

/** Joins adjacent runs on a line into one. */
export const join = (): Distortion => (text) =>
  mapPages(text, (items) => {
    const joined: TextItem[] = [];
    for (const item of items) {
      const last = joined.at(-1);
      const gap = last ? item.x - last.x - last.width : Infinity;
      const isNext = last && item.y === last.y && item.size === last.size && !item.sideways && !last.sideways;
      if (isNext && last.text.trim() && item.text.trim() && gap > -1 && gap < 4 * item.size) {
        last.text += gap > 0.18 * item.size ? ` ${item.text}` : item.text;
        last.width = item.x + item.width - last.x;
      } else joined.push({ ...item });
    }
    return joined;
  });

/** Adds a column of other words to the right of the label. */
export const secondColumn = (): Distortion => (text) =>
  mapPages(text, (items) => {
    const right = items.reduce((edge, item) => Math.max(edge, item.x + item.width), 0);
    const rows = new Set(items.map((item) => Math.round(item.y)));
    return [
      ...[...rows].map((y) => ({ text: 'other words', x: right + 250, y, width: 50, size: 8 })),
      ...items,
    ];
  });
