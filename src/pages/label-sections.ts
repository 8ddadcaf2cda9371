import { inSentenceCase, labelFacts, type Fact, type FactGroup } from '@monroney/label/facts';
import { verifiedOn } from '@monroney/label/makers/index';
import type { Label, LabelText, Proof } from '@monroney/label/reading/types';
import type { Highlights, PageSize } from './highlights.ts';
import { glossary } from './glossary.ts';
import { html, terms, type Html } from './html.ts';
import { priceBar } from './price-bar.ts';
import { hasPrices, linkedLine, nameOf, optionTable, POINT_OR_TAP, priceTable } from './prices.ts';

/** The prices as a bar and as a table, beside a small sticker. */
export function priceSection(
  label: Label,
  proof: Proof | null,
  text: LabelText | null,
  highlights: Highlights,
  size: PageSize,
  asking: Html | string = '',
): Html {
  const pointing = highlights.has('prices.total');
  return html`<section>
    <div class="section-head">
      <h2>Price and options</h2>
      <p class="small">
        <a href="/docs/how-to-read-a-sticker">How to read a window sticker</a> ·
        <a href="#words">Its words</a>
      </p>
    </div>
    ${priceBar(label, proof, highlights)}
    <div class="${pointing ? 'ten-six ' : ''}says">
      <div>
        ${hasPrices(label) ? priceTable(label, proof, highlights, asking) : optionTable(label, text, highlights)}
      </div>
      ${pointing ? html`<div class="beside">${loupe(size)}</div>` : ''}
    </div>
    <p class="small soft">${evidence(label.make, verifiedOn(label.make))}</p>
  </section>`;
}

/** Everything else that the sticker says. */
export function alsoOnSticker(label: Label, text: LabelText | null, highlights: Highlights): Html {
  return html`<section>
      <h2>Also on the sticker</h2>
      ${label.language === 'fr' ? html`<p>This sticker is in French.</p>` : ''}
      ${factBoxes(label, highlights)}
    </section>
    ${standardEquipment(label)} ${optionCodes(label)} ${glossary(label, text)}`;
}

/** A small copy of the sticker that a script moves to the line under the pointer. */
function loupe({ width, height }: PageSize): Html {
  return html`<figure class="loupe">
    <svg viewBox="0 0 ${Math.round(width)} ${Math.round(height)}" aria-hidden="true"></svg>
    <figcaption class="small soft">${POINT_OR_TAP}</figcaption>
  </figure>`;
}

/** How well our reader for this make is tested. */
function evidence(make: string, realLabels: number): string {
  if (realLabels === 0) return `We haven’t checked our reading of ${make} stickers against a real one yet.`;
  const count = realLabels === 1 ? 'only one real sticker' : `${realLabels} real ones`;
  return `We’ve checked our reading of ${make} stickers against ${count}.`;
}

/** Everything on the sticker except prices, in two columns of boxes like its own. Leaves out what isn't printed. */
export function factBoxes(label: Label, highlights: Highlights): Html {
  return html`<div class="fact-boxes">
    ${inColumns(labelFacts(label)).map((groups) => html`<div>${groups.map((group) => box(group, label, highlights))}</div>`)}
  </div>`;
}

/** In two columns whose heights differ least. The first group begins the left one. */
function inColumns(groups: readonly FactGroup[]): FactGroup[][] {
  const total = groups.reduce((sum, group) => sum + heightOf(group), 0);
  let best: FactGroup[] = [];
  let least = Infinity;
  // There are at most six groups. Each bit says whether one of them is on the left.
  for (let bits = 1; bits < 2 ** groups.length; bits += 2) {
    const left = groups.filter((_, index) => bits & (2 ** index));
    const difference = Math.abs(total - 2 * left.reduce((sum, group) => sum + heightOf(group), 0));
    if (difference < least) [best, least] = [left, difference];
  }
  return [best, groups.filter((group) => !best.includes(group))].filter((column) => column.length > 0);
}

