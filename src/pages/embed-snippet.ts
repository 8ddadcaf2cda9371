import { escapeMarkup } from '../lib/markup.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { BADGE_HEIGHT } from './card/badge.ts';
import { copyRows } from './car-page.ts';
import { carTitle } from './everyday-words.ts';
import { html, type Html } from './html.ts';

/** The size of the card: enough for a long name. Sites may choose another. */
const CARD = { width: 420, height: 160 };

/** The section of a sticker's page that shows what other sites can show, and what to copy for it. */
export function embedSnippet(baseUrl: string, result: LookupResult): Html {
  const { vin, specimen } = result;
  const title = `${specimen ? 'Sample window' : 'Window'} sticker of the ${carTitle(result)}`;
  const [page, badge] = [`${baseUrl}/window-sticker/${vin}`, `${baseUrl}/badge/${vin}.svg`];
  const { width, height } = CARD;
  const attribute = escapeMarkup(title);
  const rows = [
    [
      'Card in HTML',
      `<iframe src="${baseUrl}/embed/${vin}" title="${attribute}" width="${width}" height="${height}" style="border:0;max-width:100%" loading="lazy"></iframe>`,
    ],
    [
      'Badge in HTML',
      `<a href="${page}"><img src="${badge}" alt="${attribute}" height="${BADGE_HEIGHT}" loading="lazy"></a>`,
    ],
    ['In Markdown', `[![${title.replace(/[\\[\]<>&*_`]/g, '\\$&')}](${badge})](${page})`],
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
          For many cars on one page, see <a href="/docs/on-your-site">stickers on your site</a>.
        </p>
      </details>
    </div>
  </section>`;
}
