import { html } from 'hono/html';
import type { FuelEconomy, Label, Parts, Safety } from '../reading/types.ts';
import type { Html } from './frame.ts';
import { pointed, type Places } from './reading-table.ts';
import { swatch } from './swatch.ts';
import { capital } from '../lib/words.ts';
import { money } from '../lib/money.ts';

/** What the label says besides prices, each line absent when it is not printed. */
export function labelFacts(label: Label, places: Places): Html {
  const { exterior, fuelEconomy, parts, safety } = label;
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
    ['Fuel cost', 'fuelEconomy', fuelEconomy && costWords(fuelEconomy)],
    ['Emissions', 'fuelEconomy', fuelEconomy && emissionWords(fuelEconomy)],
    ['Safety ratings', 'safety', safety && safetyWords(safety)],
    ['Assembly', 'assembly', label.assembly],
    ['Port of entry', 'portOfEntry', label.portOfEntry],
    ['Parts content', 'parts', parts && partsWords(parts)],
    ['Warranty', 'warranty', label.warranty?.join('; ')],
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
export function economyWords({ city, highway, combined, unit, electric }: FuelEconomy): string | null {
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
  const plugged =
    electric && electric.combined !== combined && electric.combined !== null
      ? `${electric.combined} ${unit.includes('km') ? 'Le/100 km' : 'MPGe'} on electricity`
      : '';
  const far = electric?.range
    ? `${electric.range} ${unit.includes('km') ? 'km' : 'miles'} electric range`
    : '';
  return [figures, plugged, far].filter(Boolean).join(', ') || null;
}

/** `$2,450 a year; $4,750 more than the average new vehicle in five years`. */
export function costWords({ annualFuelCost: year, fiveYearCost: five }: FuelEconomy): string | null {
  const inFull = five === null ? '' : money(Math.abs(five));
  return (
    [
      year === null ? '' : `${money(year)} a year`,
      five === null
        ? ''
        : `${inFull} ${five < 0 ? 'less' : 'more'} than the average new vehicle over five years`,
    ]
      .filter(Boolean)
      .join('; ') || null
  );
}

/** `436 grams of CO2 per mile; greenhouse gas rating 4, smog rating 3, of 10`. */
export function emissionWords({ co2, greenhouseRating, smogRating, unit }: FuelEconomy): string | null {
  const ratings = [
    greenhouseRating === null ? '' : `greenhouse gas rating ${greenhouseRating} of 10`,
    smogRating === null ? '' : `smog rating ${smogRating} of 10`,
  ];
  const grams = co2 === null ? '' : `${co2} grams of CO2 per ${unit.includes('km') ? 'kilometre' : 'mile'}`;
  return [grams, ...ratings].filter(Boolean).join(', ') || null;
}

const STARS: [keyof Safety, string][] = [
  ['overall', 'overall'],
  ['frontalDriver', 'frontal driver'],
  ['frontalPassenger', 'frontal passenger'],
  ['sideFront', 'side front'],
  ['sideRear', 'side rear'],
  ['rollover', 'rollover'],
];

/** `5 stars overall, 4 frontal driver, rollover not rated`. */
export function safetyWords(safety: Safety): string | null {
  const known = STARS.filter(([field]) => safety[field] !== null);
  if (known.length === STARS.length && known.every(([field]) => safety[field] === 'not-rated'))
    return 'Not rated by the government';
  return (
    known
      .map(([field, name]) => {
        const stars = safety[field];
        if (stars === 'not-rated') return `${name} not rated`;
        return `${name} ${stars} ${stars === 1 ? 'star' : 'stars'}`;
      })
      .join(', ') || null
  );
}

/** `37% US and Canadian, 21% MEXICO; engine UNITED STATES, transmission UNITED STATES`. */
export function partsWords({ usCanadian, foreign, engine, transmission }: Parts): string | null {
  const shares = [
    usCanadian === null ? '' : `${usCanadian}% US and Canadian`,
    ...foreign.map(({ country, percent }) => `${percent}% ${country}`),
  ];
  const origins = [engine && `engine ${engine}`, transmission && `transmission ${transmission}`];
  return (
    [shares, origins]
      .map((words) => words.filter(Boolean).join(', '))
      .filter(Boolean)
      .join('; ') || null
  );
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
