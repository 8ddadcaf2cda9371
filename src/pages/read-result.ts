import type { LabelReading } from '@monroney/label';
import { carName } from '@monroney/label/lib/names';
import { fileSize } from '@monroney/label/lib/words';
import { printedCar } from '@monroney/label/reading/printed-car';
import type { LabelText } from '@monroney/label/reading/types';
import type { Vehicle } from '@monroney/vin';
import { answer, factLine } from './car-summary.ts';
import { priceNew } from './everyday-words.ts';
import {
  frames,
  highlightsOf,
  pageSizeIn,
  USUAL_SIZE,
  viewBox,
  type Highlights,
  type PageSize,
} from './highlights.ts';
import { html, type Html } from './html.ts';
import { alsoOnSticker, priceSection } from './label-sections.ts';
import { vinCells } from './vin-cells.ts';
import { vinNotes } from './vin-notes.ts';

/** What the page `/read` shows of a file. Runs in the browser, with the functions that render a sticker's page on the server. */

/** In pixels. */
export type Picture = PageSize;

interface ReadFile {
  file: Pick<File, 'name' | 'size'>;
  reading: LabelReading;
  text: LabelText | null;
  /** What the VIN says. */
  vehicle: Vehicle | null;
  picture: Picture | null;
}

interface Shown {
  /** For people who don't see the page change. */
  status: string;
  markup: string;
}

export function readResult(read: ReadFile): Shown {
  const { reading, picture } = read;
  if (!reading.label) {
    const [headline, advice] = unreadWords(reading);
    return shown(
      headline,
      html`${problemBox(headline, advice)} ${picture ? figure(read, picture, new Map()) : ''}`,
    );
  }
  const name = nameOf(read);
  const price = priceNew(reading);
  return shown(`${name}${price ? `, ${price} when new` : ''}`, readSticker(read, name));
}

const shown = (words: string, markup: Html): Shown => ({ status: `${words}.`, markup: String(markup) });

function nameOf({ vehicle, reading }: ReadFile): string {
  return carName(vehicle, reading.label && printedCar(reading.label)) ?? 'Window sticker';
}

function readSticker(read: ReadFile, name: string): Html {
  const { reading, text, vehicle, picture } = read;
  const { vin, proof } = reading;
  const label = reading.label!;
  const highlights = picture ? highlightsOf(label, text) : new Map();
  const size = pageSizeIn(text) ?? picture ?? USUAL_SIZE;
  return html`<div class="car-top">
      <div>
        <h2 class="car-name" tabindex="-1">${name}</h2>
        ${answer(label, proof?.closes ?? false)}
      </div>
      <p class="car-actions">
        <a data-json download="${vin ?? 'sticker'}.json">Download as JSON</a>
        ${vin ? html`<a href="/window-sticker/${vin}">Look up this VIN</a>` : ''}
      </p>
    </div>
    ${picture ? figure(read, picture, highlights) : ''}
    ${vin ? vinCells(vin, vinNotes(vin, vehicle, 'this car', reading.make)) : ''}
    ${vehicle ? factLine(vehicle, label) : ''} ${priceSection(label, proof, text, highlights, size)}
    ${alsoOnSticker(label, text, highlights)}`;
}

/** The script adds the picture and the zoom. */
function figure(read: ReadFile, { width, height }: Picture, highlights: Highlights): Html {
  const size = pageSizeIn(read.text) ?? { width, height };
  const { name, size: bytes } = read.file;
  return html`<figure class="label" data-label>
    <a class="sheet" title="Zoom" aria-label="Zoom in on the sticker">
      <img width="${width}" height="${height}" alt="The first page of ${name}" />
      <svg class="frames" viewBox="${viewBox(size)}" aria-hidden="true">${frames(highlights.values())}</svg>
    </a>
    <figcaption class="small soft">
      ${name}, ${fileSize(bytes)}, read in this browser. It wasn’t uploaded.
    </figcaption>
  </figure>`;
}

function problemBox(headline: string, advice: Html | string): Html {
  return html`<div class="state">
    <div>
      <h2 tabindex="-1">${headline}</h2>
      <p>${advice}</p>
    </div>
  </div>`;
}

type Words = [headline: string, advice: Html | string];

const BY_VIN = html`If you know the car’s VIN, <a href="/">look up its sticker</a>.`;

/** Larger files aren't stickers. */
const MAX_BYTES = 40 * 2 ** 20;
const SEARCHED_BYTES = 1024;

/** What is wrong with a file that can't be a sticker's PDF; null if it may be one. */
export async function fileProblem(file: File): Promise<Shown | null> {
  const words = await problemWords(file);
  return words && shown(words[0], problemBox(...words));
}

async function problemWords(file: File): Promise<Words | null> {
  if (file.size > MAX_BYTES)
    return [
      'This file is too large',
      'A window sticker takes a few megabytes at most. Choose the PDF of one sticker.',
    ];
  const start = await file.slice(0, SEARCHED_BYTES).text();
  if (start.includes('%PDF-')) return null;
  if (file.type.startsWith('image/'))
    return [
      'This is a picture, and we can only read PDFs',
      html`Choose the PDF that the manufacturer or the dealer offers for download. ${BY_VIN}`,
    ];
  return ['This isn’t a PDF', html`Choose the PDF of a window sticker. ${BY_VIN}`];
}

function unreadWords({ reason, make }: LabelReading): Words {
  switch (reason) {
    case 'encrypted':
      return [
        'This PDF is locked with a password',
        'Open it with its password and print it to a new PDF. Then choose that one.',
      ];
    case 'broken':
      return [
        'This PDF is damaged',
        html`We can’t open it. Download it again and choose the new copy. ${BY_VIN}`,
      ];
    case 'memory':
      return [
        'This PDF needs more memory than your browser has',
        'Close other tabs and choose it again, or try on another computer.',
      ];
    case 'picture':
    case 'no-text':
      return [
        'This sticker is a picture without text',
        html`We can’t list its prices and options, but you can zoom in below. ${BY_VIN}`,
      ];
    case 'several-vehicles':
      return [
        'This PDF contains the stickers of several cars',
        'Print the pages of one car to a new PDF, and choose that one.',
      ];
    case 'not-read-yet':
      return [
        make ? `We can’t read ${make} stickers yet` : 'We can’t read this sticker yet',
        html`You can zoom in below. <a href="/makes">The makes we know</a>`,
      ];
    default:
      return [
        'We don’t recognize this as a window sticker',
        html`We read the manufacturer’s own PDF, not a dealer’s summary or a build sheet. ${BY_VIN}`,
      ];
  }
}
