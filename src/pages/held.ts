import type { Vehicle } from '@monroney/vin';
import { withReading, type LookupResult } from '../lookup/finding.ts';
import { originNote, ownerName } from '../lookup/messages.ts';
import { Busy } from '../lookup/texts-and-previews.ts';
import { isTemporary, unreadableReading } from '@monroney/label/read-text';
import { countryOf } from '@monroney/label/reading/printed-car';
import type { Label, LabelText, Reading } from '@monroney/label/reading/types';
import type { HeldLabel } from '../store/store.ts';
import { fileSize, humanDay, plantName, withCurlyApostrophes } from '@monroney/label/lib/words';
import { copyRows, html, terms, type Html } from './html.ts';
import { SCRIPTS } from './assets.ts';
import { carDetails, carHead, cardTags, jsonLd, recallsLink, vehicleData, useThisData } from './car-page.ts';
import { contactActions } from './contact.ts';
import { askingPrice } from './asking-price.ts';
import { answer } from './car-summary.ts';
import { carTitle, pageTitle, priceNew } from './everyday-words.ts';
import { BADGE_HEIGHT, badgeMarkdown, badgeMarkup, CARD, cardMarkup } from './embed-markup.ts';
import { layout } from './layout.ts';
import { qrCode } from './qr-code.ts';
import { alsoOnSticker, priceSection } from './label-sections.ts';
import {
  frames,
  highlightsOf,
  pageSizeIn,
  USUAL_SIZE,
  viewBox,
  type Highlight,
  type Highlights,
  type PageSize,
} from './highlights.ts';
import type { PageContext } from './page-context.ts';

/** The page of a stored label. `final` is false if the reading may be better next time. */
export async function heldPage(
  context: PageContext,
  found: LookupResult,
  held: HeldLabel,
  client: string,
): Promise<{ page: Html; final: boolean }> {
  const { lookup, baseUrl } = context;
  const reading = await readNow(context, held);
  const result = withReading(found, reading);
  const text = reading.label ? await lookup.text(held) : null;
  const { label } = reading;
  const size = await pageSizeOf(context, held, text, client);
  const highlights: Highlights = label ? highlightsOf(label, text) : new Map();
  const name = carTitle(result);
  const alt = `Window sticker of the ${name}.${label ? ' Its prices and options follow below.' : ''}`;
  const figure = stickerFigure(result, held, size, alt, highlights.values());
  const qr = await qrCode(`${baseUrl}/window-sticker/${held.vin}`);
  const page = layout({
    title: `${pageTitle(result)} window sticker`,
    description: describe(name, reading, result.specimen),
    path: `/window-sticker/${held.vin}`,
    baseUrl,
    noindex: !result.specimen,
    scripts: [SCRIPTS.label, SCRIPTS.copy, SCRIPTS.recent],
    head: html`<meta property="og:type" content="article" />
      ${cardTags(baseUrl, held.vin, `${name} and its window sticker`)}
      <link rel="alternate" type="application/json" href="${baseUrl}/api/v1/vin/${held.vin}" />
      ${jsonLd(vehicleData(result, label, baseUrl))}`,
    body: html`${carHead(result, label ? answer(label, reading.proof?.closes ?? false) : unread(reading), qr)}
    ${figure} ${carDetails(result, label)}
    ${label ? priceSection(label, reading.proof, text, highlights, size, askingFor(reading)) : ''}
    ${buying(result, reading)} ${label ? alsoOnSticker(label, text, highlights) : ''}
    ${useThisData(baseUrl, held.vin, true)} ${embedSnippet(baseUrl, result)}
    ${reportSection(context, result, reading)}`,
  });
  return { page, final: !isTemporary(reading) };
}

function askingFor({ label, proof }: Reading): Html | string {
  const { total, currency } = label?.prices ?? {};
  return total && proof?.closes ? askingPrice('', total, currency!) : '';
}

/** What buyers ask next. */
function buying({ vin, decoded }: LookupResult, { label }: Reading): Html {
  return html`<section class="text">
    <h2>Buying this car?</h2>
    ${label && usAssembly(label, decoded.vehicle)}
    <p>Check ${recallsLink(vin)} at NHTSA.</p>
  </section>`;
}

