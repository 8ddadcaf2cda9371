import { MAX_ROWS } from './inventory/list.ts';
import { moduleUrl } from './browser-modules.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { pageResponse } from './respond.ts';

/** GET /inventory */
export function inventory(context: PageContext): PageHandler {
  return async (request) => pageResponse(request, inventoryPage(context));
}

function inventoryPage({ baseUrl }: PageContext): Html {
  return layout({
    title: 'Window stickers for a whole lot',
    description:
      'Paste VINs or drop your inventory file: vehicles at once, prices when new one after another, out as CSV and as cards for your site.',
    path: '/inventory',
    baseUrl,
    scripts: [moduleUrl('src/pages/inventory/main')],
    body: html`<h1>Window stickers for a whole lot</h1>
      <p class="lead">
        Paste VINs or a table, or choose a CSV or Excel file. You get each car’s price when new, the
        difference to your price, and cards and badges for your site. Up to ${MAX_ROWS} cars.
      </p>
      <noscript>
        <p class="notice">
          <strong>This page needs JavaScript,</strong> because your browser reads the list. Without it you can
          <a href="/">look up one car</a>, or use the <a href="#command">command</a> below.
        </p>
      </noscript>
      <div class="lot" data-inventory data-base-url="${baseUrl}" hidden>
        <form class="lot-form">
          <label for="lot-text">VINs, or a table from a spreadsheet</label>
          <textarea
            id="lot-text"
            rows="6"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
          ></textarea>
          <div class="actions">
            <button class="button">Look up</button>
            <label for="lot-file">or a file (CSV, Excel)</label>
            <input id="lot-file" type="file" accept=".csv,.tsv,.txt,.xlsx" />
          </div>
          <p class="small soft">
            The list stays in this browser: only VINs are sent, never your file. You can also drop the file
            anywhere on this page.
          </p>
        </form>
        <div class="lot-sheets" hidden></div>
        <p class="notice" role="alert" hidden></p>
        <section class="lot-progress" aria-label="Progress" hidden>
          <ul class="lot-notices small"></ul>
          <progress aria-label="Cars looked up"></progress>
          <p class="lot-state"></p>
          <p class="visually-hidden" role="status"></p>
          <p class="lot-price small"></p>
          <div class="actions">
            <button type="button" class="button" data-pause>Pause</button>
            <button type="button" data-csv>Download CSV</button>
            <button type="button" data-snippets>Download cards and badges</button>
            <button type="button" class="plain" data-forget>Forget this list</button>
          </div>
        </section>
        <section class="lot-missing" hidden></section>
        <section class="lot-cars" hidden></section>
      </div>
      ${about(baseUrl)}`,
  });
}

const about = (baseUrl: string): Html =>
  html`<section class="text" id="command">
    <h2>How it works</h2>
    <p>
      Vehicles appear at once, then the stickers that we have, then new ones from the manufacturers. The page
      takes its time, so that you can use the rest of this site meanwhile. You can pause, close the page and
      come back.
    </p>
    <p>
      For more than ${MAX_ROWS} cars, or every night by itself, use the command. It writes the same columns:
    </p>
    <pre
      class="lot-command"
    ><code>monroney enrich inventory.csv -o out.csv <span class="nowrap">--url</span> ${baseUrl}</code></pre>
    <p>To install it, run this in a copy of the source, with Node 24 or newer:</p>
    <pre
      class="lot-command"
    ><code>npm ci &amp;&amp; npm run pack &amp;&amp; npm install <span class="nowrap">--global</span> ./dist/*.tgz</code></pre>
    <p><a href="/docs/on-your-site">Show the stickers on your site</a>.</p>
  </section>`;
