import { performance } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { openDiscovery } from './site/discovery/discovery.ts';
import { createHttpApp } from './http/app.ts';
import { serveDocuments } from './http/service-routes.ts';
import { serveApi } from './http/routes.ts';
import { budgetOf, PAGE_BUDGET, type ApiLimiter } from './http/limit.ts';
import { createLimiter, createSharedLimiter, type Limiter } from './lib/limits.ts';
import { localBackends } from './mcp/backends.ts';
import { mcp } from './mcp/http.ts';
import { createMcpServer } from './mcp/server.ts';
import { pages, SITEMAP } from './pages/index.ts';
import { createVinAssets } from './pages/vin-assets.ts';
import type { Runtime } from './runtime.ts';
import { specimens } from './lookup/specimens/index.ts';

const MB = 1024 * 1024;

/** Wires the routes together. */
export function createApp(config: Config, runtime: Runtime): FastifyInstance {
  const { lookup, log, longWork, outages, contacts, lifecycles, metrics, store, vpic } = runtime;
  const { baseUrl, trustedProxies, securityContact } = config;
  const { month } = vpic;
  const app = createHttpApp({
    baseUrl,
    trustedProxies,
    log,
    metrics,
    memory: runtime.memory,
    limiter: limiterOf(config, runtime),
    pageLimit: pageLimitOf(config),
    noteContact: contacts.note,
    lifecycle: lifecycles.of,
  });

  serveApi(app, {
    lookup,
    store,
    log,
    metrics,
    pdfCacheBytes: config.pdfCacheMb * MB,
    month,
    vpic,
    longWork,
    outages,
    // Monotonic: setting the wall clock must not change how long cached responses stay fresh.
    now: () => performance.now(),
  });

  const shared = { ...runtime, baseUrl, month, specimens, now: Date.now };
  const { documents, library, board } = openDiscovery({
    ...shared,
    sitemap: SITEMAP,
    securityContact,
    limit: config.limit,
    contactDays: config.contactDays,
  });
  serveDocuments(app, documents);

  const backendFor = localBackends({ lookup, longWork, baseUrl, status: board.report, log });
  void app.register(mcp, {
    log,
    noteContact: contacts.note,
    serverFor: (...client) => createMcpServer(backendFor(...client), baseUrl),
  });
  void app.register(pages, {
    ...shared,
    library,
    board,
    vinAssets: createVinAssets(vpic),
    contact: config.contact ?? senderOf(config),
  });
  return app;
}

/** Who sends notices is also who reads what people write. */
function senderOf({ smtpFrom }: Config): string | null {
  const address = /(?<![^\s<>])[^\s<>]+@[^\s<>]+/.exec(smtpFrom ?? '')?.[0];
  return address ? `mailto:${address}` : null;
}

/** Instances that share a store share the count. */
function limiterOf({ limit: policy, databaseUrl }: Config, { store, metrics }: Runtime): ApiLimiter | null {
  if (!policy) return null;
  const budget = budgetOf(policy);
  const local = createLimiter(budget, () => performance.now());
  if (!store.coordination) return { policy, take: local.take };
  const { take } = createSharedLimiter(store.coordination.redis, 'limit', budget, {
    // All instances know this, and nobody else does.
    secret: String(databaseUrl),
    local,
    alone: () => metrics.count('monroney_limit_alone_total'),
  });
  return { policy, take };
}

/** Per instance, because it protects the instance: a shared count would cost more than serving the page. */
function pageLimitOf({ limit }: Config): Limiter | null {
  if (!limit) return null;
  return createLimiter(PAGE_BUDGET, () => performance.now());
}
