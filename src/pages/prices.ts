import type { Label, OptionLine, PriceLine, Proof } from '../reading/types.ts';
import { DOUBTS } from '../reading/proof.ts';
import { money } from '../lib/words.ts';
import { optionName } from '../lib/option-names.ts';
import { html, type Html } from './html.ts';
import type { Highlight, Highlights } from './sticker-figure.ts';

type PriceKind = 'options' | 'discounts' | 'taxes' | 'fees';

/** The table of prices on a sticker, from base price to total, and whether they add up. */
export function priceTable(label: Label, proof: Proof | null, highlights: Highlights): Html {
  const { prices } = label;
  return html`${asPrinted(label)}
    <table class="prices">
      <caption class="visually-hidden">
        Prices on the sticker${prices.currency === 'CAD' ? ', in Canadian dollars' : ''}
      </caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody id="part-base" data-part="base">
        ${heading('Base price', prices.base, highlights.get('prices.base'))}
      </tbody>
      ${group('Options', 'options', label, highlights)} ${group('Savings', 'discounts', label, highlights)}
      ${group('Taxes', 'taxes', label, highlights)} ${group('Fees', 'fees', label, highlights)}
      ${
        prices.destination === null
          ? ''
          : html`<tbody id="part-destination" data-part="destination">
              ${heading('Destination', prices.destination, highlights.get('prices.destination'))}
            </tbody>`
      }
    </table>
    <p class="total">
      <span
        >${linkedLine('Total price', highlights.get('prices.total'))}${prices.currency === 'CAD' ? html` <span class="small soft">Canadian dollars</span>` : ''}</span
      >
      <span>${prices.total === null ? 'not found' : money(prices.total)}</span>
    </p>
    ${proofLine(label, proof)}`;
}

function group(title: string, kind: PriceKind, label: Label, highlights: Highlights): Html | string {
  const list = label.prices[kind];
  if (list.length === 0) return '';
  return html`<tbody id="part-${kind}" data-part="${kind}">
    ${heading(title, sumOf(list), undefined)} ${lines(list, kind, label, highlights)}
  </tbody>`;
}

function heading(title: string, cents: number | null, highlight: Highlight | undefined): Html {
  return html`<tr class="heavy">
    <th scope="row">${linkedLine(title, highlight)}</th>
    <td>${cents === null ? html`<span class="soft">not found</span>` : money(cents)}</td>
  </tr>`;
}

function lines(
  list: readonly (PriceLine | OptionLine)[],
  kind: PriceKind,
  label: Label,
  highlights: Highlights,
): Html[] {
  return list.map((line, index) => {
    const children = 'children' in line ? line.children : [];
    return html`<tr>
      <th scope="row" lang="${label.language}">
        ${linkedLine(nameOf(line.name), highlights.get(`prices.${kind}.${index}`))}${children.length ? html`<span class="children">${nameOf(children.join(', '), children.map(optionName).join(', '))}</span>` : ''}
      </th>
      <td>${priceWords(line.price)}</td>
    </tr>`;
  });
}

function priceWords(cents: number | null): Html | string {
  if (cents === null) return html`<span class="words">included</span>`;
  return cents === 0 ? html`<span class="words">no charge</span>` : money(cents);
}

/** A readable name, and the printed one, which a checkbox above the table switches to. */
export function nameOf(printed: string, name = optionName(printed)): Html | string {
  if (name === printed) return name;
  return html`<span class="name-plain">${name}</span><span class="name-printed">${printed}</span>`;
}

/** The checkbox for printed names, left out if no name differs. */
function asPrinted({ prices }: Label): Html | string {
  const all = [...prices.options, ...prices.discounts, ...prices.taxes, ...prices.fees];
  if (all.every(({ name }) => optionName(name) === name)) return '';
  return html`<p class="as-printed small">
    <label><input type="checkbox" autocomplete="off" /> Names as printed on the sticker</label>
  </p>`;
}

