import { makesOf } from '../makers/index.ts';
import { html, type Html } from './html.ts';
import type { PageContext } from './page-context.ts';
import { SCRIPTS, BARCODE_WORKER } from './assets.ts';
import { TYPED_VIN } from './layout.ts';
import { GROUPS } from './vin-groups.ts';

interface VinField {
  value?: string;
  /** `also` lists further wrong positions. */
  wrong?: { position: number | null; also?: readonly number[]; message: Html };
  /** Offers to scan the bar code, which needs a script. */
  scan?: boolean;
  /** Focuses the field when the page opens. */
  focus?: boolean;
  button?: string;
}

/**
 * The form that looks up a VIN: the same cells as a text field, and a button. The page loads `SCRIPTS.vinField`. `beside` is
 * shown beside the button.
 */
export function findForm(context: FormContext, field: VinField = {}, beside: Html | string = ''): Html {
  return html`<form action="/find" method="get">
    ${vinField(context, field)}
    <div class="actions"><button class="button">${field.button ?? 'Find the sticker'}</button>${beside}</div>
  </form>`;
}

/** The browser decoder shows the car while its VIN is typed. The button promises a sticker only if its make publishes them. */
type FormContext = Pick<PageContext, 'vinAssets' | 'lookup'>;

function vinField(
  { vinAssets, lookup }: FormContext,
  { value = '', wrong, scan = false, focus = false }: VinField,
): Html {
  return html`<div
    class="vin vin-form ${cellClass(wrong?.position ?? null)} ${value.length > 17 ? 'over' : ''}"
    data-vin-field
  >
    <label for="vin">VIN</label>
    <p class="soft" id="vin-hint">
      17 letters and digits. Look at the bottom of the windshield, on the driver’s
      side.${scan ? html` <button type="button" class="plain" data-scan="${SCRIPTS.scan}" data-worker="${BARCODE_WORKER}" hidden>Scan the bar code</button>` : ''}
    </p>
    <div class="vin-in">
      <div class="vin-text">
        <input
          id="vin"
          class="vin-run"
          name="vin"
          value="${value}"
          ${TYPED_VIN}
          enterkeyhint="go"
          required
          aria-describedby="vin-hint vin-message"
          ${wrong ? html` aria-invalid="true"` : ''}${focus ? html` autofocus` : ''}
        />
        <span class="vin-wrong" ${wrong?.position ? '' : html` hidden`}></span>
        ${(wrong?.also ?? []).map((position) => html`<span class="vin-wrong at-${position}" data-also></span>`)}
      </div>
      <div class="vin-groups" aria-hidden="true">
        ${GROUPS.map(
          ({ name, from, to }) =>
            html`<div
              data-from="${from}"
              data-to="${to}"
              class="${wrong?.position && wrong.position >= from && wrong.position <= to ? 'off' : ''}"
            >
              <span>${name}</span>
            </div>`,
        )}
      </div>
      <p class="vin-message" id="vin-message" aria-live="polite" ${wrong ? '' : html` hidden`}>
        ${wrong?.message ?? ''}
      </p>
      <p
        class="vin-decoded"
        data-decoder="${vinAssets.module}"
        data-parts="${vinAssets.base}"
        data-makes="${makesOf(lookup.sources).join()}"
        aria-live="polite"
        hidden
      ></p>
    </div>
  </div>`;
}

/** The marked cell, as a class, because our content security policy forbids style attributes. */
function cellClass(position: number | null): string {
  return position ? `at-${position}` : '';
}

/** A sentence with each VIN in it linked to that car's page. */
export function linkVins(sentence: string): Html[] {
  return sentence
    .split(/\b([A-HJ-NPR-Z0-9]{17})\b/)
    .map((part, index) =>
      index % 2 === 0 ? html`${part}` : html`<a class="mono" href="/window-sticker/${part}">${part}</a>`,
    );
}
