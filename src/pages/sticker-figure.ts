import { humanDay, fileSize, withCurlyApostrophes } from '@monroney/label/lib/words';
import { originNote } from '../lookup/messages.ts';
import type { LookupResult } from '../lookup/finding.ts';
import type { HeldLabel } from '../store/store.ts';
import { SCRIPTS } from './assets.ts';
import { frames, viewBox, type Highlight, type PageSize } from './highlights.ts';
import { html, type Html } from './html.ts';

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
      <svg class="frames" viewBox="${viewBox(size)}" aria-hidden="true">${frames(highlights)}</svg>
    </a>
  </figure>`;
}

function origin({ source, host, fetched }: HeldLabel): string {
  if (source === 'specimen') return `A sample we drew on ${humanDay(fetched)}`;
  return `From ${host.replace(/^www\./, '')}, fetched ${humanDay(fetched)}`;
}
