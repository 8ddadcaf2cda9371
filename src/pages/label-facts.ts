import type { Dealer, FuelEconomy, Label, Parts, Safety } from '@monroney/label/reading/types';
import { html, terms, type Html } from './html.ts';
import type { Highlights } from './highlights.ts';
import { linkedLine, nameOf } from './prices.ts';
import { withHyphens } from '@monroney/label/lib/letter-case';
import { placeName } from '@monroney/label/lib/option-names';
import { capitalize, humanDay, titleCase, money } from '@monroney/label/lib/words';

type Row = [name: string, path: string, words: Html | string | null | undefined];

/** Everything on the sticker except prices, in boxes like its own. Leaves out what isn't printed. */
export function labelFacts(label: Label, highlights: Highlights): Html {
  const { exterior, fuelEconomy, parts, safety, warranty } = label;
  const paint =
    exterior &&
    html`${nameOf(exterior.color, label)}${exterior.code ? html` <a class="small" href="/docs/paint-codes">code ${exterior.code}</a>` : ''}
    ${swatch(exterior.color)}`;
  return html`<div class="fact-boxes">
    ${box('The car', highlights, [
      ['Exterior', 'exterior', paint],
      ['Interior', 'interior', label.interior && nameOf(label.interior, label)],
      ['Seats', 'seats', label.seats && nameOf(label.seats, label)],
      ['Engine', 'engine', label.engine && nameOf(label.engine, label)],
      ['Transmission', 'transmission', label.transmission && nameOf(label.transmission, label)],
      ['Wheelbase', 'wheelbase', label.wheelbase && sentence(label.wheelbase)],
      ['Assembly', 'assembly', label.assembly && placeName(label.assembly)],
      ['Port of entry', 'portOfEntry', label.portOfEntry && placeName(label.portOfEntry)],
    ])}
    ${box('Delivery', highlights, deliveryRows(label))}
    ${fuelEconomy ? box('Fuel economy', highlights, economyRows(fuelEconomy)) : ''}
    ${safety ? box('Government safety ratings', highlights, safetyRows(safety)) : ''}
    ${parts ? box('Parts content', highlights, partsRows(parts)) : ''}
    ${warranty?.length ? box('Warranty', highlights, [['Terms', 'warranty', listOf(warranty, label)]]) : ''}
  </div>`;
}

function box(title: string, highlights: Highlights, rows: readonly Row[]): Html | string {
  const printed = rows.filter(([, , words]) => Boolean(words));
  if (printed.length === 0) return '';
  return html`<div class="fact-box">
    <h3>${title}</h3>
    <dl class="fact-list">
      ${terms(printed.map(([name, path, words]) => [linkedLine(name, highlights.get(path)), words]))}
    </dl>
  </div>`;
}

function deliveryRows(label: Label): Row[] {
  const { delivery, created } = label;
  const { dealer, orderNumber, transport } = delivery;
  const day = created ? Date.parse(created) : NaN;
  return [
    ['Delivered new to', 'delivery.dealer', dealer && dealerWords(dealer)],
    ['Order', 'delivery.orderNumber', orderNumber],
    ['Transport', 'delivery.transport', transport && nameOf(transport, label)],
    ['Label made', 'created', Number.isNaN(day) ? null : humanDay(day)],
  ];
}

/** `A DEALER, 1 MAIN ST, ANYTOWN, MI 48101 (dealer 12345)`, as printed. */
export function dealerWords({ name, street, city, state, zip, code }: Dealer): string {
  const region = [state, zip].filter(Boolean).join(' ');
  return `${[name, street, city, region].filter(Boolean).join(', ')}${code ? ` (dealer ${code})` : ''}`;
}

function listOf(items: readonly string[], label: Label): Html {
  return html`<ul class="plain-list">
    ${items.map((item) => html`<li>${nameOf(item, label)}</li>`)}
  </ul>`;
}

