import type { DocPage } from '../../site/docs/page.ts';
import { html, raw, type Html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { sampleSheet, trySample } from '../sample.ts';
import { findForm } from '../vin-cells.ts';
import { glossary } from '../glossary.ts';
import { folded, markup } from './markdown.ts';

/** The guide that explains the parts of a sticker. */
const PARTS_GUIDE = '/docs/how-to-read-a-sticker';

/** A documentation page with the table of contents beside it. */
export async function docBody(page: DocPage, { library }: PageContext): Promise<Html> {
  const text = markup(await page.markdown());
  return html`<div class="doc">
    <article class="prose">${raw(page.collapsible ? folded(text) : text)}</article>
    <nav class="contents" aria-label="Documentation">
      ${library.groups.map(
        ({ name, pages }) =>
          html`<h2>${name}</h2>
            <ul>
              ${pages.map(
                ({ path, title }) =>
                  html`<li>
                    <a href="${path}" ${path === page.path ? html`aria-current="page"` : ''}>${title}</a>
                  </li>`,
              )}
            </ul>`,
      )}
    </nav>
  </div>`;
}

/** The pages for car buyers and owners. */
export function guidesOf({ library }: PageContext): readonly DocPage[] {
  return library.groups.find(({ name }) => name === 'Guides')!.pages;
}

/** A guide: without the developers' contents, with a picture of a sticker, and the VIN field at the end. */
export async function guideBody(page: DocPage, context: PageContext): Promise<Html> {
  const text = markup(await page.markdown());
  const others = guidesOf(context).filter((guide) => guide !== page);
  return html`<article class="prose">
      ${page.path === PARTS_GUIDE ? annotate(text) : withSample(text)}
    </article>
    ${page.path === PARTS_GUIDE ? glossary() : ''} ${groupSection('More about stickers', others)}
    <section>
      <h2>Find a car’s original sticker</h2>
      ${findForm({}, trySample(ANNOTATED_VIN))}
    </section>`;
}

/** Adds the sample below the first paragraph. */
function withSample(text: string): Html {
  const end = text.indexOf('</p>') + '</p>'.length;
  return html`${raw(text.slice(0, end))}
    <figure class="text">
      ${sampleSheet(ANNOTATED_VIN, 'A sample Ford window sticker: options and prices on the left, fuel economy and safety ratings on the right.', 'eager')}
      <figcaption class="soft small">A sample we drew.</figcaption>
    </figure>
    ${raw(text.slice(end))}`;
}

/** GET /docs: the table of contents. */
export function contentsBody({ library }: PageContext): Html {
  return html`<h1>Documentation</h1>
    <p class="lead">Each page is also available as Markdown: add <code>.md</code> to its URL.</p>
    <p class="lead">Have the PDF of a sticker already? <a href="/read">Read it here</a>.</p>
    ${library.groups.map(({ name, pages }) => groupSection(name, pages))}`;
}

function groupSection(name: string, pages: readonly DocPage[]): Html {
  return html`<section class="six-ten">
    <h2>${name}</h2>
    <ul class="index">
      ${pages.map(
        ({ path, title, description }) =>
          html`<li><a href="${path}">${title}</a><span class="soft">${description}</span></li>`,
      )}
    </ul>
  </section>`;
}

/** The sample in the guide. It has every part that a sticker can have. */
export const ANNOTATED_VIN = '1FMUK8DH0TG000000';

const SAMPLE_WIDTH = 1224;
const SAMPLE_HEIGHT = 792;

type Box = readonly [x: number, y: number, width: number, height: number];

/** A part of the sample, in PDF points: its box, the position of its number, and the crop shown beside its explanation. */
interface Part {
  name: string;
  box: Box;
  mark: readonly [x: number, y: number];
  crop?: Box;
}

/** In the order of the guide's list. Where lines are close together, the numbers are placed in free space. */
export const PARTS: readonly Part[] = [
  { name: 'Heading', box: [18, 24, 672, 103], mark: [655, 100], crop: [150, 36, 515, 86] },
  { name: 'Standard equipment', box: [31, 127, 645, 186], mark: [630, 280], crop: [31, 128, 330, 71] },
  { name: 'Options', box: [30, 314, 340, 296], mark: [318, 560], crop: [31, 411, 221, 114] },
  { name: 'Base price', box: [456, 338, 222, 12], mark: [412, 344], crop: [456, 330, 222, 30] },
  { name: 'Destination', box: [456, 371, 222, 12], mark: [412, 436], crop: [456, 359, 222, 26] },
  { name: 'Savings', box: [456, 394, 222, 20], mark: [505, 490], crop: [456, 384, 222, 33] },
  { name: 'Total price', box: [449, 620, 241, 75], mark: [640, 690], crop: [449, 620, 230, 40] },
  { name: 'Fuel economy', box: [723, 27, 466, 286], mark: [970, 225], crop: [723, 27, 466, 186] },
  { name: 'Safety ratings', box: [723, 322, 281, 233], mark: [840, 498], crop: [723, 322, 281, 150] },
  { name: 'Parts content', box: [1007, 322, 182, 233], mark: [1145, 425], crop: [1007, 322, 182, 107] },
  { name: 'Warranty', box: [723, 564, 466, 128], mark: [880, 604] },
  { name: 'VIN', box: [794, 718, 284, 46], mark: [740, 740] },
];

const samplePicture = `/window-sticker/${ANNOTATED_VIN}/picture?width=1280`;

/** Adds the numbered sample above the guide's list, and each part enlarged to its explanation. */
function annotate(guide: string): Html {
  const start = guide.indexOf('<ol>');
  const end = guide.indexOf('</ol>');
  const items = guide.slice(start, end).split('<li>').slice(1);
  return html`${raw(guide.slice(0, start))} ${sample()}
    <ol class="parts">
      ${items.map(
        (item, index) =>
          html`<li id="part-${index + 1}">
            <p>${raw(item.slice(0, item.lastIndexOf('</li>')))}</p>
            ${PARTS[index] ? cropOf(PARTS[index]) : ''}
          </li>`,
      )}
    </ol>
    ${raw(guide.slice(end + '</ol>'.length))}`;
}

function sample(): Html {
  return html`<figure class="annotated">
    <img
      src="${samplePicture}"
      width="${SAMPLE_WIDTH}"
      height="${SAMPLE_HEIGHT}"
      fetchpriority="high"
      alt="A sample Ford window sticker. Each of its ${PARTS.length} parts has a number, which the list below explains."
    />
    <svg viewBox="0 0 ${SAMPLE_WIDTH} ${SAMPLE_HEIGHT}">${PARTS.map(markOf)}</svg>
  </figure>`;
}

function markOf({ name, box: [x, y, width, height], mark: [cx, cy] }: Part, index: number): Html {
  // The line leads from the number to the nearest point of the box.
  const [toX, toY] = [clamp(cx, x, x + width), clamp(cy, y, y + height)];
  return html`<rect x="${x}" y="${y}" width="${width}" height="${height}" />
    <line x1="${cx}" y1="${cy}" x2="${toX}" y2="${toY}" />
    <a href="#part-${index + 1}" aria-label="${index + 1}: ${name}"
      ><circle cx="${cx}" cy="${cy}" /><text x="${cx}" y="${cy}">${index + 1}</text></a
    >`;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

function cropOf({ box, crop = box }: Part): Html {
  return html`<svg class="crop" viewBox="${crop.join(' ')}" aria-hidden="true">
    <image href="${samplePicture}" width="${SAMPLE_WIDTH}" height="${SAMPLE_HEIGHT}" />
  </svg>`;
}