/** A line's name, linked to its highlight on the sticker if there is one. Works without a script. */
export function linkedLine(name: Html | string, highlight: Highlight | undefined): Html | string {
  return highlight ? html`<a class="line" href="#${highlight.id}">${name}</a>` : name;
}

function sumOf(list: readonly PriceLine[]): number {
  return list.reduce((sum, line) => sum + (line.price ?? 0), 0);
}

/** `$52,980 + $9,150 + $2,595 = $64,725`. */
function sumWords({ prices }: Label): string {
  const terms = [
    prices.base,
    prices.options.length ? sumOf(prices.options) : null,
    prices.taxes.length ? sumOf(prices.taxes) : null,
    prices.fees.length ? sumOf(prices.fees) : null,
    prices.destination,
    prices.discounts.length ? sumOf(prices.discounts) : null,
  ].filter((cents): cents is number => cents !== null && cents !== 0);
  const [first = 0, ...rest] = terms;
  const sum = terms.reduce((total, cents) => total + cents, 0);
  return `${money(first)}${rest.map((cents) => ` ${cents < 0 ? '−' : '+'} ${money(Math.abs(cents))}`).join('')} = ${money(sum)}`;
}

function proofLine(label: Label, proof: Proof | null): Html {
  if (proof?.closes) {
    return html`<p class="proof">
      <strong class="right">✓ The prices add up:</strong> <span class="mono">${sumWords(label)}</span>
    </p>`;
  }
  if (proof?.difference) {
    return html`<p class="proof">
      <strong class="doubt">▲ The prices don’t add up:</strong> <span class="mono">${sumWords(label)}</span>,
      but the sticker says ${money(proof.total ?? 0)}. We missed or misread a line: trust the sticker, not
      this table.
    </p>`;
  }
  return html`<p class="proof">
    <strong class="doubt">▲ We can’t confirm these prices:</strong> ${DOUBTS[proof?.reason ?? 'no-total']}.
    Trust the sticker, not this table.
  </p>`;
}

/** In units of the bar's drawing, which is stretched to the width of the page. */
const BAR_WIDTH = 1000;
const BAR_HEIGHT = 40;
const BAR_GAP = 1.5;

type PartName = 'base' | 'options' | 'taxes' | 'fees' | 'destination' | 'discounts';

interface Slice {
  part: PartName;
  name: string;
  cents: number;
  /** Field path of its line: `prices.options.2`. */
  path: string;
}

const PART_NAMES: Record<PartName, string> = {
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
  const scale = (cents: number) => (Math.abs(cents) / gross) * BAR_WIDTH;
  let x = 0;
  const addedRects = added.map((slice) => {
    const width = scale(slice.cents);
    const rect = sliceRect(slice, x, width, highlights);
    x += width;
    return rect;
  });
  const net = scale(prices.total);
  let discountX = net;
  const subtractedRects = subtracted.map((slice) => {
    const rect = sliceRect(slice, discountX, scale(slice.cents), highlights);
    discountX += scale(slice.cents);
    return rect;
  });
  return html`<figure class="price-bar" data-price-bar>
    <svg viewBox="0 0 ${BAR_WIDTH} ${BAR_HEIGHT + 14}" preserveAspectRatio="none" aria-hidden="true">
      ${addedRects}${subtractedRects}
      <rect class="bar-total" x="0" y="${BAR_HEIGHT + 6}" width="${round(net)}" height="4" />
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
    { part: 'base' as const, name: PART_NAMES.base, cents: prices.base ?? 0, path: 'prices.base' },
    ...lines('options', prices.options),
    ...lines('taxes', prices.taxes),
    ...lines('fees', prices.fees),
    {
      part: 'destination' as const,
      name: PART_NAMES.destination,
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
    width="${round(Math.max(width - BAR_GAP, Math.min(width, 0.8)))}"
    height="${cents < 0 ? BAR_HEIGHT - 8 : BAR_HEIGHT}"
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
      >${PART_NAMES[part]} <span class="mono">${money(cents)}</span></a
    >
  </li>`;
}

function round(units: number): number {
  return Math.round(units * 100) / 100;
}