function economyRows(economy: FuelEconomy): Row[] {
  const { annualFuelCost: year, fiveYearCost: five, co2, unit } = economy;
  return [
    ['Economy', 'fuelEconomy', largeEconomy(economy)],
    ['Fuel cost', 'fuelEconomy', year === null ? null : html`<strong>${money(year)}</strong> a year`],
    [
      'Five years',
      'fuelEconomy',
      five === null
        ? null
        : `${money(Math.abs(five))} ${five < 0 ? 'less' : 'more'} on fuel than the average new vehicle`,
    ],
    [
      'CO2',
      'fuelEconomy',
      co2 === null ? null : `${co2} grams per ${unit.includes('km') ? 'kilometer' : 'mile'}`,
    ],
    ['Greenhouse gas', 'fuelEconomy', ratingScale(economy.greenhouseRating)],
    ['Smog', 'fuelEconomy', ratingScale(economy.smogRating)],
  ];
}

function safetyRows(safety: Safety): Row[] {
  if (STARS.every(([field]) => safety[field] === 'not-rated'))
    return [['Overall', 'safety', 'Not rated by the government']];
  return STARS.map(([field, name]): Row => [capitalize(name), 'safety', starsOf(safety[field])]);
}

/** The rating as stars and in words, for people who can't see them. */
function starsOf(stars: Safety[keyof Safety]): Html | string | null {
  if (stars === null) return null;
  if (stars === 'not-rated') return 'Not rated';
  return html`<span class="stars" aria-hidden="true">${'★'.repeat(stars)}${'☆'.repeat(5 - stars)}</span>
    <span class="small soft">${stars} of 5</span>`;
}

function partsRows({ usCanadian, foreign, engine, transmission }: Parts): Row[] {
  return [
    ['US and Canada', 'parts', usCanadian === null ? null : `${usCanadian}%`],
    ...foreign.map(({ country, percent }): Row => [properName(country), 'parts', `${percent}%`]),
    ['Engine from', 'parts', engine && properName(engine)],
    ['Transmission from', 'parts', transmission && properName(transmission)],
  ];
}

function properName(country: string): string {
  return country.length > 3 && country === country.toUpperCase() ? titleCase(country) : country;
}

/** `19 mpg (17 city, 22 highway)`. */
export function economyWords({ city, highway, combined, unit, electric }: FuelEconomy): string | null {
  const shortUnit = unit === 'MPG' ? 'mpg' : unit;
  const split = [city === null ? '' : `${city} city`, highway === null ? '' : `${highway} highway`]
    .filter(Boolean)
    .join(', ');
  const figures =
    combined === null
      ? split
        ? `${split} ${shortUnit}`
        : ''
      : `${combined} ${shortUnit}${split ? ` (${split})` : ''}`;
  const onElectricity =
    electric && electric.combined !== combined && electric.combined !== null
      ? `${electric.combined} ${unit.includes('km') ? 'Le/100 km' : 'MPGe'} on electricity`
      : '';
  const range = electric?.range
    ? `${electric.range} ${unit.includes('km') ? 'km' : 'miles'} electric range`
    : '';
  return [figures, onElectricity, range].filter(Boolean).join(', ') || null;
}

/** The combined figure in large, as the EPA prints it. */
function largeEconomy(economy: FuelEconomy): Html | string | null {
  const words = economyWords(economy);
  if (!words || economy.combined === null) return words;
  // Number and unit are the first two words.
  const [figure, unit, ...rest] = words.split(' ');
  return html`<strong class="large">${figure} ${unit?.replace(/,$/, '')}</strong> ${rest.join(' ')}`;
}

