import type { LabelResponse } from '@monroney/client';
import type { ColumnType } from './table.ts';

/** What a window sticker says, in the cells of a table. Prices are in cents. Runs in browsers too. */

const COLUMNS = {
  sticker: 'text',
  reason: 'text',
  name: 'text',
  page: 'text',
  total: 'money',
  base: 'money',
  options: 'money',
  taxes: 'money',
  fees: 'money',
  destination: 'money',
  discounts: 'money',
  asking_difference: 'money',
  currency: 'text',
  paint: 'text',
  paint_printed: 'text',
  paint_code: 'text',
  interior: 'text',
  option_names: 'text',
  option_prices: 'text',
  dealer: 'text',
  created: 'date',
  pdf: 'text',
} as const satisfies Record<string, ColumnType>;

export type StickerCells = Record<keyof typeof COLUMNS, string | number | null>;

const NAMES = Object.keys(COLUMNS) as (keyof StickerCells)[];
export const STICKER_COLUMNS = NAMES.map((name) => ({ name, type: COLUMNS[name] }));
export const NOTHING = Object.fromEntries(NAMES.map((name) => [name, null])) as StickerCells;
export const cellsInOrder = (cells: StickerCells): unknown[] => NAMES.map((name) => cells[name]);

/** `names`: the car and its paint, as pages write them. */
export function labelCells(
  response: LabelResponse,
  names: { car: string | null; paint: string | null },
): StickerCells {
  const { sample, reason, label } = response;
  const found = { ...NOTHING, sticker: sample ? 'sample' : 'available', reason, name: names.car };
  if (!label) return found;
  const { options } = label.prices;
  return {
    ...found,
    ...priceCells(response),
    paint: names.paint,
    paint_printed: label.exterior?.color ?? null,
    paint_code: label.exterior?.code ?? null,
    interior: label.interior,
    option_names: options.map(({ name }) => name).join('; ') || null,
    option_prices: options.map(({ price }) => (price === null ? '' : price / 100)).join('; ') || null,
    dealer: label.delivery.dealer?.name ?? null,
    created: label.created,
  };
}

type Prices = NonNullable<LabelResponse['label']>['prices'];

/** Prices add up in every row with a total: `base + options + taxes + fees + destination − discounts = total`. */
function priceCells({ label, proof, reason }: LabelResponse): Partial<StickerCells> {
  const { base, destination, total, currency, ...lists } = label!.prices;
  const sums = {
    base,
    options: sumOf(lists.options),
    taxes: sumOf(lists.taxes),
    fees: sumOf(lists.fees),
    destination,
    discounts: sumOf(lists.discounts, -1),
    currency,
  };
  if (total === null) return sums;
  const parts = {
    base: sums.base ?? 0,
    options: sums.options ?? 0,
    taxes: sums.taxes ?? 0,
    fees: sums.fees ?? 0,
    destination: sums.destination ?? 0,
    discounts: sums.discounts ?? 0,
  };
  const { discounts, ...added } = parts;
  const sum = Object.values(added).reduce((all, price) => all + price, 0) - discounts;
  return sum === total
    ? { ...sums, ...parts, total }
    : { ...sums, reason: reason ?? proof?.reason ?? 'sum-differs' };
}

/** Null if no line has a price. */
function sumOf(lines: Prices['options'] | Prices['taxes'], sign = 1): number | null {
  const known = lines.map(({ price }) => price).filter((price) => price !== null);
  return known.length === 0 ? null : sign * known.reduce((sum, price) => sum + price, 0);
}
