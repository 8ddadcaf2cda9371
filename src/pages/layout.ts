import { html, type Html } from './html.ts';
import { SCRIPTS, STYLES } from './assets.ts';
import { SCAN_BUTTON, TYPED_VIN } from './vin-cells.ts';

interface Layout {
  /** Followed by " · Monroney", except on the home page. */
  title: string;
  /** One or two sentences for search results and previews. */
  description: string;
  /** Path of this page without the query: `/status`. */
  path: string;
  /** The query, if the page is another one without it: `?vins=…`. */
  query?: string;
  body: Html;
  baseUrl: string;
  /** More for the head: Open Graph tags, JSON-LD, alternates. */
  head?: Html;
  noindex?: boolean;
  /** Whether the header has a VIN field: not where the page has the large one; without its script where scripts may load nothing. */
  search?: boolean | 'plain';
  /** Paths from `SCRIPTS`, loaded as modules. */
  scripts?: readonly string[];
}

const NAV = [
  ['/makes', 'Makes'],
  ['/compare', 'Compare'],
  ['/docs/how-to-read-a-sticker', 'How to read'],
  ['/docs/api', 'API'],
] as const;

const FOOT = [
  ['/status', 'Status'],
  ['/docs/privacy', 'Privacy'],
  ['/contact', 'Contact'],
  ['/docs/monroney-label', 'About stickers'],
  ['/docs', 'Docs'],
  ['/connect', 'AI assistants'],
  ['/llms.txt', 'llms.txt'],
  ['/.well-known/security.txt', 'Security'],
] as const;

/** The logo: a sticker's outline. */
const LOGO = html`<svg
  viewBox="0 0 28 19"
  aria-hidden="true"
  fill="none"
  stroke="currentColor"
  stroke-width="2"
>
  <path d="M1 1h26v17H1zM14 1v17M14 9.5h13M5 6h5" />
</svg>`;

/** The VIN field in the header. /find extracts the VIN from pasted text. */
const SEARCH = html`<form class="top-find" action="/find" method="get" role="search" data-vin-field>
  <label class="visually-hidden" for="top-vin">Look up a VIN</label>
  <input
    id="top-vin"
    name="vin"
    placeholder="VIN"
    ${TYPED_VIN}
    enterkeyhint="go"
    required
    aria-describedby="top-vin-message"
  />${SCAN_BUTTON}<button>Find</button>
  <div class="top-find-says">
    <p class="vin-message" id="top-vin-message" aria-live="polite" hidden></p>
    <p class="vin-decoded" aria-live="polite" hidden></p>
  </div>
</form>`;

/** A complete page with header and footer. */
export function layout(page: Layout): Html {
  const { path, baseUrl, description, noindex = false, search = true } = page;
  const scripts = [...(search === 'plain' ? [] : [SCRIPTS.vinField]), ...(page.scripts ?? [])];
  const url = `${baseUrl}${path}${page.query ?? ''}`;
  const title = path === '/' ? page.title : `${page.title} · Monroney`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${description}" />
        ${noindex ? html`<meta name="robots" content="noindex" />` : html`<link rel="canonical" href="${url}" />`}
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#121210" media="(prefers-color-scheme: dark)" />
        <meta property="og:title" content="${page.title}" />
        <meta property="og:description" content="${description}" />
        <meta property="og:url" content="${url}" />
        <meta property="og:site_name" content="Monroney" />
        <link rel="stylesheet" href="${STYLES}" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link rel="manifest" href="/manifest.webmanifest" />
        ${scripts.map((src) => html`<script type="module" src="${src}"></script>`)}${page.head ?? ''}
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header class="top">
          <div class="wide">
            <a class="name" href="/">${LOGO}<span>Monroney</span></a>
            ${search ? SEARCH : ''}
            <nav aria-label="Main">
              <ul>
                ${NAV.map(([href, name]) => html`<li><a href="${href}" ${isCurrent(path, href) ? html` aria-current="page"` : ''}>${name}</a></li>`)}
              </ul>
            </nav>
          </div>
        </header>
        <main id="content"><div class="wide">${page.body}</div></main>
        <p class="print-url">${url}</p>
        <footer class="foot">
          <div class="wide">
            <p>Stickers are shown as they were published, unchanged. No account, no key, no cookies.</p>
            <ul>
              ${FOOT.map(([href, name]) => html`<li><a href="${href}">${name}</a></li>`)}
            </ul>
          </div>
        </footer>
      </body>
    </html> `;
}

function isCurrent(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}
