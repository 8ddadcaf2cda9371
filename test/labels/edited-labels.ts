import assert from 'node:assert/strict';
import { readText } from '@monroney/label/read-text';
import type { Label, LabelText, Reading, TextItem } from '@monroney/label/reading/types';
import { skip, textOf } from './recorded.ts';

/**
 * Labels that the samples don't show, made by editing the positioned text of one that they do: other equipment, other
 * words for no charge, boxes that are missing. Everything that was not edited must be read as before.
 */

export { skip };

export interface Car {
  vin: string;
  text: LabelText;
  reading: Reading;
  label: Label;
}

export async function carOf(path: string): Promise<Car> {
  const vin = /([^/]+)\.pdf$/.exec(path)![1]!;
  const text = await textOf(path);
  const reading = readText(text, { vin });
  return { vin, text, reading, label: reading.label! };
}

export type Edit = (items: TextItem[]) => TextItem[];

export function readEdited({ vin, text }: Car, ...edits: Edit[]): Reading & { label: Label } {
  const [page] = text.pages;
  const items = edits.reduce((before, edit) => edit(before), page!.items);
  const reading = readText({ ...text, pages: [{ ...page!, items }] }, { vin });
  assert.ok(reading.label, `${vin}: ${String(reading.reason)}`);
  return { ...reading, label: reading.label };
}

export const hasText = (text: string) => (item: TextItem) => item.text.trim() === text;
export const removeItems =
  (test: (item: TextItem) => boolean): Edit =>
  (items) =>
    items.filter((item) => !test(item));
export const replaceText =
  (from: string | RegExp, to: string): Edit =>
  (items) =>
    items.map((item) => ({ ...item, text: item.text.replace(from, to) }));
/** A copy of the item with other words, `rows` lines below it. */
export const addBelow =
  (like: string, words: string, rows = 1, dx = 0): Edit =>
  (items) => {
    const model = items.find(hasText(like));
    assert.ok(model, like);
    const width = (model.width * words.length) / like.length;
    return [...items, { ...model, text: words, x: model.x + dx, y: model.y + rows * 9.15, width }];
  };

/** The facts that must not change, without their positions. */
export function factsOf({ places: _places, ...label }: Label, ...except: (keyof Label)[]): object {
  const lines = (list: Label['prices']['fees']) => list.map(({ at: _at, ...line }) => line);
  const { prices } = label;
  const facts = {
    ...label,
    prices: {
      ...prices,
      options: lines(prices.options),
      discounts: lines(prices.discounts),
      taxes: lines(prices.taxes),
      fees: lines(prices.fees),
    },
  };
  return Object.fromEntries(
    Object.entries(facts).filter(([field]) => !except.includes(field as keyof Label)),
  );
}
