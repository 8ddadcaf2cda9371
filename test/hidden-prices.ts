import { readerOf } from '@monroney/label/makers/index';
import { linesOf } from '@monroney/label/reading/lines';
import type { Sheet } from '@monroney/label/reading/reader';
import type { Label, LabelText, Proof } from '@monroney/label/reading/types';
import { unreadPrices } from '@monroney/label/reading/money';
import { pagesOfVehicle } from '@monroney/label/reading/vehicles';

const LISTS = ['options', 'taxes', 'fees', 'discounts'] as const;

interface HiddenPrice {
  name: string;
  /** What the page says about the reading without this line; null if it still looks right. */
  reason: Proof['reason'];
}

/**
 * Leaves each priced line of a label out of its reading in turn, as if the reader had missed it. The base price makes up for
 * it, so that the sum still closes: only the page tells that the reading is wrong.
 */
export function hideEachPrice(text: LabelText, { make, vin }: { make: string; vin: string }): HiddenPrice[] {
  const part = pagesOfVehicle(text, vin)!.text;
  const lines = linesOf(part);
  const words = lines.map((line) => line.text).join('\n');
  const sheet: Sheet = { text: part, lines, words, positioned: part.positioned, vin };
  const read = readerOf(make)?.read(sheet, { make, vin });
  if (!read) throw new Error(`Not read: ${vin}`);
  return LISTS.flatMap((list) =>
    read.label.prices[list].flatMap(({ name, price }, index) =>
      price ? [{ name, reason: unreadPrices(without(read.label, list, index), lines, read.options) }] : [],
    ),
  );
}

function without(label: Label, list: (typeof LISTS)[number], index: number): Label {
  const copy = structuredClone(label);
  const [hidden] = copy.prices[list].splice(index, 1);
  copy.prices.base! += hidden!.price!;
  return copy;
}
