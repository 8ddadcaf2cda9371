import type { Vehicle } from '@monroney/vin';
import { total } from '@monroney/label/reading/money';
import type { Label } from '@monroney/label/reading/types';
import { optionName, paintName, placeName } from '@monroney/label/lib/option-names';
import { money } from '@monroney/label/lib/words';
import { facts } from './everyday-words.ts';
import { html, terms, type Html } from './html.ts';

/** `$50,410 when new · $5,590 in options · Harbor Blue Metallic · built in Chicago`. Prices only if they add up. */
export function answer(label: Label, closes: boolean): Html | string {
  const { prices, exterior, assembly } = label;
  const options = total(prices.options);
  const parts = [
    closes &&
      prices.total &&
      html`<strong>${money(prices.total)}</strong>${prices.currency === 'CAD' ? ' Canadian' : ''} when new`,
    closes && options > 0 && `${money(options)} in options`,
    exterior && paintName(exterior.color, label),
    assembly && `built in ${placeName(assembly).replace(/,? (?:U\.?S\.?A\.?|USA)$/i, '')}`,
  ].filter(Boolean);
  if (parts.length === 0) return '';
  return html`<p class="answer">
    ${parts.map((part, index) => html`<span>${part}${index < parts.length - 1 ? ' ·' : ''}</span> `)}
  </p>`;
}

/** What the VIN says, in a line. */
export function factLine(vehicle: Vehicle, label: Label | null): Html {
  const rows = facts(vehicle, label?.transmission ? optionName(label.transmission, label) : null)
    // The sticker's own words are above.
    .filter(([name]) => name !== 'Plant' || !label?.assembly);
  if (rows.length === 0) return html``;
  return html`<dl class="facts">${terms(rows)}</dl>`;
}
