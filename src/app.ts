import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Config } from './config.ts';
import { openDiscovery } from './site/discovery/open.ts';
import { createHeaders } from './http/headers.ts';
import { createLimiter, type Limiter } from './http/limit.ts';
import { createPageLimit, type PageLimit } from './http/page-limit.ts';
import { sharedLimiter } from './http/shared-limit.ts';
import { createListener, type Listener } from './http/listener.ts';
import { answeringHere } from './mcp/answering.ts';
import { createMcpEndpoint } from './mcp/http.ts';
import { createMcpServer } from './mcp/server.ts';
import { registerPages, routeOf, SITEMAP } from './pages/index.ts';
import { createVinAssets } from './pages/vin-assets.ts';
import type { Parts } from './parts.ts';
import { READERS } from './makers/read.ts';
import { specimens } from './lookup/specimens/index.ts';

const MB = 1024 * 1024;
/** The privacy page promises how long an address is known. */
const FORGET_MS = 500;
const FORGET_PAGES_MS = 10_000;

/**
 * The table of contents. `/api/` and the documents for programs are answered by plain functions (`http/routes.ts`),
 * the tools by `mcp/http.ts`; pages go through Hono.
 */
export function createApp(config: Config, parts: Parts): Listener {
  const { lookup, log, contacts, lifecycles } = parts;
  const { baseUrl } = config;
  const noteContact = contacts.note;
  const headers = createHeaders(baseUrl);

  const answering = answeringHere({ lookup, baseUrl, log });
  const mcp = createMcpEndpoint({
    baseUrl,
    log,
    noteContact,
    serverFor: (address) => createMcpServer(answering(address), baseUrl),
    preflight: headers.preflight,
  });

  const { month } = parts.vpic;
  const { securityContact } = config;
  const shared = { ...parts, baseUrl, month, specimens, now: Date.now };
  const { documents, library, board } = openDiscovery({
    ...shared,
    sitemap: SITEMAP,
    securityContact,
    limit: config.limit,
  });

  const app = new Hono<{ Bindings: HttpBindings }>();
  registerPages(app, {
    ...shared,
    headerSets: headers,
    library,
    board,
    vinAssets: createVinAssets(parts.vpic),
    reportTo: /[^\s<>]+@[^\s<>]+/.exec(config.smtpFrom ?? '')?.[0] ?? null,
  });

  const pages = getRequestListener(app.fetch);

  const listener = createListener(
    {
      lookup,
      store: parts.store,
      limiter: limiterOf(config, parts),
      pageLimit: pageLimitOf(config),
      log,
      metrics: parts.metrics,
      traced: parts.traces?.answered,
      baseUrl,
      trustedProxies: config.trustedProxies,
      cacheVersion: cacheVersion(month, baseUrl),
      pdfCacheBytes: config.pdfCacheMb * MB,
      month,
      vpic: parts.vpic,
      documents,
      noteContact,
      lifecycle: lifecycles.of,
      routeOf,
      // How long an answer in memory stays fresh is not for the wall clock to say.
      now: () => performance.now(),
    },
    (req, res, client) => (/^\/mcp(\?|$)/.test(req.url!) ? mcp.listen(req, res, client) : pages(req, res)),
  );
  const { traces } = parts;
  if (!traces) return listener;
  return (req, res, unmet) => traces.within(req, () => listener(req, res, unmet));
}

/** What a finished answer was made with: when any of it changes, kept answers are made anew. */
function cacheVersion(month: string, baseUrl: string): string {
  const readers = READERS.map(({ family, version }) => `${family}/${version}`).join(',');
  return hash('sha256', `2 ${month} ${readers} ${baseUrl}`, 'hex').slice(0, 16);
}

/** One limit over all instances where there are several. */
function limiterOf({ limit }: Config, { store, metrics }: Parts): Limiter | null {
  if (!limit) return null;
  const alone = createLimiter(() => performance.now(), undefined, limit);
  setInterval(() => alone.forget(), FORGET_MS).unref();
  if (!store.coordination) return alone;
  return sharedLimiter(store.coordination.redis, alone, () => metrics.count('monroney_limit_alone_total'));
}

/** Each instance counts for itself: this protects the instance, and a count over all would cost a page more than itself. */
function pageLimitOf({ limit }: Config): PageLimit | null {
  if (!limit) return null;
  const pages = createPageLimit(() => performance.now());
  setInterval(() => pages.forget(), FORGET_PAGES_MS).unref();
  return pages;
}
