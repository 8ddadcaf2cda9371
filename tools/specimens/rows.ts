import { dollars, type Car } from './car.ts';
import type { Page } from './pdf.ts';
import type { Font } from './type.ts';

/** A name and its amount, or a line without one. */
export interface PriceRow {
  name: string;
  money?: string | null;
  font?: Font;
  indent?: number;
  /** A rule above the row, as over a sum. */
  ruled?: boolean;
}

/** Draws rows with names left-aligned and amounts right-aligned, and returns the y after the last. */
export function priceRows(
  page: Page,
  x: number,
  right: number,
  y: number,
  rows: readonly PriceRow[],
): number {
  for (const { name, money, font = 'regular', indent = 0, ruled } of rows) {
    if (ruled) page.rule(x, y - 11, right, y - 11, 1);
    if (name) page.text(x + indent, y, 9.5, name, { font });
    if (money) page.right(right, y, 9.5, money, { font });
    y += 14;
  }
  return y;
}

/** Options with their contents, and `unpriced` where there is no price. */
export function optionRows(car: Car, star: string, unpriced: string | null = null): PriceRow[] {
  return car.options.flatMap(({ name, price, children = [] }) => [
    { name: star + name, money: price === null ? unpriced : dollars(price) },
    ...children.map((child) => ({ name: child, indent: 10 })),
  ]);
}

/** Where the totals are on labels with one price column, however long the list above. */
export const TOTALS = 636;

/** The bold total at the bottom of a price column, and the box around the column from `top` down. */
export function totalBox(page: Page, top: number, words: string, money: string, size = 15): void {
  const foot = TOTALS + 10;
  page.box(394, top, 314, foot + 46 - top, 1.5);
  page.box(394, foot, 314, 46, 3);
  page.text(404, foot + 29, size, words, { font: 'bold', narrow: size < 12 ? 0.68 : 0.92 });
  page.right(700, foot + 30, 20, money, { font: 'bold', narrow: 0.95 });
}

/** Equipment under bold headings, in as many columns as are needed. */
export function sections(
  page: Page,
  columns: readonly number[],
  top: number,
  bottom: number,
  standard: Car['standard'],
  bullet = '',
): void {
  let [column, y] = [0, top];
  for (const [section, items] of Object.entries(standard)) {
    if (y + 14 + items.length * 11.5 > bottom && column < columns.length - 1) [column, y] = [column + 1, top];
    const x = columns[column]!;
    page.text(x, y, 9, section, { font: 'bold' });
    y =
      page.lines(
        x,
        y + 12,
        8.5,
        11.5,
        items.map((item) => bullet + item),
      ) + 6;
  }
}
