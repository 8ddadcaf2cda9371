import type { LookupResult } from '../lookup/finding.ts';
import { BADGE_HEIGHT, badgeMarkdown, badgeMarkup, CARD, cardMarkup } from './embed-markup.ts';
import { copyRows } from './car-page.ts';
import { carTitle } from './everyday-words.ts';
import { html, type Html } from './html.ts';

/** The section of a sticker's page that shows what other sites can show, and what to copy for it. */
export function embedSnippet(baseUrl: string, result: LookupResult): Html {
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