/** Says where final assembly was if that was in the United States, in the label's own words. */
function usAssembly({ assembly, market }: Label, vehicle: Vehicle | null): Html | string {
  if (!assembly || market !== 'US') return '';
  const country = countryOf(assembly);
  // Some labels name only the town. Then the VIN says where it is.
  const plant = country === null && vehicle?.plant ? vehicle.plant : null;
  if ((country ?? (plant && countryOf(plant))) !== 'US') return '';
  return html`<p>
    Final assembly was in the United States: the sticker says
    “${assembly}”${plant ? `, and the VIN says ${plantName(plant)}` : ''}. Buyers of a new car need this to
    deduct the interest on its loan.
  </p>`;
}

/** Reads a label, but doesn't wait for a free worker: the page can show the label without its reading. */
export function readNow({ lookup }: Pick<PageContext, 'lookup'>, held: HeldLabel): Promise<Reading> {
  return lookup.reading(held).catch(whenBusy(() => unreadableReading('timeout', held.vin)));
}

/** Without a free worker, less is better than nothing. */
export function whenBusy<T>(fallback: () => T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Busy) return fallback();
    throw error;
  };
}

/** The size of the label's first page, so that nothing moves when its picture has loaded. */
async function pageSizeOf(
  { lookup }: PageContext,
  held: HeldLabel,
  text: LabelText | null,
  client: string,
): Promise<PageSize> {
  const size = pageSizeIn(text);
  if (size) return size;
  const picture = await lookup.preview(held, 640, client).catch(whenBusy(() => null));
  return (picture && webpSize(picture)) ?? USUAL_SIZE;
}

/** Size in pixels of a lossy WebP image, from its header; null for anything else. */
function webpSize(webp: Buffer): PageSize | null {
  if (webp.length < 30 || webp.toString('latin1', 12, 16) !== 'VP8 ') return null;
  return { width: webp.readUInt16LE(26) & 0x3fff, height: webp.readUInt16LE(28) & 0x3fff };
}

/** The sticker at full width, with the highlights that the reading links to, and where it comes from. */
function stickerFigure(
  result: LookupResult,
  label: HeldLabel,
  size: PageSize,
  alt: string,
  highlights: Iterable<Highlight>,
): Html {
  const { vin } = label;
  const picture = (width: number) => `/window-sticker/${vin}/picture?width=${width}`;
  const height = Math.round((1280 * size.height) / size.width);
  return html`<figure class="label" data-label>
    <a
      class="sheet"
      href="${picture(1920)}"
      title="Zoom"
      aria-label="Zoom in on the sticker"
      data-viewer="${SCRIPTS.viewer}"
    >
      <img
        src="${picture(1280)}"
        srcset="${picture(640)} 640w, ${picture(1280)} 1280w, ${picture(1920)} 1920w"
        sizes="(max-width: 1152px) 100vw, 1072px"
        width="1280"
        height="${height}"
        fetchpriority="high"
        alt="${alt}"
      />
      <svg class="frames" viewBox="${viewBox(size)}" aria-hidden="true">${frames(highlights)}</svg>
    </a>
    <figcaption class="origin small soft">${origin(result, label)}</figcaption>
  </figure>`;
}

/** Whose file it is; its host, size and checksum unfold. */
function origin(result: LookupResult, label: HeldLabel): Html {
  const note = originNote(result);
  const rows: [string, Html | string][] = [
    ['From', label.host.replace(/^www\./, '')],
    ['Size', fileSize(label.bytes)],
    ['SHA-256', html`<code>${label.sha256}</code>`],
  ];
  return html`<details>
    <summary>
      ${ownerWords(result)} ${shortDay(label.fetched)}<span> · <b>Details</b></span>
    </summary>
    ${note ? html`<p>${withCurlyApostrophes(note)}</p>` : ''}
    <dl>${terms(result.specimen ? rows.slice(1) : rows)}</dl>
  </details>`;
}

/** `Nov 18, 2026` */
const shortDay = (ms: number): string => humanDay(ms).replace(/^(\w{3})\w*/, '$1');

