import { linesOf } from '../../src/reading/lines.ts';
import type { LabelText, Shape, TextItem } from '../../src/reading/types.ts';

/** What programs and printers do to a label on its way: the same words at other places, in other pieces. */
export type Distortion = (text: LabelText) => LabelText;

const each = (
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

/** The same for words and shapes. */
const eachPlace = (text: LabelText, move: <T extends { x: number; y: number }>(thing: T) => T): LabelText =>
  each(text, (items) => items.map(move), move);

/** The same numbers for the same seed, so that a failure can be seen again. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const shift =
  (x: number, y: number): Distortion =>
  (text) =>
    eachPlace(text, (thing) => ({ ...thing, x: thing.x + x, y: thing.y + y }));

export const scale =
  (by: number): Distortion =>
  (text) =>
    each(
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
    const next = random(seed);
    return each(text, (items) =>
      items
        .map((item) => ({ item: { ...item, eol: false }, key: next() }))
        .toSorted((one, other) => one.key - other.key)
        .map(({ item }) => item),
    );
  };

/** Everything to the right of `from` moves further right. */
export const indent =
  (from: number, by: number): Distortion =>
  (text) =>
    eachPlace(text, (thing) => (thing.x >= from ? { ...thing, x: thing.x + by } : thing));

/** Lines without an amount move right by up to `most` points, each by its own, where there is room. */
export const ragged =
  (seed: number, most: number, isFree: (line: string) => boolean): Distortion =>
  (text) => {
    const next = random(seed);
    const moved = new Map<TextItem, number>();
    for (const line of linesOf(text)) {
      const by = next() * most;
      const hasRoom = !text.pages[line.page - 1]!.items.some(
        (item) =>
          Math.abs(item.y - line.y) < 0.8 * line.size &&
          item.x + item.width > line.x + 1 &&
          item.x < line.right + most + 2 * line.size &&
          !line.items.includes(item),
      );
      if (hasRoom && isFree(line.text)) for (const item of line.items) moved.set(item, by);
    }
    return each(text, (items) => items.map((item) => ({ ...item, x: item.x + (moved.get(item) ?? 0) })));
  };

/** Runs in two pieces, in the middle of a word or not. Letters are taken to be equally wide. */
export const split =
  (seed: number): Distortion =>
  (text) => {
    const next = random(seed);
    return each(text, (items) =>
      items.flatMap((item) => {
        if (item.text.trim().length < 4) return [item];
        const at = 1 + Math.floor(next() * (item.text.length - 2));
        const width = (item.width * at) / item.text.length;
        return [
          { ...item, text: item.text.slice(0, at), width, eol: false },
          { ...item, text: item.text.slice(at), x: item.x + width, width: item.width - width },
        ];
      }),
    );
  };

/** Runs that follow each other in a row, as one run. */
export const join = (): Distortion => (text) =>
  each(text, (items) => {
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

/** A column of other words at the right of the label, row by row. */
export const secondColumn = (): Distortion => (text) =>
  each(text, (items) => {
    const right = items.reduce((edge, item) => Math.max(edge, item.x + item.width), 0);
    const rows = new Set(items.map((item) => Math.round(item.y)));
    return [
      ...[...rows].map((y) => ({ text: 'other words', x: right + 250, y, width: 50, size: 8 })),
      ...items,
    ];
  });
