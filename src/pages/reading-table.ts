import { html } from 'hono/html';
import type { Label, OptionLine, PriceLine, Proof } from '../reading/types.ts';
import type { Html } from './frame.ts';
import type { Place } from './places.ts';
import { money } from '../lib/money.ts';

type PriceKind = 'options' | 'discounts' | 'taxes' | 'fees';

export type Places = ReadonlyMap<string, Place>;

/** Base price, options, what is added and taken off, destination, total, and the proof that it adds up. */
export function readingTable(label: Label, proof: Proof | null, places: Places): Html {
  const { prices } = label;
  return html`<table class="prices">
      <caption class="visually-hidden">
        Prices as printed on the label${prices.currency === 'CAD' ? ', in Canadian dollars' : ''}
      </caption>
      <thead class="visually-hidden">
        <tr>
          <th scope="col">As printed</th>
          <th scope="col">Price</th>
        </tr>
      </thead>
      <tbody>
        ${heavy('Base price', prices.base, places.get('prices.base'))}
        ${group('Options', 'options', label, places)} ${group('Savings', 'discounts', label, places)}
        ${group('Taxes', 'taxes', label, places)} ${group('Fees', 'fees', label, places)}
        ${prices.destination === null ? '' : heavy('Destination', prices.destination, places.get('prices.destination'))}
      </tbody>
    </table>
    <p class="total">
      <span
        >${pointed('Total price', places.get('prices.total'))}${prices.currency === 'CAD' ? html` <span class="small soft">Canadian dollars</span>` : ''}</span
      >
      <span>${prices.total === null ? 'not read' : money(prices.total)}</span>
    </p>
    ${proofLine(label, proof)}`;
}

function group(title: string, kind: PriceKind, label: Label, places: Places): Html | string {
  const list = label.prices[kind];
  if (list.length === 0) return '';
  return html`${heavy(title, sumOf(list), undefined)} ${lines(list, kind, label, places)}`;
}

function heavy(title: string, cents: number | null, place: Place | undefined): Html {
  return html`<tr class="heavy">
    <th scope="row">${pointed(title, place)}</th>
    <td>${cents === null ? html`<span class="soft">not printed</span>` : money(cents)}</td>
  </tr>`;
}

function lines(
  list: readonly (PriceLine | OptionLine)[],
  kind: PriceKind,
  label: Label,
  places: Places,
): Html[] {
  return list.map((line, at) => {
    const children = 'children' in line ? line.children : [];
    return html`<tr>
      <th scope="row" lang="${label.language}">
        ${pointed(line.name, places.get(`prices.${kind}.${at}`))}${children.length ? html`<span class="children">${children.join(', ')}</span>` : ''}
      </th>
      <td>${priceWords(line.price)}</td>
    </tr>`;
  });
}

function priceWords(cents: number | null): Html | string {
  if (cents === null) return html`<span class="words">included</span>`;
  return cents === 0 ? html`<span class="words">no charge</span>` : money(cents);
}

/** A line's name; where its place is known, a way there that needs no script. */
export function pointed(name: string, place: Place | undefined): Html | string {
  return place ? html`<a class="line" href="#${place.id}">${name}</a>` : name;
}

function sumOf(list: readonly PriceLine[]): number {
  return list.reduce((sum, line) => sum + (line.price ?? 0), 0);
}

/** `$52,980 + $9,150 + $2,595 = $64,725`. */
export function sumWords({ prices }: Label): string {
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
      <strong class="right">✓ The sum closes:</strong> <span class="mono">${sumWords(label)}</span>
    </p>`;
  }
  if (proof?.difference) {
    return html`<p class="proof">
      <strong class="doubt">▲ The sum does not close:</strong> <span class="mono">${sumWords(label)}</span>,
      and the label prints ${money(proof.total ?? 0)}. A line was not read, or was read wrongly: trust the
      label, not this table.
    </p>`;
  }
  return html`<p class="proof">
    <strong class="doubt">▲ The sum cannot be checked:</strong> not every price could be read. Trust the
    label, not this table.
  </p>`;
}
