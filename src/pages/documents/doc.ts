import { html, raw } from 'hono/html';
import type { DocPage } from '../../site/docs/page.ts';
import type { Html } from '../layout.ts';
import type { PageContext } from '../page-context.ts';
import { annotate } from './annotated.ts';
import { folded, markup } from './markdown.ts';

const GUIDE = '/docs/how-to-read-a-sticker';

/** A documentation page with the table of contents beside it. */
export async function docBody(page: DocPage, { library }: PageContext): Promise<Html> {
  const text = markup(await page.markdown());
  return html`<div class="doc">
    <article class="prose">
      ${page.path === GUIDE ? annotate(text) : raw(page.collapsible ? folded(text) : text)}
    </article>
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

/** GET /docs: the table of contents. */
export function contentsBody({ library }: PageContext): Html {
  return html`<h1>Documentation</h1>
    <p class="lead">Each page is also available as Markdown: add <code>.md</code> to its URL.</p>
    ${library.groups.map(
      ({ name, pages }) =>
        html`<section class="six-ten">
          <h2>${name}</h2>
          <ul class="index">
            ${pages.map(
              ({ path, title, description }) =>
                html`<li><a href="${path}">${title}</a><span class="soft">${description}</span></li>`,
            )}
          </ul>
        </section>`,
    )}`;
}
