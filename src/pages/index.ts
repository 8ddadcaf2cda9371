import type { Hono } from 'hono';
import { duration } from '../lib/words.ts';
import { Busy } from '../lookup/derived-cache.ts';
import { StoreUnavailable } from '../store/store.ts';
import { headOf } from '../http/head.ts';
import { registerAssets } from './assets.ts';
import { ELSEWHERE, registerDocuments } from './documents/register.ts';
import { refusedPages } from '../http/page-limit.ts';
import { sendError, tooManyRequests } from './errors.ts';
import { compare } from './compare.ts';
import { find } from './find.ts';
import { home } from './home.ts';
import { linkPreview } from './link-preview.ts';
import { picture, ready } from './sticker-more.ts';
import { sticker } from './sticker.ts';
import { unsubscribe } from './unsubscribe.ts';
import type { PageEnv, PageParts } from './parts.ts';

export type { PageParts } from './parts.ts';

/** The pages, one line each. */
export function registerPages(app: Hono<PageEnv>, parts: PageParts): void {
  const refuse = tooManyRequests(parts);
  app.use(async (c, next) => {
    const wait = refusedPages.get(c.env.incoming);
    return wait === undefined ? next() : refuse(c, wait);
  });
  registerAssets(app);
  parts.vinAssets.register(app);
  registerDocuments(app, parts);
  app.get('/', home(parts));
  app.get('/find', find(parts));
  app.get('/window-sticker/:vin', sticker(parts));
  app.get('/window-sticker/:vin/picture', picture(parts));
  app.get('/window-sticker/:vin/preview.png', linkPreview(parts));
  app.get('/window-sticker/:vin/ready', ready(parts));
  app.get('/compare', compare(parts));
  const { ask, end } = unsubscribe(parts);
  app.get('/unsubscribe', ask).post(end);

  app.notFound((c) => {
    const { method } = c.req;
    if (method !== 'GET' && method !== 'HEAD' && routeOf(c.req.path) !== UNKNOWN) {
      const detail = `${method.slice(0, 20)} isn’t supported here. Use GET or HEAD.`;
      return sendError(c, parts, {
        reason: 'method-not-allowed',
        detail,
        head: headOf('Allow', 'GET, HEAD'),
      });
    }
    return sendError(c, parts, {
      reason: 'not-found',
      detail: 'There is no page at this URL. Check it for typos, or enter a VIN at the top of this page.',
    });
  });
  app.onError((error, c) => {
    if (error instanceof StoreUnavailable) {
      parts.log.warn('store unavailable', { error: error.message });
      const detail = 'Sticker storage is temporarily unavailable. Try again in 10 seconds.';
      return sendError(c, parts, { reason: 'store-unavailable', detail, retryAfter: 10 });
    }
    if (error instanceof Busy) {
      const detail = `Too many labels are being opened just now. Please try again in ${duration(error.retryAfter)}.`;
      return sendError(c, parts, { reason: 'busy', detail, retryAfter: error.retryAfter });
    }
    parts.log.error('crash', { route: routeOf(c.req.path), error: error.stack ?? error.message });
    return sendError(c, parts, {
      reason: 'internal',
      detail: 'Something went wrong on our side, and we’ve logged it. Try again in a minute.',
    });
  });
}

const UNKNOWN = '/*';

/** Pages whose path is itself the template. */
const FIXED = new Set([
  '/',
  '/find',
  '/compare',
  '/unsubscribe',
  '/makes',
  '/status',
  '/docs',
  '/connect',
  '/mcp',
  ...Object.keys(ELSEWHERE),
]);

const TEMPLATES: readonly [RegExp, string][] = [
  [/^\/window-sticker\/[^/]*$/, '/window-sticker/{vin}'],
  [/^\/window-sticker\/[^/]*\/ready$/, '/window-sticker/{vin}/ready'],
  [/^\/window-sticker\/[^/]*\/preview\.png$/, '/window-sticker/{vin}/preview.png'],
  [/^\/window-sticker\/[^/]*\/picture$/, '/window-sticker/{vin}/picture'],
  [/^\/makes?\/[^/]*$/, '/makes/{make}'],
  [/^\/docs\/[\w-]+(\/[\w-]+)?$/, '/docs/{page}'],
  [/^\/errors\/[^/]*$/, '/errors/{reason}'],
  [/^\/assets\/[^/]*$/, '/assets/{file}'],
  [/^\/assets\/vin-[0-9a-f]+\/[^/]*$/, '/assets/vin/{file}'],
];

/** The template of a path, for logs and counts: what a visitor typed, a VIN above all, never gets there. */
export function routeOf(path: string): string {
  const page = path.replace(/\.md$/, '');
  if (FIXED.has(page)) return page;
  return TEMPLATES.find(([pattern]) => pattern.test(page))?.[1] ?? UNKNOWN;
}
