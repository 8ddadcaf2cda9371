import { money } from '@monroney/label/lib/words';
import { badgeMarkup, cardMarkup } from '../embed-markup.ts';
import { copyRows, html, raw, type Html } from '../html.ts';
import type { List } from './list.ts';
import { remainingMs, remainingWords } from './pace.ts';
import { STICKERS, type Missing } from './reasons.ts';
import { differenceOf, isMistyped, type Found, type Results } from './results.ts';

/** What the page shows of a list. Runs in the browser. */

/** A car of the list, with the dealer's price in cents. */
export type Car = readonly [vin: string, asking: number | null];

/** Whether nothing more will be asked about a car. */
export const isDone = (vin: string, found: Found | undefined): boolean =>
  found !== undefined && (found.cells !== null || (isMistyped(vin) && !found.decoded.isStored));

/** `34 of 60 cars, 20 with a sticker · about a minute left` */
export function progressWords(cars: readonly Car[], results: Results, isPaused: boolean): string {
  const open = cars.filter(([vin]) => !isDone(vin, results.get(vin)));
  const withSticker = cars.filter(([vin]) => STICKERS.has(results.get(vin)?.cells?.sticker)).length;
  const done = `${cars.length - open.length} of ${cars.length} ${cars.length === 1 ? 'car' : 'cars'}, ${withSticker} with a sticker`;
  if (open.length === 0) return `Done: ${done}.`;
  const newCars = open.filter(([vin]) => !results.get(vin)?.decoded.isStored).length;
  return `${done} · ${isPaused ? 'paused' : remainingWords(remainingMs(open.length, newCars))}`;
}

/** Which column has the dealer's prices, because not every name says so. */
export function priceChoice({ columns, vinColumn, priceColumn }: List): Html | string {
  if (columns.length < 2) return '';
  const option = (name: string, value: number | null) =>
    html`<option value="${value ?? ''}" ${raw(value === priceColumn ? ' selected' : '')}>${name}</option>`;
  return html`<label for="lot-price">Your price</label>
    <select id="lot-price">
      ${option('Not in the list', null)}
      ${columns.map((name, index) => (index === vinColumn ? '' : option(name, index)))}
    </select>`;
}

/** Which sheet of a workbook to read. */
export const sheetChoice = (question: string, sheets: readonly string[]): Html =>
  html`<p>${question}</p>
    <div class="actions">${sheets.map((sheet) => html`<button type="button">${sheet}</button>`)}</div>`;

export function carsTable(cars: readonly Car[], results: Results, hasPrices: boolean): Html {
  const head = hasPrices
    ? html`<th class="number">Your price</th>
        <th class="number">Difference</th>`
    : '';
  return html`<h2>Cars</h2>
    <table class="plain-table">
      <thead>
        <tr>
          <th>Car</th>
          <th class="number">When new</th>
          ${head}
          <th>Sticker</th>
        </tr>
      </thead>
      <tbody>
        ${cars.map((car) => carRow(car, results.get(car[0]), hasPrices))}
      </tbody>
    </table>`;
}

export function carRow([vin, asking]: Car, found: Found | undefined, hasPrices: boolean): Html {
  const cells = found?.cells ?? null;
  const currency = cells?.currency === 'CAD' ? ' CAD' : '';
  const total = typeof cells?.total === 'number' ? `${money(cells.total)}${currency}` : '';
  const difference = differenceOf(asking, cells);
  const prices = html`<td class="number" data-label="Your price">${asking === null ? '' : money(asking)}</td>
    <td class="number" data-label="Difference">${difference === null ? '' : signed(difference)}</td>`;
  return html`<tr data-vin="${vin}">
    <th scope="row">
      ${cells?.name ?? found?.decoded.name ?? 'Decoding'}<br /><a class="mono" href="/window-sticker/${vin}"
        >${vin}</a
      >
    </th>
    <td class="number" data-label="When new">${total}</td>
    ${hasPrices ? prices : ''}
    <td data-label="Sticker">
      ${stateWords(vin, found)}
      ${isDone(vin, found) ? html`<button type="button" class="plain small" data-show-snippets aria-expanded="false">Card and badge<span class="visually-hidden"> of ${vin}</span></button>` : ''}
    </td>
  </tr>`;
}

/** `+$1,200`, `−$1,200` */
function signed(cents: number): string {
  return cents === 0 ? '$0' : `${cents > 0 ? '+' : '−'}${money(Math.abs(cents))}`;
}

const STATES: Readonly<Record<string, string>> = {
  available: '✓ Sticker',
  sample: '✓ Sample',
  none: '○ None',
  unsupported: '○ Not published',
  unknown: '◆ Unknown',
};

function stateWords(vin: string, found: Found | undefined): string {
  if (!found) return '';
  const { cells, decoded } = found;
  if (cells) return STATES[String(cells.sticker)] ?? '';
  return isMistyped(vin) && !decoded.isStored ? '◆ Check the VIN' : 'Waiting';
}

/** Why cars have no sticker, and what to do. */
export function missingMarkup(groups: readonly Missing[]): Html {
  return html`<h2>What’s missing, and what to do</h2>
    ${groups.map(
      ({ title, advice, cars, canRetry }) =>
        html`<div class="box lot-group">
          <h3>${title} (${cars.length})</h3>
          <p>${advice} ${canRetry ? html`<a href="/status">Status page</a>.` : ''}</p>
          ${canRetry ? html`<p><button type="button" class="button" data-again>Ask again</button></p>` : ''}
          <details>
            <summary>${cars.length === 1 ? 'Show it' : `Show all ${cars.length}`}</summary>
            <ul>
              ${cars.map(({ name, note }) => html`<li>${name}${note ? html`: <span class="soft">${note}</span>` : ''}</li>`)}
            </ul>
          </details>
        </div>`,
    )}`;
}

export function titleOf(vin: string, found: Found | undefined): string {
  const name = found?.cells?.name ?? found?.decoded.name;
  return name ? `Window sticker of the ${name}` : `Window sticker of ${vin}`;
}

/** The row below a car, with what to copy. */
export function snippetRow(baseUrl: string, vin: string, found: Found | undefined, columns: number): Html {
  const shown = { baseUrl, vin, title: titleOf(vin, found) };
  const rows = [
    ['Card', cardMarkup(shown)],
    ['Badge', badgeMarkup(shown)],
  ] as const;
  return html`<tr class="lot-snippets">
    <td colspan="${columns}">
      <dl class="use box">${copyRows(rows, true)}</dl>
    </td>
  </tr>`;
}

/** A file with the card and the badge of every car. */
export function snippetsFile(baseUrl: string, cars: readonly Car[], results: Results): string {
  const parts = cars.map(([vin]) => {
    const shown = { baseUrl, vin, title: titleOf(vin, results.get(vin)) };
    return `<!-- ${vin} -->\n${cardMarkup(shown)}\n${badgeMarkup(shown)}\n`;
  });
  return `<!doctype html>\n<meta charset="utf-8">\n<title>Window stickers</title>\n${parts.join('\n')}`;
}
