import { capitalize, money } from '@monroney/label/lib/words';
import { failsCheckDigit } from '../lookup/finding.ts';
import { contradiction, ownerName } from '../lookup/messages.ts';
import { askingPrice } from './asking-price.ts';
import type { Compared } from './compare-tables.ts';
import { carTitle } from './everyday-words.ts';
import { html, unbroken, type Html } from './html.ts';
import { withoutLabelWords } from './no-label.ts';
import { barDrawing, barKey, grossOf } from './price-bar.ts';
import { linkVins } from './vin-cells.ts';

/** What the price bars of these cars show: labels whose prices add up. */
const barredLabels = (cars: readonly Compared[]) =>
  cars.flatMap(({ reading }) => (reading?.label && reading.proof?.closes ? [reading.label] : []));

/** The cents that take the whole width of each car's price bar; 0 if there are no bars. */
export function sharedScale(cars: readonly Compared[], oneCurrency: boolean): number {
  return oneCurrency ? Math.max(0, ...barredLabels(cars).map(grossOf)) : 0;
}

/** One row per car: its sticker, name and price, a bar on a scale that all share, and what its seller asks. */
export function carRows(cars: readonly Compared[], oneCurrency: boolean): Html {
  const full = sharedScale(cars, oneCurrency);
  // The script that compares asking prices starts on the finished page.
  const isFinished = cars.every(({ result }) => result.finding.state !== 'asking');
  return html`<ul class="car-rows">
      ${cars.map((car) => carRow(car, full, isFinished))}
    </ul>
    ${
      full > 0
        ? html`<ul class="bar-key small" aria-hidden="true">
            ${barKey(barredLabels(cars))}
          </ul>`
        : ''
    }`;
}

function carRow({ result, reading }: Compared, full: number, isFinished: boolean): Html {
  const { vin, decoded, finding } = result;
  const { label, proof } = reading ?? {};
  const disagreement = contradiction(result);
  const total = label?.prices.total ?? null;
  const isCanadian = label?.prices.currency === 'CAD';
  // As on the car's own page, a wrong check digit comes first.
  const mistyped = finding.state !== 'held' && failsCheckDigit(decoded);
  return html`<li data-car>
    <a class="sheet-link" href="/window-sticker/${vin}"
      >${sheet({ result, reading: reading ?? null }, mistyped)}</a
    >
    <div class="car-row-name">
      <h2><a href="/window-sticker/${vin}">${unbroken(carTitle(result))}</a></h2>
      <p class="mono soft">${vin}</p>
    </div>
    ${total === null ? '' : html`<p class="car-row-price"><strong>${money(total)}</strong> ${isCanadian ? 'Canadian ' : ''}when new</p>`}
    ${full > 0 && label ? barDrawing(label, proof ?? null, full) : ''}
    ${isFinished && total && proof?.closes ? askingPrice(vin, total, label!.prices.currency) : ''}
    ${disagreement ? html`<p class="small">${disagreement}</p>` : ''}
    ${mistyped && decoded.warning ? html`<p class="small">${linkVins(decoded.warning)}</p>` : ''}
  </li>`;
}

/** The sticker's picture, or why there is none. */
function sheet({ result }: Compared, mistyped: boolean): Html {
  const { vin, finding } = result;
  if (finding.state === 'held')
    return html`<img
      src="/window-sticker/${vin}/picture?width=640"
      width="640"
      height="414"
      alt="Window sticker of the ${carTitle(result)}"
    />`;
  if (finding.state === 'asking')
    return html`<span class="no-sheet small" data-asking="/window-sticker/${vin}/ready"
      ><span class="progress-line"></span><span role="status">Asking ${ownerName(result)}</span></span
    >`;
  return html`<span class="no-sheet small"
    >${capitalize(mistyped ? 'one character looks wrong' : withoutLabelWords(result))}</span
  >`;
}
