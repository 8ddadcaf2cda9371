import { html } from 'hono/html';
import { humanDay, fileSize } from '../lib/words.ts';
import { DEALER_COPY } from '../lookup/messages.ts';
import { stickerKind } from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import type { HeldLabel } from '../store/store.ts';
import type { Html } from './layout.ts';
import type { Highlight, PageSize } from './highlights.ts';

/** The sticker at full width: its origin, a link to the PDF and the highlights that the reading links to. */
export function stickerFigure(
  found: LookupResult,
  label: HeldLabel,
  size: PageSize,
  alt: string,
  highlights: Iterable<Highlight>,
): Html {
  const { vin } = label;
  const copy = stickerKind(found) === 'dealer-copy' && !found.specimen;
  const picture = (width: number) => `/window-sticker/${vin}/picture?width=${width}`;
  const height = Math.round((1280 * size.height) / size.width);
  return html`<figure class="label" data-label>
    <figcaption>
      <p class="small soft">
        ${origin(label)}, ${fileSize(label.bytes)},
        <span class="nowrap">SHA-256 <code title="${label.sha256}">${label.sha256.slice(0, 8)}…</code></span
        >${copy ? html`. ${DEALER_COPY}` : ''}
      </p>
      <p class="label-links">
        <a href="/api/sticker/${vin}">${copy ? 'PDF' : 'Original PDF'}</a>
      </p>
    </figcaption>
    <a class="sheet" href="${picture(1920)}" title="Zoom" aria-label="Zoom in on the sticker">
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
