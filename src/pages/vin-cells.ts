import { html, terms, type Html } from './html.ts';

/** The six groups of a VIN: name, first and last position. */
const GROUPS = [
  { name: 'maker', from: 1, to: 3 },
  { name: 'vehicle', from: 4, to: 8 },
  { name: 'check', from: 9, to: 9 },
  { name: 'year', from: 10, to: 10 },
  { name: 'plant', from: 11, to: 11 },
  { name: 'serial', from: 12, to: 17 },
] as const;

export type GroupName = (typeof GROUPS)[number]['name'];

/**
 * A VIN in 17 cells, with what each group means for this car below it; on a phone that opens on
 * a tap. One run of text, so that it can be copied.
 */
export function vinCells(vin: string, notes: Partial<Record<GroupName, string>>): Html {
  return html`<div class="vin">
    <div class="vin-in">
      <p class="vin-text"><span class="visually-hidden">VIN </span><span class="vin-run">${vin}</span></p>
      <details class="vin-fold">
        <summary class="small">What the groups mean</summary>
        <dl class="vin-groups">${terms(GROUPS.map(({ name }) => [name, notes[name]]))}</dl>
      </details>
    </div>
  </div>`;
}

/** The attributes of a field for a VIN, which keep browsers from changing what is typed. */
export const TYPED_VIN = html`autocomplete="off" autocapitalize="characters" autocorrect="off"
spellcheck="false"`;

/** Beside a VIN field. A script shows it. */
export const SCAN_BUTTON = html`<button
  type="button"
  class="scan-button"
  data-scan
  title="Scan the bar code"
  hidden
>
  <svg
    viewBox="0 0 20 16"
    width="20"
    height="16"
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="2"
  >
    <path d="M1 4V1h4M15 1h4v3M19 12v3h-4M5 15H1v-3M5 4.5v7M8.5 4.5v7M12 4.5v7M15 4.5v7" /></svg
  ><span>Scan the bar code</span>
</button>`;

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
  // The marked cell is a class, because our content security policy forbids style attributes.
  return html`<div
    class="vin vin-form ${wrong?.position ? `at-${wrong.position}` : ''} ${value.length > 17 ? 'over' : ''}"
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

/** A sentence with each VIN in it linked to that car's page. */
export function linkVins(sentence: string): Html[] {
  return sentence
    .split(/\b([A-HJ-NPR-Z0-9]{17})\b/)
    .map((part, index) =>
      index % 2 === 0 ? html`${part}` : html`<a class="mono" href="/window-sticker/${part}">${part}</a>`,
    );
}
