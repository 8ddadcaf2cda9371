import type { Handler, Hono } from 'hono';
import { duration } from '../lib/words.ts';
import { Busy } from '../lookup/derived-cache.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import { registerAssets, registerBarcodeAssets } from './assets.ts';
import { REDIRECTS, registerDocuments } from './documents/register.ts';
import { refusedPages } from '../http/page-limit.ts';
import { sendError, sendProblem, tooManyRequests, wantsHtml } from './send.ts';
import type { PageEnv, PageContext } from './page-context.ts';

export type { PageContext } from './page-context.ts';

/** One row of the table of pages. */
interface PageRoute {
  /** As in the log: `/window-sticker/{vin}`. */
  template: string;
  /** Creates the handler of GET, or of GET and POST. Left out if the path is registered elsewhere. */
  open?(context: PageContext): Handler<PageEnv> | { get: Handler<PageEnv>; post: Handler<PageEnv> };
  /** Listed in the sitemap, with the specimens for `{vin}`. */
  inSitemap?: true;
  /** Matches the paths of the template, if each `{name}` isn't simply one segment. */
  pattern?: RegExp;
}

/**
 * The route table of the pages. The router, the log's templates and the sitemap are derived from it. Each line imports its
 * file, so that adding a page takes one file and one line.
 */
const PAGES: readonly PageRoute[] = [
  { template: '/', open: (await import('./home.ts')).home, inSitemap: true },
  { template: '/find', open: (await import('./find.ts')).find },
  { template: '/window-sticker/{vin}', open: (await import('./sticker.ts')).sticker, inSitemap: true },
  { template: '/window-sticker/{vin}/picture', open: (await import('./sticker-images.ts')).picture },
  { template: '/window-sticker/{vin}/preview.png', open: (await import('./sticker-images.ts')).linkPreview },
  { template: '/window-sticker/{vin}/ready', open: (await import('./no-label.ts')).ready },
  { template: '/compare', open: (await import('./compare.ts')).compare, inSitemap: true },
  { template: '/unsubscribe', open: (await import('./unsubscribe.ts')).unsubscribe },
  // Registered by registerDocuments.
  { template: '/makes' },
  { template: '/makes/{make}', pattern: /^\/makes?\/[^/]*$/ },
  { template: '/status' },
  { template: '/docs' },
  { template: '/docs/{page}', pattern: /^\/docs\/[\w-]+(\/[\w-]+)?$/ },
  { template: '/connect' },
  { template: '/errors/{reason}' },
  ...Object.keys(REDIRECTS).map((template) => ({ template })),
  { template: '/assets/{file}' },
  { template: '/assets/barcode/{file}', pattern: /^\/assets\/barcode-[0-9a-f]+\/[^/]*$/ },
  { template: '/assets/vin/{file}', pattern: /^\/assets\/vin-[0-9a-f]+\/[^/]*$/ },
  { template: '/mcp' },
];

/** Templates of the pages in the sitemap. */
export const SITEMAP: readonly string[] = PAGES.filter(({ inSitemap }) => inSitemap).map(
  ({ template }) => template,
);

export function registerPages(app: Hono<PageEnv>, context: PageContext): void {
  const refuse = tooManyRequests(context);
  app.use(async (c, next) => {
    const wait = refusedPages.get(c.env.incoming);
    return wait === undefined ? next() : refuse(c, wait);
  });
  registerAssets(app);
  registerBarcodeAssets(app);
  context.vinAssets.register(app);
  // Assets aren't counted, so a client must not get pages from here: rendering one takes milliseconds.
  app.get('/assets/*', (c) =>
    sendProblem(c, context, { reason: 'not-found', detail: 'There is no file at this URL.' }),
  );
  registerDocuments(app, context);
  for (const { template, open } of PAGES) {
    if (!open) continue;
    const handler = open(context);
    const path = template.replace(/\{(\w+)\}/g, ':$1');
    if (typeof handler === 'function') app.get(path, handler);
    else app.get(path, handler.get).post(handler.post);
  }

  app.notFound((c) => {
    const { method } = c.req;
    if (method !== 'GET' && method !== 'HEAD' && routeOf(c.req.path) !== UNKNOWN_ROUTE) {
      const detail = `${method.slice(0, 20)} isn’t supported here. Use GET or HEAD.`;
      return sendError(c, context, {
        reason: 'method-not-allowed',
        detail,
        headers: { Allow: 'GET, HEAD' },
      });
    }
    const withoutSlash = c.req.path.replace(/\/$/, '');
    // Only to a route of ours: `//example.com/` would lead to another site.
    if (withoutSlash !== c.req.path && routeOf(withoutSlash) !== UNKNOWN_ROUTE)
      return c.redirect(withoutSlash + new URL(c.req.url).search, 308);
    const vin = VIN_AT_END.exec(c.req.path)?.[1];
    if (vin && wantsHtml(c)) return c.redirect(`/window-sticker/${vin.toUpperCase()}`, 308);
    const detail = wantsHtml(c)
      ? 'There is no page at this URL. Check it for typos, or enter a VIN at the top of this page.'
      : 'There is nothing at this URL. The API is described at /openapi.json.';
    return sendError(c, context, { reason: 'not-found', detail });
  });
  app.onError((error, c) => {
    if (error instanceof StoreUnavailable || error instanceof LabelMissing) {
      context.log.debug('store unavailable', { error: error.message });
      const detail = `${STORE_UNAVAILABLE}. Try again in 10 seconds.`;
      return sendError(c, context, { reason: 'store-unavailable', detail, retryAfter: 10 });
    }
    if (error instanceof Busy) {
      const detail = `We’re processing too many PDFs right now. Try again in ${duration(error.retryAfter)}.`;
      return sendError(c, context, { reason: 'busy', detail, retryAfter: error.retryAfter });
    }
    context.log.error('request failed', { route: routeOf(c.req.path), error: error.stack ?? error.message });
    return sendError(c, context, {
      reason: 'internal',
      detail: 'Something went wrong on our side, and we’ve logged it. Try again in a minute.',
    });
  });
}

const UNKNOWN_ROUTE = '/*';
/** People guess URLs such as `/vin/{vin}`, or put a VIN right after our name. */
const VIN_AT_END = /\/([A-HJ-NPR-Z0-9]{17})\/?$/i;

const FIXED_TEMPLATES = new Set(
  PAGES.map(({ template }) => template).filter((template) => !template.includes('{')),
);
const PATTERNS: readonly [RegExp, string][] = PAGES.filter(
  ({ template }) => !FIXED_TEMPLATES.has(template),
).map(({ template, pattern }) => [
  // oxlint-disable-next-line patterns/linear -- Anchored, and each repetition ends at a slash.
  pattern ?? new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]*')}$`),
  template,
]);

/** The template of a path, for logs and metrics, which must never contain what a visitor typed, such as a VIN. */
export function routeOf(path: string): string {
  const page = path.replace(/\.md$/, '');
  if (FIXED_TEMPLATES.has(page)) return page;
  return PATTERNS.find(([pattern]) => pattern.test(page))?.[1] ?? UNKNOWN_ROUTE;
}
