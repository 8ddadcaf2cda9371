import { fileSize, humanDay, withCurlyApostrophes } from '@monroney/label/lib/words';
import { originNote, ownerName } from '../lookup/messages.ts';
import type { LookupResult } from '../lookup/finding.ts';
import type { HeldLabel } from '../store/store.ts';
import { SCRIPTS } from './assets.ts';
import { frames, viewBox, type Highlight, type PageSize } from './highlights.ts';
import { html, terms, type Html } from './html.ts';

/** Size in pixels of a lossy WebP image, from its header; null for anything else. */
export function webpSize(webp: Buffer): PageSize | null {
  if (webp.length < 30 || webp.toString('latin1', 12, 16) !== 'VP8 ') return null;
  return { width: webp.readUInt16LE(26) & 0x3fff, height: webp.readUInt16LE(28) & 0x3fff };
}

/** The sticker at full width, with the highlights that the reading links to, and where it comes from. */
export function stickerFigure(
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