function ownerWords(result: LookupResult): string {
  if (result.specimen) return 'A sample we drew on';
  return result.source?.kind === 'dealer-copy'
    ? 'A copy from a dealer website, fetched'
    : `${ownerName(result)}’s own file, fetched`;
}

function describe(name: string, reading: Reading, specimen: boolean): string {
  if (specimen) return `A sample window sticker of a ${name}, drawn by us for a test VIN.`;
  const price = priceNew(reading);
  // What is included or free isn't counted.
  const options = reading.label?.prices.options.filter((option) => option.price).length ?? 0;
  if (!price) return `The window sticker of this ${name} as a PDF, unchanged.`;
  return `This ${name} cost ${price} new${options ? `, with ${options} ${options === 1 ? 'option' : 'options'}` : ''}. The window sticker and every line on it.`;
}

/** The answer for a sticker whose prices we can't read. */
function unread(reading: Reading): Html {
  return html`<p class="answer">${whyUnread(reading)}</p>
    <p class="small"><a href="/docs/how-to-read-a-sticker">How to read a window sticker</a></p>`;
}

function whyUnread({ reason }: Reading): string {
  switch (reason) {
    case 'several-vehicles':
      return 'This PDF contains the stickers of several cars. Open it to find this one by its VIN.';
    case 'timeout':
      return 'We’re still reading the sticker. Reload this page in a moment.';
    case 'broken':
    case 'encrypted':
    case 'memory':
      return 'We couldn’t open this PDF to list its prices and options here. Download it to see them.';
    case 'unknown-layout':
      return 'We don’t know this kind of sticker yet, so we can’t list its prices and options here. Select it to zoom in.';
    default:
      return 'This sticker is a picture without text, so we can’t list its prices and options here. Select it to zoom in.';
  }
}

/** The section where readers report a mistake, with a prefilled report. */
function reportSection(
  { baseUrl, contact }: PageContext,
  { vin }: LookupResult,
  { reader, label }: Reading,
): Html {
  const lines = label
    ? ['Which line is wrong:', 'What the sticker says:', 'What the page says:']
    : ['What is wrong:'];
  const text = [`VIN: ${vin}`, `Page: ${baseUrl}/window-sticker/${vin}`, `Reader: ${reader}`, ...lines].join(
    '\n',
  );
  return html`<section class="text report">
    <h2>${label ? 'Did we misread something?' : 'Something wrong with this sticker?'}</h2>
    <p>
      ${label ? 'Tell us which line is wrong and what the sticker says.' : 'Tell us if it belongs to another car, or if something from the VIN is wrong.'}
    </p>
    ${contactActions(contact, `${label ? 'Wrong reading of' : 'Wrong sticker for'} ${vin}`, text)}
  </section>`;
}

/** The section of a sticker's page that shows what other sites can show, and what to copy for it. */
function embedSnippet(baseUrl: string, result: LookupResult): Html {
  const { vin, specimen } = result;
  const title = `${specimen ? 'Sample window' : 'Window'} sticker of the ${carTitle(result)}`;
  const { width, height } = CARD;
  const shown = { baseUrl, vin, title };
  const rows = [
    ['Card in HTML', cardMarkup(shown)],
    ['Badge in HTML', badgeMarkup(shown)],
    ['In Markdown', badgeMarkdown(shown)],
  ] as const;
  return html`<section>
    <h2>Show it on your site</h2>
    <div class="folds">
      <details>
        <summary>A card or a badge that leads here</summary>
        <iframe
          src="/embed/${vin}"
          title="${title}"
          width="${width}"
          height="${height}"
          loading="lazy"
        ></iframe>
        <img src="/badge/${vin}.svg" alt="${title}" height="${BADGE_HEIGHT}" loading="lazy" />
        <dl class="use box">${copyRows(rows)}</dl>
        <p class="lead small soft">
          For many cars, see <a href="/inventory">a whole lot at once</a> and
          <a href="/docs/on-your-site">stickers on your site</a>.
        </p>
      </details>
    </div>
  </section>`;
}
