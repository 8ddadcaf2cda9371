import { html } from 'hono/html';
import type { FuelEconomy, Label } from '../reading/types.ts';
import type { Html } from './frame.ts';
import { pointed, type Places } from './reading-table.ts';
import { swatch } from './swatch.ts';
import { capital } from '../lib/words.ts';

/** What the label says besides prices, each line absent when it is not printed. */
export function labelFacts(label: Label, places: Places): Html {
  const { exterior, fuelEconomy, parts } = label;
  const rows: [name: string, path: string, words: Html | string | null | undefined][] = [
    [
      'Exterior',
      'exterior',
      exterior &&
        html`${exterior.color}${exterior.code ? html` <span class="small soft">code ${exterior.code}</span>` : ''}
        ${swatch(exterior.color)}`,
    ],
    ['Interior', 'interior', label.interior],
    ['Seats', 'seats', label.seats],
    ['Engine', 'engine', label.engine],
    ['Transmission', 'transmission', label.transmission],
    ['Fuel economy', 'fuelEconomy', fuelEconomy && economyWords(fuelEconomy)],
    ['Assembly', 'assembly', label.assembly],
    [
      'Parts content',
      'parts',
      parts?.usCanadian === null || parts?.usCanadian === undefined
        ? null
        : `${parts.usCanadian}% US and Canadian`,
    ],
  ];
  return html`<dl class="said">
    ${rows.map(([name, path, words]) =>
      words
        ? html`<div>
            <dt>${pointed(name, places.get(path))}</dt>
            <dd>${words}</dd>
          </div>`
        : '',
    )}
  </dl>`;
}

/** `19 mpg (17 city, 22 highway)`. */
export function economyWords({ city, highway, combined, unit, range }: FuelEconomy): string | null {
  const counted = unit === 'MPG' ? 'mpg' : unit;
  const apart = [city === null ? '' : `${city} city`, highway === null ? '' : `${highway} highway`]
    .filter(Boolean)
    .join(', ');
  const figures =
    combined === null
      ? apart
        ? `${apart} ${counted}`
        : ''
      : `${combined} ${counted}${apart ? ` (${apart})` : ''}`;
  const far = range ? `${range} ${unit.includes('km') ? 'km' : 'miles'} electric range` : '';
  return [figures, far].filter(Boolean).join(', ') || null;
}

/** Standard equipment, folded by section, the first one open. */
export function standardEquipment({ standard, language }: Label): Html | string {
  const sections = standard.filter(({ items }) => items.length > 0);
  if (sections.length === 0) return '';
  return html`<section>
    <h2>Standard equipment</h2>
    <div class="folds">
      ${sections.map(
        ({ section, items }, at) =>
          html`<details lang="${language}" ${at === 0 ? html` open` : ''}>
            <summary>
              <span>${section ? sentence(section) : 'Equipment'}</span
              ><span class="small soft" lang="en"
                >${items.length} ${items.length === 1 ? 'item' : 'items'}</span
              >
            </summary>
            <ul>
              ${items.map((item) => html`<li>${item}</li>`)}
            </ul>
          </details>`,
      )}
    </div>
  </section>`;
}

/** `FUNCTIONAL/SAFETY FEATURES` shouts on a page; as printed otherwise. */
export function sentence(words: string): string {
  return words === words.toUpperCase() ? capital(words.toLowerCase()) : words;
}