/** Characters that fit on a line of a box, roughly. */
const LINE_LENGTH = 38;

/** The height of a box with the space below it, in pixels, roughly. */
function heightOf({ facts }: FactGroup): number {
  return facts.reduce(
    (sum, { words, scale, name }) =>
      sum +
      (scale?.of === 10 ? 76 : 19 + 24 * Math.ceil(words.length / LINE_LENGTH)) +
      (name === 'Fuel economy' ? 32 : 0),
    78,
  );
}

function box({ id, title, facts }: FactGroup, label: Label, highlights: Highlights): Html {
  const linked = ({ name, path }: Fact) => linkedLine(name, highlights.get(path));
  const rows: [Html | string, Html | string][] =
    id === 'warranty'
      ? [[linked(facts[0]!), listOf(facts, label)]]
      : facts.map((fact) => [linked(fact), shown(fact, label)]);
  return html`<div class="fact-box">
    <h3>${title}</h3>
    <dl class="fact-list">${terms(rows)}</dl>
  </div>`;
}

/** A fact as the page shows it: ratings drawn, the paint with its color. */
function shown(fact: Fact, label: Label): Html | string {
  const { name, words, printed, scale } = fact;
  if (scale) return scale.of === 5 ? stars(scale.value) : ratingScale(scale.value);
  if (name === 'Fuel economy') return largeEconomy(words, label);
  if (name === 'Paint code') return html`<a href="/docs/paint-codes">${words}</a>`;
  const text = printed === null ? words : nameOf(printed, label);
  return name === 'Exterior' ? html`${text} ${swatch(words)}` : text;
}

function listOf(facts: readonly Fact[], label: Label): Html {
  return html`<ul class="plain-list">
    ${facts.map((fact) => html`<li>${shown(fact, label)}</li>`)}
  </ul>`;
}

/** The rating as stars and in words, for people who can't see them. */
function stars(value: number): Html {
  return html`<span class="stars" aria-hidden="true">${'★'.repeat(value)}${'☆'.repeat(5 - value)}</span>
    <span class="small soft">${value} of 5</span>`;
}

/** The combined figure in large, as the EPA prints it. */
function largeEconomy(words: string, { fuelEconomy }: Label): Html | string {
  if (fuelEconomy?.combined == null) return words;
  // The words begin with the figure and its unit.
  const { length } = `${fuelEconomy.combined} ${fuelEconomy.unit}`;
  return html`<strong class="large">${words.slice(0, length)}</strong>
    ${words.slice(length).replace(/^, /, '')}`;
}

/** A rating from 1 to 10 as the EPA draws it: a bar between dark ends, and a mark that points into it. */
function ratingScale(rating: number): Html {
  const x = Math.round(14 + ((rating - 1) / 9) * 212);
  return html`<svg class="scale" viewBox="0 0 240 60" role="img" aria-label="${rating} of 10, 10 is best">
    <rect class="scale-line" x="1" y="23" width="238" height="18" rx="4" />
    <path
      class="scale-end"
      d="M28 22v20H5a5 5 0 0 1-5-5V27a5 5 0 0 1 5-5zM212 22v20h23a5 5 0 0 0 5-5V27a5 5 0 0 0-5-5z"
    />
    <path class="scale-mark" d="M${x - 13} 1h26v17l-13 10-13-10z" />
    <text class="scale-number" x="${x}" y="16">${rating}</text>
    ${rating === 1 ? '' : html`<text class="scale-number" x="14" y="37">1</text>`}
    ${rating === 10 ? '' : html`<text class="scale-number" x="226" y="37">10</text>`}
    <text class="scale-best" x="239" y="57">Best</text>
  </svg>`;
}

/** Standard equipment in folded sections, with the first one open. */
function standardEquipment(label: Label): Html | string {
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
              <span>${section ? inSentenceCase(section) : 'Equipment'}</span
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
