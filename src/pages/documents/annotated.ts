import { html, raw } from 'hono/html';
import type { Html } from '../layout.ts';

/** The sample with every part that a sticker can have. */
export const ANNOTATED = '1FMUK8DH0TG000000';

const WIDE = 1224;
const HIGH = 792;

type Box = readonly [x: number, y: number, width: number, height: number];

/** A part of the sample, in points of its PDF: where it is, where its number stands, and what to show enlarged. */
export interface Part {
  name: string;
  box: Box;
  mark: readonly [x: number, y: number];
  crop?: Box;
}

/** In the order of the guide's list. Lines that are close together have their numbers where there is room. */
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

const picture = `/window-sticker/${ANNOTATED}/picture?width=1280`;

/** The guide's markup with the numbered sample before its list, and each part enlarged beside its explanation. */
export function annotate(markup: string): Html {
  const start = markup.indexOf('<ol>');
  const end = markup.indexOf('</ol>');
  const items = markup.slice(start, end).split('<li>').slice(1);
  return html`${raw(markup.slice(0, start))} ${sample()}
    <ol class="parts">
      ${items.map(
        (item, at) =>
          html`<li id="part-${at + 1}">
            <p>${raw(item.slice(0, item.lastIndexOf('</li>')))}</p>
            ${PARTS[at] ? cropOf(PARTS[at]) : ''}
          </li>`,
      )}
    </ol>
    ${raw(markup.slice(end + '</ol>'.length))}`;
}

function sample(): Html {
  return html`<figure class="annotated">
    <img
      src="${picture}"
      width="${WIDE}"
      height="${HIGH}"
      fetchpriority="high"
      alt="A sample Ford window sticker. Each of its ${PARTS.length} parts has a number, which the list below explains."
    />
    <svg viewBox="0 0 ${WIDE} ${HIGH}">${PARTS.map(markOf)}</svg>
  </figure>`;
}

function markOf({ name, box: [x, y, width, height], mark: [cx, cy] }: Part, at: number): Html {
  // From the number to the nearest point of its part; the circle hides the line's start.
  const [toX, toY] = [within(cx, x, x + width), within(cy, y, y + height)];
  return html`<rect x="${x}" y="${y}" width="${width}" height="${height}" />
    <line x1="${cx}" y1="${cy}" x2="${toX}" y2="${toY}" />
    <a href="#part-${at + 1}" aria-label="${at + 1}: ${name}"
      ><circle cx="${cx}" cy="${cy}" /><text x="${cx}" y="${cy}">${at + 1}</text></a
    >`;
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function cropOf({ box, crop = box }: Part): Html {
  return html`<svg class="crop" viewBox="${crop.join(' ')}" aria-hidden="true">
    <image href="${picture}" width="${WIDE}" height="${HIGH}" />
  </svg>`;
}
