import { html, terms, type Html } from './html.ts';

/** The six groups of a VIN: name, first and last position. */
export const GROUPS = [
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
