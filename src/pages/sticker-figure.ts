import type { Box, Label, LabelText, OptionLine, TextPage } from '@monroney/label/reading/types';
import { humanDay, fileSize, withCurlyApostrophes } from '@monroney/label/lib/words';
import { originNote } from '../lookup/messages.ts';
import type { LookupResult } from '../lookup/finding.ts';
import type { HeldLabel } from '../store/store.ts';
import { SCRIPTS } from './assets.ts';
import { html, type Html } from './html.ts';

/** Size of a label's page as shown, in PDF points or pixels. */
export interface PageSize {
  width: number;
  height: number;
}

/** A rectangle on the label's first page that a line of the reading links to. */
export interface Highlight {
  id: string;
  box: Box;
}

/** By field path: `prices.base`, `prices.options.3`. */
export type Highlights = ReadonlyMap<string, Highlight>;

const PADDING = 3;

/** Kinds of price lines, in the order of the table. */
export const LINE_KINDS = ['options', 'discounts', 'taxes', 'fees'] as const;

/** Fragment of each line of the price table by its field path. Links that people share end in it: `#line-7`. */
export function lineIds({ prices }: Label): ReadonlyMap<string, string> {
  const paths = [
    'prices.base',
    ...LINE_KINDS.flatMap((kind) => prices[kind].map((_, index) => `prices.${kind}.${index}`)),
    'prices.destination',
    'prices.total',
  ];
  return new Map(paths.map((path, index) => [path, `line-${index + 1}`]));
}

/** The highlights of a reading, slightly padded. Only the first page is shown, so only it has any. */
export function highlightsOf(label: Label, text: LabelText | null): Map<string, Highlight> {
  const highlights = new Map<string, Highlight>();
  const page = text?.positioned ? text.pages[0] : undefined;
  // The picture of a rotated page doesn't match the positions, which are those of the upright page.
  if (!page || page.turn) return highlights;
  const ids = lineIds(label);
  const add = (path: string, box: Box | undefined) => {
    if (box?.page !== 1) return;
    const id = ids.get(path) ?? `at-${path.replaceAll('.', '-')}`;
    highlights.set(path, { id, box: padded(box, page) });
  };
  for (const [path, box] of Object.entries(label.places)) if (/^[\w.]+$/.test(path)) add(path, box);
  for (const kind of LINE_KINDS) {
    label.prices[kind].forEach((line, index) => {
      const box = line.at ?? label.places[`prices.${kind}.${index}`];
      add(
        `prices.${kind}.${index}`,
        box && kind === 'options' ? withChildren(box, line as OptionLine, page) : box,
      );
    });
  }
  return highlights;
}

function padded(box: Box, page: PageSize): Box {
  const x = Math.max(0, box.x - PADDING);
  const y = Math.max(0, box.y);
  return {
    page: box.page,
    x,
    y,
    width: Math.min(box.width + 2 * PADDING, page.width - x),
    height: Math.min(box.height, page.height - y),
  };
}

/** Extends an option's box down to the last of its children printed below it in the same column. */
function withChildren(box: Box, { children }: OptionLine, page: TextPage): Box {
  if (children.length === 0) return box;
  let bottom = box.y + box.height;
  const lowest = bottom + children.length * box.height * 2.4;
  const inColumn = page.items
    .filter(
      (item) => item.x >= box.x - 4 && item.x < box.x + box.width && item.y > bottom && item.y <= lowest,
    )
    .sort((a, b) => a.y - b.y);
  for (const item of inColumn) {
    const words = item.text.trim();
    if (words.length > 2 && children.some((child) => child.includes(words)))
      bottom = item.y + item.size * 0.15;
  }
  return { ...box, height: bottom - box.y };
}

/** Size in pixels of a lossy WebP image, from its header; null for anything else. */
export function webpSize(webp: Buffer): PageSize | null {
  if (webp.length < 30 || webp.toString('latin1', 12, 16) !== 'VP8 ') return null;
  return { width: webp.readUInt16LE(26) & 0x3fff, height: webp.readUInt16LE(28) & 0x3fff };
}

/** The sticker at full width: its origin, a link to the PDF and the highlights that the reading links to. */
export function stickerFigure(
  result: LookupResult,
  label: HeldLabel,
  size: PageSize,
  alt: string,
  highlights: Iterable<Highlight>,
): Html {
  const { vin } = label;
  const note = originNote(result);
  const picture = (width: number) => `/window-sticker/${vin}/picture?width=${width}`;
  const height = Math.round((1280 * size.height) / size.width);
  return html`<figure class="label" data-label>
    <figcaption>
      <p class="small soft">
        ${origin(label)}, ${fileSize(label.bytes)},
        <span class="nowrap">SHA-256 <code title="${label.sha256}">${label.sha256.slice(0, 8)}…</code></span
        >${note ? html`. ${withCurlyApostrophes(note)}` : ''}
      </p>
    </figcaption>
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
      <svg class="frames" viewBox="0 0 ${number(size.width)} ${number(size.height)}" aria-hidden="true">
        ${[...highlights].map(({ id, box }) => html`<rect id="${id}" x="${number(box.x)}" y="${number(box.y)}" width="${number(box.width)}" height="${number(box.height)}" />`)}
      </svg>
    </a>
  </figure>`;
}

function origin({ source, host, fetched }: HeldLabel): string {
  if (source === 'specimen') return `A sample we drew on ${humanDay(fetched)}`;
  return `From ${host.replace(/^www\./, '')}, fetched ${humanDay(fetched)}`;
}

function number(points: number): string {
  return String(Math.round(points * 10) / 10);
}
