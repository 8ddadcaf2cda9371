import { hash } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { Config } from './config.ts';
import { openDiscovery } from './site/discovery/discovery.ts';
import { createHeaders } from './http/headers.ts';
import { createLimiter, type Limiter } from './http/limit.ts';
import { sharedLimiter } from './http/shared-limiter.ts';
import { createPageLimit, type PageLimit } from './http/page-limit.ts';
import { createListener, type Listener } from './http/listener.ts';
import { localBackends } from './mcp/backends.ts';
import { createMcpEndpoint } from './mcp/http.ts';
import { createDirectCall } from './mcp/direct-call.ts';
import { createMcpServer } from './mcp/server.ts';
import { registerPages, routeOf, SITEMAP } from './pages/index.ts';
import { createVinAssets } from './pages/vin-assets.ts';
import type { Runtime } from './runtime.ts';
import { READERS } from './makers/read.ts';
import { specimens } from './lookup/specimens/index.ts';

const MB = 1024 * 1024;
/** How often expired IP addresses are dropped. The privacy page states how long we keep them. */
const FORGET_CLIENTS_MS = 500;
const FORGET_PAGE_CLIENTS_MS = 10_000;

/**
 * Wires the routes together: plain functions handle `/api/`, `/vpic/` and the machine-readable documents
 * (`http/routes.ts`), `mcp/http.ts` handles the tools, and Hono handles the pages.
 */
export function createApp(config: Config, runtime: Runtime): Listener {
  const { lookup, log, contacts, lifecycles } = runtime;
  const { baseUrl } = config;
  const noteContact = contacts.note;
  const headerSets = createHeaders(baseUrl);

  const backendFor = localBackends({ lookup, baseUrl, log });
  const mcp = createMcpEndpoint({
    baseUrl,
    log,
    noteContact,
    serverFor: (...client) => createMcpServer(backendFor(...client), baseUrl),
    directCall: createDirectCall(backendFor, baseUrl),
    preflight: headerSets.preflight,
  });

  const { month } = runtime.vpic;
  const { securityContact } = config;
  const shared = { ...runtime, baseUrl, month, specimens, now: Date.now };
  const { documents, library, board } = openDiscovery({
    ...shared,
    sitemap: SITEMAP,
    securityContact,
    limit: config.limit,
  });

  const app = new Hono<{ Bindings: HttpBindings }>();
  registerPages(app, {
    ...shared,
    headerSets,
    library,
    board,
    vinAssets: createVinAssets(runtime.vpic),
    reportTo: /(?<![^\s<>])[^\s<>]+@[^\s<>]+/.exec(config.smtpFrom ?? '')?.[0] ?? null,
  });

  const pages = getRequestListener(app.fetch);

  const listener = createListener(
    {
      lookup,
      store: runtime.store,
      limiter: limiterOf(config, runtime),
      pageLimit: pageLimitOf(config),
      log,
      metrics: runtime.metrics,
      endRequestSpan: runtime.traces?.endRequestSpan,
      baseUrl,
      trustedProxies: config.trustedProxies,
      cacheVersion: cacheVersion(month, baseUrl),
      pdfCacheBytes: config.pdfCacheMb * MB,
      month,
      vpic: runtime.vpic,
      documents,
      noteContact,
      lifecycle: lifecycles.of,
      routeOf,
      // Monotonic: setting the wall clock must not change how long cached responses stay fresh.
      now: () => performance.now(),
    },
    (req, res, client) => (/^\/mcp(\?|$)/.test(req.url!) ? mcp.listen(req, res, client) : pages(req, res)),
  );
  const { traces } = runtime;
  if (!traces) return listener;
  return (req, res, unsupportedExpect) => traces.within(req, () => listener(req, res, unsupportedExpect));
}

/** Identifies everything that a cached response depends on. When any of it changes, cached responses are ignored. */
function cacheVersion(month: string, baseUrl: string): string {
  const readers = READERS.map(({ family, version }) => `${family}/${version}`).join(',');
  return hash('sha256', `4 ${month} ${readers} ${baseUrl}`, 'hex').slice(0, 16);
}

/** Instances that share a store share the count. */
function limiterOf({ limit }: Config, { store, metrics }: Runtime): Limiter | null {
  if (!limit) return null;
  const local = createLimiter(() => performance.now(), undefined, limit);
  setInterval(() => local.forget(), FORGET_CLIENTS_MS).unref();
  if (!store.coordination) return local;
  return sharedLimiter(store.coordination.redis, local, () => metrics.count('monroney_limit_alone_total'));
}

/** Per instance, because it protects the instance: a shared count would cost more than serving the page. */
function pageLimitOf({ limit }: Config): PageLimit | null {
  if (!limit) return null;
  const pages = createPageLimit(() => performance.now());
  setInterval(() => pages.forget(), FORGET_PAGE_CLIENTS_MS).unref();
  return pages;
}
