import { html } from 'hono/html';
import { money } from '../lib/words.ts';
import { optionName } from '../lib/names.ts';
import type { Label, PriceLine, Proof } from '../reading/types.ts';
import type { Html } from './layout.ts';
import type { Highlights } from './highlights.ts';
import { sumOf } from './reading-table.ts';

/** In units of the drawing, which is stretched to the width of the page. */
const WIDTH = 1000;
const HEIGHT = 40;
const GAP = 1.5;

export type PartName = 'base' | 'options' | 'taxes' | 'fees' | 'destination' | 'discounts';

interface Slice {
  part: PartName;
  name: string;
  cents: number;
  /** Field path of its line: `prices.options.2`. */
  path: string;
}

const NAMES: Record<PartName, string> = {
  base: 'Base price',
  options: 'Options',
  taxes: 'Taxes',
  fees: 'Fees',
  destination: 'Destination',
  discounts: 'Savings',
};

/** The price as a bar: slices that add up, discounts, and the total below. Empty unless the prices add up. */
export function priceBar(label: Label, proof: Proof | null, highlights: Highlights): Html | string {
  const { prices } = label;
  const slices = slicesOf(label);
  const added = slices.filter(({ cents }) => cents > 0);
  const subtracted = slices.filter(({ cents }) => cents < 0);
  const gross = added.reduce((sum, { cents }) => sum + cents, 0);
  if (!proof?.closes || !prices.base || !prices.total || gross <= 0) return '';
  const scale = (cents: number) => (Math.abs(cents) / gross) * WIDTH;
  let x = 0;
  const addedRects = added.map((slice) => {
    const width = scale(slice.cents);
    const rect = sliceRect(slice, x, width, highlights);
    x += width;
    return rect;
  });
  const net = scale(prices.total);
  let discountX = net;
  const takenRects = subtracted.map((slice) => {
    const rect = sliceRect(slice, discountX, scale(slice.cents), highlights);
    discountX += scale(slice.cents);
    return rect;
  });
  return html`<figure class="price-bar" data-price-bar>
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT + 14}" preserveAspectRatio="none" aria-hidden="true">
      ${addedRects}${takenRects}
      <rect class="bar-total" x="0" y="${HEIGHT + 6}" width="${round(net)}" height="4" />
    </svg>
    <ul class="bar-key">
      ${(['base', 'options', 'taxes', 'fees', 'destination', 'discounts'] as const).map((part) => keyOf(part, label))}
    </ul>
    <figcaption class="visually-hidden">
      What the total price of ${money(prices.total)} consists of. Each part links to its lines in the table.
    </figcaption>
  </figure>`;
}

function slicesOf({ prices }: Label): Slice[] {
  const lines = (part: PartName, list: readonly PriceLine[]): Slice[] =>
    list.map(({ name, price }, index) => ({
      part,
      name: optionName(name),
      cents: price ?? 0,
      path: `prices.${part}.${index}`,
    }));
  return [
    { part: 'base' as const, name: NAMES.base, cents: prices.base ?? 0, path: 'prices.base' },
    ...lines('options', prices.options),
    ...lines('taxes', prices.taxes),
    ...lines('fees', prices.fees),
    {
      part: 'destination' as const,
      name: NAMES.destination,
      cents: prices.destination ?? 0,
      path: 'prices.destination',
    },
    ...lines('discounts', prices.discounts),
  ];
}

function sliceRect(
  { part, name, cents, path }: Slice,
  x: number,
  width: number,
  highlights: Highlights,
): Html {
  const highlight = highlights.get(path);
  return html`<rect
    class="slice slice-${part}${cents < 0 ? ' taken' : ''}"
    data-part="${part}"
    ${highlight ? html`data-line="#${highlight.id}"` : ''}
    x="${round(x)}"
    y="${cents < 0 ? 4 : 0}"
    width="${round(Math.max(width - GAP, Math.min(width, 0.8)))}"
    height="${cents < 0 ? HEIGHT - 8 : HEIGHT}"
    ><title>${name}, ${money(cents)}</title></rect
  >`;
}

/** One part of the price as text, linked to its lines, so that the keyboard can reach them. */
function keyOf(part: PartName, { prices }: Label): Html | string {
  const cents = part === 'base' || part === 'destination' ? prices[part] : sumOf(prices[part]);
  if (!cents) return '';
  return html`<li>
    <a href="#part-${part}" data-part="${part}"
      ><svg viewBox="0 0 12 12" aria-hidden="true">
        <rect class="slice-${part}${cents < 0 ? ' taken' : ''}" width="12" height="12" /></svg
      >${NAMES[part]} <span class="mono">${money(cents)}</span></a
    >
  </li>`;
}

function round(units: number): number {
  return Math.round(units * 100) / 100;
}
