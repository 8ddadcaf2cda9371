import { money } from '@monroney/label/lib/words';
import { optionName } from '@monroney/label/lib/option-names';
import type { Label, Proof } from '@monroney/label/reading/types';
import type { Highlights, LINE_KINDS } from './highlights.ts';
import { html, type Html } from './html.ts';

type PriceKind = (typeof LINE_KINDS)[number];

/** In units of the bar's drawing, which is stretched to the width of the page. */
const BAR_WIDTH = 1000;
const BAR_HEIGHT = 40;
const BAR_GAP = 1.5;
/** The total and what was taken off are drawn below what was added. */
const TOTAL_TOP = BAR_HEIGHT + 5;
const TOTAL_HEIGHT = 9;

interface Slice {
  part: 'base' | 'destination' | PriceKind;
  name: string;
  cents: number;
  /** Field path of its line: `prices.options.2`. */
  path: string;
}

const PART_NAMES: Record<Slice['part'], string> = {
  base: 'Base price',
  options: 'Options',
  taxes: 'Taxes',
  fees: 'Fees',
  destination: 'Destination',
  discounts: 'Savings',
};

/** The price as a bar with a key. Empty unless the prices add up. */
export function priceBar(label: Label, proof: Proof | null, highlights: Highlights): Html | string {
  const drawing = barDrawing(label, proof, grossOf(label), highlights);
  if (!drawing) return '';
  const slices = slicesOf(label);
  return html`<figure class="price-bar" data-price-bar>
    ${drawing}
    <ul class="bar-key">
      ${keyOf(
        slices.filter(({ cents }) => cents > 0),
        highlights,
      )}
      ${keyOf(
        slices.filter(({ cents }) => cents < 0),
        highlights,
      )}
      <li data-asking-key hidden>
        <svg viewBox="0 0 12 12" aria-hidden="true"><path class="bar-asking" d="M6 0v12" /></svg>Asking price
        <span class="mono"></span>
      </li>
      <li class="bar-sum">
        <a href="#total" ${lineOf('prices.total', highlights)}
          >Total <strong class="mono">${money(label.prices.total!)}</strong></a
        >
      </li>
    </ul>
    <figcaption class="visually-hidden">
      What the total price of ${money(label.prices.total!)} consists of. Each part links to its lines in the
      table.
    </figcaption>
  </figure>`;
}

/** What was added to the price, in cents, before anything was taken off. */
export function grossOf(label: Label): number {
  return slicesOf(label).reduce((sum, { cents }) => sum + Math.max(0, cents), 0);
}

/** What was added, and below it the total beside what was taken off. `full` cents take the whole width. */
export function barDrawing(
  label: Label,
  proof: Proof | null,
  full: number,
  highlights: Highlights = new Map(),
): Html | null {
  const { prices } = label;
  const slices = slicesOf(label);
  const added = slices.filter(({ cents }) => cents > 0);
  const taken = slices.filter(({ cents }) => cents < 0);
  if (!proof?.closes || !prices.base || !prices.total || grossOf(label) <= 0) return null;
  const scale = (cents: number) => (Math.abs(cents) / full) * BAR_WIDTH;
  const drawn = (list: readonly Slice[], from: number) => {
    let x = from;
    return list.map((slice) => {
      const rect = sliceRect(slice, x, scale(slice.cents), highlights);
      x += scale(slice.cents);
      return rect;
    });
  };
  const net = scale(prices.total);
  return html`<svg
    class="bar-drawing"
    viewBox="0 0 ${BAR_WIDTH} ${TOTAL_TOP + TOTAL_HEIGHT}"
    preserveAspectRatio="none"
    aria-hidden="true"
    data-cents="${full}"
  >
    ${drawn(added, 0)}${drawn(taken, net)}
    <rect
      class="bar-total"
      x="0"
      y="${TOTAL_TOP}"
      width="${round(Math.max(0, net - BAR_GAP))}"
      height="${taken.length ? TOTAL_HEIGHT : 4}"
    />
  </svg>`;
}

function slicesOf(label: Label): Slice[] {
  const { prices } = label;
  const lines = (part: PriceKind): Slice[] =>
    prices[part].map(({ name, price }, index) => ({
      part,
      name: optionName(name, label),
      cents: price ?? 0,
      path: `prices.${part}.${index}`,
    }));
  const charge = (part: 'base' | 'destination'): Slice => ({
    part,
    name: PART_NAMES[part],
    cents: prices[part] ?? 0,
    path: `prices.${part}`,
  });
  return [
    charge('base'),
    ...lines('options'),
    ...lines('taxes'),
    ...lines('fees'),
    charge('destination'),
    ...lines('discounts'),
  ];
}

function sliceRect(
  { part, name, cents, path }: Slice,
  x: number,
  width: number,
  highlights: Highlights,
): Html {
  return html`<rect
    class="slice slice-${part}${cents < 0 ? ' taken' : ''}"
    data-part="${part}"
    ${lineOf(path, highlights)}
    x="${round(x)}"
    y="${cents < 0 ? TOTAL_TOP : 0}"
    width="${round(Math.max(width - BAR_GAP, Math.min(width, 0.8)))}"
    height="${cents < 0 ? TOTAL_HEIGHT : BAR_HEIGHT}"
    ><title>${name}, ${money(cents)}</title></rect
  >`;
}

/** The line that the small sticker shows. */
function lineOf(path: string, highlights: Highlights): Html | string {
  const highlight = highlights.get(path);
  return highlight ? html`data-line="#${highlight.id}"` : '';
}

/** The parts of the price as text, linked to their lines, so that the keyboard and thumbs can reach them. */
function keyOf(slices: readonly Slice[], highlights: Highlights): Html[] {
  const sums = new Map<Slice['part'], { path: string; cents: number }>();
  for (const { part, path, cents } of slices)
    // Only a part of one line has a place on the sticker.
    sums.set(part, { path: sums.has(part) ? '' : path, cents: (sums.get(part)?.cents ?? 0) + cents });
  return [...sums].map(
    ([part, { path, cents }]) =>
      html`<li>
        <a href="#part-${part}" data-part="${part}" ${lineOf(path, highlights)}
          >${keySquare(part, cents < 0)}${cents < 0 && part !== 'discounts' ? 'Credits' : PART_NAMES[part]}
          <span class="mono">${money(cents)}</span></a
        >
      </li>`,
  );
}

/** What the colors of bars mean. */
export function barKey(labels: readonly Label[]): Html[] {
  const parts = new Set(labels.flatMap(slicesOf).flatMap(({ part, cents }) => (cents ? [part] : [])));
  return [...parts].map((part) => html`<li>${keySquare(part, part === 'discounts')}${PART_NAMES[part]}</li>`);
}

const keySquare = (part: Slice['part'], taken: boolean): Html =>
  html`<svg viewBox="0 0 12 12" aria-hidden="true">
    <rect class="slice-${part}${taken ? ' taken' : ''}" width="12" height="12" />
  </svg>`;

function round(units: number): number {
  return Math.round(units * 100) / 100;
}
