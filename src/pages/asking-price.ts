import { money } from '@monroney/label/lib/words';
import { SCRIPTS } from './assets.ts';
import { html, type Html } from './html.ts';

/**
 * A field for what a seller asks, compared with the price when new by a script. It stays in the browser and in the fragment of
 * the URL, which browsers don't send, so that it travels with a link. `of` names the car if a page has several.
 */
export function askingPrice(of: string, total: number, currency: string): Html {
  const id = `asking-price${of && `-${of}`}`;
  return html`<div
    class="asking-price"
    data-asking-price="${total}"
    data-vin="${of}"
    data-script="${SCRIPTS.askingPrice}"
  >
    <p>
      <label for="${id}"
        >Asking
        price${of ? html`<span class="visually-hidden"> of ${of}</span>` : ''}${currency === 'CAD' ? ' in Canadian dollars' : ''}</label
      >
      <input
        id="${id}"
        inputmode="decimal"
        autocomplete="off"
        maxlength="12"
        placeholder="${money(total)}"
        ${of ? '' : html`aria-describedby="asking-price-hint"`}
      />
    </p>
    <p role="status"></p>
    ${of ? '' : html`<p class="small soft" id="asking-price-hint">Stored in this browser. A link you share has it too.</p>`}
  </div>`;
}