/** A rating from 1 to 10 as the EPA draws it: a scale with a mark above. */
function ratingScale(rating: number | null): Html | null {
  if (rating === null) return null;
  const x = Math.round(8 + ((rating - 1) / 9) * 184);
  return html`<svg class="scale" viewBox="0 0 200 44" role="img" aria-label="${rating} of 10, 10 is best">
    <path class="scale-mark" d="M${x - 11} 0h22v15l-11 8-11-8z" />
    <text class="scale-rating" x="${x}" y="13">${rating}</text>
    <rect class="scale-line" x="0.5" y="24.5" width="199" height="18" />
    <text x="8" y="38">1</text>
    <text x="192" y="38">10</text>
    <text x="100" y="38">10 is best</text>
  </svg>`;
}

const STARS: [keyof Safety, string][] = [
  ['overall', 'overall'],
  ['frontalDriver', 'frontal driver'],
  ['frontalPassenger', 'frontal passenger'],
  ['sideFront', 'side front'],
  ['sideRear', 'side rear'],
  ['rollover', 'rollover'],
];

/** Standard equipment in folded sections, with the first one open. */
export function standardEquipment(label: Label): Html | string {
  const { standard, language } = label;
  const sections = standard.filter(({ items }) => items.length > 0);
  if (sections.length === 0) return '';
  return html`<section>
    <h2>Standard equipment</h2>
    <div class="folds">
      ${sections.map(
        ({ section, items }, index) =>
          html`<details lang="${language}" ${index === 0 ? html` open` : ''}>
            <summary>
              <span>${section ? sentence(section) : 'Equipment'}</span
              ><span class="small soft" lang="en"
                >${items.length} ${items.length === 1 ? 'item' : 'items'}</span
              >
            </summary>
            <ul>
              ${items.map((item) => html`<li>${nameOf(item, label)}</li>`)}
            </ul>
          </details>`,
      )}
    </div>
  </section>`;
}

/** GM's codes behind a fold that says where they come from. */
export function optionCodes({ optionCodes: codes }: Label): Html | string {
  if (!codes?.length) return '';
  return html`<section>
    <h2>Option codes</h2>
    <div class="folds">
      <details>
        <summary>
          <span>GM’s option codes (RPO)</span><span class="small soft">${codes.length} codes</span>
        </summary>
        <p class="small soft">
          From text that GM puts into the file for machines. It isn’t visible on the sticker.
        </p>
        <p>${codes.join(' ')}</p>
      </details>
    </div>
  </section>`;
}

/** Turns text in capitals, such as `FUNCTIONAL/SAFETY FEATURES`, into normal case. */
export function sentence(words: string): string {
  return withHyphens(words === words.toUpperCase() ? capitalize(words.toLowerCase()) : words);
}

/** Basic color words, each with a typical shade. */
const BASIC_COLORS: Record<string, string> = {
  black: '#17181a',
  white: '#f4f4f1',
  silver: '#b9bdc1',
  gray: '#6d7175',
  grey: '#6d7175',
  red: '#a1181d',
  blue: '#1f4e8c',
  green: '#2c5a3c',
  yellow: '#e3b81c',
  orange: '#d2601a',
  brown: '#5a3d2b',
  beige: '#cdbf9f',
  purple: '#563a6e',
  gold: '#b08d45',
};

/** The basic color in a paint's name; null if there is none, or more than one. */
export function basicColor(name: string): string | null {
  const words = new Set(
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => Object.hasOwn(BASIC_COLORS, word)),
  );
  return words.size === 1 ? [...words][0]! : null;
}

/** A small square of that color. The label doesn't give the exact shade, and the title says so. */
export function swatch(name: string): Html | string {
  const color = basicColor(name);
  if (!color) return '';
  return html`<svg
    class="swatch"
    viewBox="0 0 16 16"
    width="16"
    height="16"
    role="img"
    aria-label="roughly ${color}"
  >
    <title>Roughly ${color}; the sticker doesn’t show the exact shade.</title>
    <rect x="0.5" y="0.5" width="15" height="15" fill="${BASIC_COLORS[color]}" stroke="#8b887d" />
  </svg>`;
}
