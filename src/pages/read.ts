import { SCRIPTS, PDFIUM } from './assets.ts';
import { moduleUrl } from './browser-modules.ts';
import { html, type Html } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext, PageHandler } from './page-context.ts';
import { contentPolicy, pageResponse } from './respond.ts';

/**
 * The picture of a page is a `blob:` URL. Scripts of this page connect to nothing; the worker, which has a policy of its own, loads
 * WebAssembly and data of VINs.
 */
const POLICY = contentPolicy({
  'img-src': "'self' data: blob:",
  'connect-src': "'none'",
  'worker-src': "'self'",
});

/** GET /read */
export function read(context: PageContext): PageHandler {
  return async (request) =>
    pageResponse(request, readPage(context), { headers: { 'content-security-policy': POLICY } });
}

function readPage({ baseUrl, vinAssets }: PageContext): Html {
  return layout({
    title: 'Read a window sticker you have',
    description:
      'Choose the PDF of a window sticker and see every price, option and fact on it. It’s read in your browser and never uploaded.',
    path: '/read',
    baseUrl,
    search: 'plain',
    scripts: [SCRIPTS.label, SCRIPTS.read],
    body: html`<h1>Read a window sticker you have</h1>
      <p class="lead">
        Choose the PDF of a sticker to see its prices, options and facts in a table, and whether the prices
        add up. It’s read in your browser: the file isn’t uploaded.
      </p>
      <noscript>
        <p class="notice">
          <strong>This page needs JavaScript,</strong> because your browser reads the file. Without it you can
          <a href="/">look up the sticker by VIN</a>.
        </p>
      </noscript>
      <div
        class="read-file takes-3"
        data-read="${moduleUrl('src/pages/read-worker')}"
        data-pdfium="${PDFIUM}"
        data-parts="${vinAssets.base}"
        data-label-script="${SCRIPTS.label}"
        data-viewer="${SCRIPTS.viewer}"
        hidden
      >
        <label for="pdf">Sticker as a PDF</label>
        <input id="pdf" type="file" accept="application/pdf,.pdf" aria-describedby="pdf-hint" />
        <p class="soft point" id="pdf-hint">Or drop it anywhere on this page.</p>
        <div class="progress-line" role="progressbar" aria-label="Reading the file" hidden></div>
        <p role="status"></p>
      </div>
      <div class="read-result"></div>
      ${ABOUT}`,
  });
}

const ABOUT = html`<section class="text">
  <h2>What it can read</h2>
  <p>
    The manufacturer’s own PDF of <a href="/makes">the makes that publish stickers</a>. A photo, a scan or a
    dealer’s own summary has no text that we could trust.
  </p>
  <p>
    The first time, your browser loads a PDF reader of 2 MB from this site. To read many files, use the
    <a href="/docs/clients">command line or the package</a>.
  </p>
</section>`;
