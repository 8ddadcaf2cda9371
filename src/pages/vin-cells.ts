import { html, type Html } from './html.ts';
import { SCAN_BUTTON, TYPED_VIN } from './layout.ts';
import { GROUPS } from './vin-groups.ts';

interface VinField {
  value?: string;
  /** `also` lists further wrong positions. */
  wrong?: { position: number | null; also?: readonly number[]; message: Html };
  /** Said about the value, if nothing is wrong with it. */
  note?: Html;
  /** Focuses the field when the page opens. */
  focus?: boolean;
  button?: string;
}

/** The form that looks up a VIN: the same cells as a text field, and a button. `beside` is shown beside the button. */
export function findForm(field: VinField = {}, beside: Html | string = ''): Html {
  return html`<form action="/find" method="get">
    ${vinField(field)}
    <div class="actions"><button class="button">${field.button ?? 'Find the sticker'}</button>${beside}</div>
  </form>`;
}

function vinField({ value = '', wrong, note, focus = false }: VinField): Html {
  return html`<div
    class="vin vin-form ${cellClass(wrong?.position ?? null)} ${value.length > 17 ? 'over' : ''}"
    data-vin-field
  >
    <label for="vin">VIN</label>
    <p class="soft" id="vin-hint">
      17 letters and digits. Look at the bottom of the windshield, on the driver’s side. ${SCAN_BUTTON}
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
              <span>${name}</span><b data-note="${name}"></b>
            </div>`,
        )}
      </div>
      <p class="vin-message" id="vin-message" aria-live="polite" ${wrong || note ? '' : html` hidden`}>
        ${wrong?.message ?? note ?? ''}
      </p>
      <p class="vin-decoded" aria-live="polite" hidden></p>
    </div>
  </div>`;
}

/** A VIN in one line, where several are entered. */
export function vinLine(label: string, value: string, required: boolean): Html {
  const id = label.toLowerCase().replaceAll(/\W+/g, '-');
  return html`<div data-vin-field>
    <label for="${id}">${label}</label>
    <div class="vin-line">
      <input
        id="${id}"
        name="vin"
        value="${value}"
        ${TYPED_VIN}
        list="recent-vins"
        ${required ? html`required` : ''}
      />${SCAN_BUTTON}
    </div>
    <p class="vin-message" aria-live="polite" hidden></p>
    <p class="vin-decoded" aria-live="polite" hidden></p>
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
