import type { Label, LabelText, OptionLine, PriceLine, Proof } from '@monroney/label/reading/types';
import { DOUBTS } from '@monroney/label/reading/money';
import { money } from '@monroney/label/lib/words';
import { textsOf, optionName } from '@monroney/label/lib/option-names';
import { html, type Html } from './html.ts';
import { lineIds, type Highlight, type Highlights, type LINE_KINDS } from './highlights.ts';

type PriceKind = (typeof LINE_KINDS)[number];

/** The table of a label with more lines has a link past them. */
const LONG_TABLE = 12;
/** `1,495.00`, as opposed to the whole dollars in the box of the fuel economy. */
const AMOUNT = /\d,\d{3}\.\d\d(?!\d)/;
/** A package with more contents shows these, and the rest on request. */
const FIRST_CONTENTS = 5;

/** What a sticker without prices lists. */
export function optionTable(label: Label, text: LabelText | null, highlights: Highlights): Html {
  const hasAmounts = text?.pages.some(({ items }) => items.some((item) => AMOUNT.test(item.text)));
  return html`<p>
      ${hasAmounts ? 'We couldn’t find the prices on this sticker.' : 'This sticker has no prices.'}
    </p>
    ${
      label.prices.options.length
        ? html`<p class="above-table small">${namesSwitch(label)}</p>
            <table class="prices">
              <caption class="visually-hidden">
                Options on the sticker
              </caption>
              ${group('Options', 'options', label, highlights)}
            </table>`
        : ''
    }`;
}

/** The table of prices on a sticker, from base price to total, what a seller asks, and whether the prices add up. */
export function priceTable(
  label: Label,
  proof: Proof | null,
  highlights: Highlights,
  asking: Html | string = '',
): Html {
  const { prices } = label;
  return html`${aboveTable(label, highlights)}
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
    <p class="total" id="total">
      <span
        >${linkedLine('Total price', highlights.get('prices.total'))}${prices.currency === 'CAD' ? html` <span class="small soft">Canadian dollars</span>` : ''}</span
      >
      <span>${prices.total === null ? 'not found' : money(prices.total)}</span>
    </p>
    ${asking} ${proofLine(label, proof)}`;
}

function group(title: string, kind: PriceKind, label: Label, highlights: Highlights): Html | string {
  const list = label.prices[kind];
  if (list.length === 0) return '';
  return html`<tbody id="part-${kind}" data-part="${kind}">
    ${heading(title, hasPrices(label) ? sumOf(list) : undefined)} ${lines(list, kind, label, highlights)}
  </tbody>`;
}

function heading(title: string, cents: number | null | undefined, highlight?: Highlight): Html {
  return html`<tr class="heavy">
    <th scope="row">${linkedLine(title, highlight)}</th>
    <td>
      ${cents === null ? html`<span class="words">not found</span>` : cents === undefined ? '' : money(cents)}
    </td>
  </tr>`;
}

/** Labels of heavy trucks have none. */
export function hasPrices({ prices }: Label): boolean {
  const { base, destination, total, options, discounts, taxes, fees } = prices;
  const lines = [...options, ...discounts, ...taxes, ...fees];
  return [base, destination, total, ...lines.map(({ price }) => price)].some((price) => price !== null);
}

function lines(
  list: readonly (PriceLine | OptionLine)[],
  kind: PriceKind,
  label: Label,
  highlights: Highlights,
): Html[] {
  const ids = lineIds(label);
  const priced = hasPrices(label);
  return list.map((line, index) => {
    const path = `prices.${kind}.${index}`;
    const highlight = highlights.get(path);
    return html`<tr ${highlight ? '' : html`id="${ids.get(path)}"`}>
      <th scope="row" lang="${label.language}">
        ${linkedLine(nameOf(line.name, label), highlight)}${'children' in line ? contents(line.children, label) : ''}
      </th>
      <td>${priced ? priceWords(line.price) : ''}</td>
    </tr>`;
  });
}

/** What a package consists of. */
function contents(children: readonly string[], label: Label): Html | string {
  const items = children.map((child) => html`<li>${nameOf(child, label)}</li>`);
  if (items.length === 0) return '';
  // Nobody wants to unfold one line.
  const shown = items.length <= FIRST_CONTENTS + 1 ? items.length : FIRST_CONTENTS;
  const more = items.slice(shown);
  return html`<ul class="children small soft">
      ${items.slice(0, shown)}
    </ul>
    ${
      more.length
        ? html`<details class="children small soft">
            <summary lang="en">${more.length} more</summary>
            <ul>
              ${more}
            </ul>
          </details>`
        : ''
    }`;
}

function priceWords(cents: number | null): Html | string {
  if (cents === null) return html`<span class="words">included</span>`;
  return cents === 0 ? html`<span class="words">no charge</span>` : money(cents);
}

/** A readable name, and the printed one, which a checkbox above the table switches to. */
export function nameOf(printed: string, label: Label): Html | string {
  const name = optionName(printed, label);
  if (name === printed) return name;
  return html`<span class="name-plain">${name}</span><span class="name-printed">${printed}</span>`;
}

/** Fingers tap, and mice point. */
export const POINT_OR_TAP = html`<span class="point">Point at</span><span class="tap">Tap</span> a line to see
  it on the sticker.`;

/** How to use the table: the checkbox for printed names and, in long tables, a link to the total. */
function aboveTable(label: Label, highlights: Highlights): Html {
  const { prices } = label;
  const isLong =
    prices.options.length + prices.discounts.length + prices.taxes.length + prices.fees.length > LONG_TABLE;
  return html`<p class="above-table small">
    ${highlights.has('prices.total') ? html`<span class="soft above-hint">${POINT_OR_TAP}</span>` : ''}
    ${namesSwitch(label)} ${isLong ? html`<a href="#total">Skip to total</a>` : ''}
  </p>`;
}

/** Left out if every name is written as it is printed. */
function namesSwitch(label: Label): Html | string {
  if (textsOf(label).every((printed) => optionName(printed, label) === printed)) return '';
  return html`<label><input type="checkbox" autocomplete="off" /> Names as printed on the sticker</label>`;
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
    return html`<p class="proof small">
      <strong class="right">✓ The prices add up:</strong> <span class="mono">${sumWords(label)}</span>
    </p>`;
  }
  if (proof?.difference) {
    return html`<p class="proof small">
      <strong class="doubt">▲ The prices don’t add up:</strong> <span class="mono">${sumWords(label)}</span>,
      but the sticker says ${money(proof.total ?? 0)}. We missed or misread a line: trust the sticker, not
      this table.
    </p>`;
  }
  return html`<p class="proof small">
    <strong class="doubt">▲ We can’t confirm these prices:</strong> ${DOUBTS[proof?.reason ?? 'no-total']}.
    Trust the sticker, not this table.
  </p>`;
}
