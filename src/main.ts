import { createServer, type AddressInfo, type ListenOptions, type Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import { openAdminPort } from './http/admin.ts';
import { createHttpApp } from './http/app.ts';
import { createPageLimit, openApiLimiter } from './http/limit.ts';
import { serveApi } from './http/routes.ts';
import { serveDocuments } from './http/service-routes.ts';
import type { Log } from './lib/log.ts';
import { specimens } from './lookup/specimens/index.ts';
import { VPIC_OLD_DAYS, vpicAgeDays } from './lookup/vpic-data.ts';
import { localBackends } from './mcp/backends.ts';
import { mcp } from './mcp/http.ts';
import { createMcpServer } from './mcp/server.ts';
import { pages, SITEMAP } from './pages/index.ts';
import { createVinAssets } from './pages/vin-assets.ts';
import { openRuntime, type Runtime, type RuntimeOptions } from './runtime.ts';
import { openDiscovery } from './site/discovery/discovery.ts';

interface Running {
  /** `http://localhost:8080` */
  origin: string;
  runtime: Runtime;
  /** Accepts requests for as long as clients may need to hear of it, finishes those in progress and closes the store. */
  close(acceptMs?: number): Promise<void>;
}

/** Opens the runtime and starts a listening server. */
export async function start(requested: Config, log: Log, options: RuntimeOptions = {}): Promise<Running> {
  const { config, target, release } = await reservePort(requested);
  const runtime = await openRuntime(config, log, options).catch((error: unknown) => {
    release();
    throw error;
  });
  let isStopping = false;
  let adminPort: Awaited<ReturnType<typeof openAdminPort>> = null;
  try {
    // First: if its port is in use, the service must not accept a request.
    adminPort = await openAdminPort(config, runtime, () => isStopping);
    const app = createApp(config, runtime);
    await app.ready();
    const { server } = app;
    await listen(server, target);
    const { port } = server.address() as AddressInfo;
    log.info('listening', { port, store: runtime.store.kind, vpic: runtime.vpic.month });
    const days = vpicAgeDays(runtime.vpic.month, Date.now());
    if (days > VPIC_OLD_DAYS)
      log.warn('vpic: the data is outdated; run "admin vpic update" and restart', {
        month: runtime.vpic.month,
        days,
      });
    return {
      origin: `http://localhost:${port}`,
      runtime,
      async close(acceptMs) {
        log.info('stopping');
        isStopping = true;
        await app.drain.run(acceptMs);
        await adminPort?.close();
        await runtime.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    release();
    await adminPort?.close();
    await runtime.close();
    throw error;
  }
}

interface ReservedPort {
  /** With the actual port. */
  config: Config;
  target: ListenOptions | NetServer;
  /** Frees the port if it isn't used after all. */
  release(): void;
}

/** Port 0 means any free port. It is reserved before anything else is opened, because `baseUrl` contains it. */
async function reservePort(config: Config): Promise<ReservedPort> {
  const { port, host } = config;
  if (port !== 0) return { config, target: { port, host }, release() {} };
  const reserved = createServer();
  await listen(reserved, { port, host });
  const { port: actual } = reserved.address() as AddressInfo;
  const baseUrl = config.baseUrl.replace(/^(http:\/\/localhost:)0$/, `$1${actual}`);
  return { config: { ...config, port: actual, baseUrl }, target: reserved, release: () => reserved.close() };
}

function listen(server: NetServer, target: ListenOptions | NetServer): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(target, () => resolve());
  });
}

const MB = 1024 * 1024;

/** Wires the routes together. */
function createApp(config: Config, runtime: Runtime): FastifyInstance {
  const { lookup, log, longWork, contacts, lifecycles, vpic } = runtime;
  const { baseUrl, securityContact } = config;
  const app = createHttpApp({
    ...runtime,
    baseUrl,
    trustedProxies: config.trustedProxies,
    limiter: openApiLimiter(config, runtime),
    pageLimit: config.limit && createPageLimit(),
    noteContact: contacts.note,
    lifecycle: lifecycles.of,
  });

  serveApi(app, { ...runtime, pdfCacheBytes: config.pdfCacheMb * MB });

  const shared = { ...runtime, baseUrl, month: vpic.month, specimens, now: Date.now };
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
