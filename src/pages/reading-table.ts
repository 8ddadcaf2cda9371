import { html } from 'hono/html';
import type { Label, OptionLine, PriceLine, Proof } from '../reading/types.ts';
import type { Html } from './layout.ts';
import type { Highlight, Highlights } from './highlights.ts';
import { money } from '../lib/words.ts';
import { optionName } from '../lib/names.ts';

type PriceKind = 'options' | 'discounts' | 'taxes' | 'fees';

/** The table of prices on a sticker, from base price to total, and whether they add up. */
export function readingTable(label: Label, proof: Proof | null, highlights: Highlights): Html {
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
      <span>${prices.total === null ? 'not read' : money(prices.total)}</span>
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
    <td>${cents === null ? html`<span class="soft">not printed</span>` : money(cents)}</td>
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

export function sumOf(list: readonly PriceLine[]): number {
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
    <strong class="doubt">▲ We can’t check the sum:</strong> we couldn’t read every price. Trust the sticker,
    not this table.
  </p>`;
}
