import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import type { Metrics } from '../lib/metrics.ts';
import { withTimeout } from '../lib/promises.ts';
import type { Store } from '../store/store.ts';
import { WITHOUT_SCHEMAS } from './server.ts';

/** A scrape doesn't wait longer for a store that hangs. */
const PROBE_MS = 5000;

/** Serves Prometheus metrics and readiness to the operator. Listens on loopback unless ADMIN_HOST is set; HOST doesn't apply. */
export async function openAdminPort(
  { adminPort, adminHost }: { adminPort: number | null; adminHost: string },
  { metrics, store }: { metrics: Metrics; store: Pick<Store, 'ready'> },
  isStopping: () => boolean,
): Promise<{ port: number; close(): Promise<void> } | null> {
  if (adminPort === null) return null;
  let isWritable = true;
  metrics.read('monroney_store_writable', () => Number(isWritable));
  metrics.read('monroney_ready', () => Number(isWritable && !isStopping()));
  const app = fastify({ forceCloseConnections: true, schemaController: WITHOUT_SCHEMAS });
  app.addHook('onRequest', (_, reply, done) => {
    reply.type('text/plain');
    done();
  });
  app.get('/metrics', async (_, reply) => {
    const writing = store.ready().then(
      () => true,
      () => false,
    );
    isWritable = await withTimeout(PROBE_MS, writing, false);
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(metrics.text());
  });
  app.get('/readyz', async (_, reply) => {
    if (isStopping()) return reply.code(503).send('the service is stopping\n');
    try {
      await store.ready();
      return 'ready\n';
    } catch (error) {
      return reply.code(503).send(`the store is not writable: ${(error as Error).message}\n`);
    }
  });
  app.setNotFoundHandler(({ url }, reply) => {
    const isKnown = app.hasRoute({ method: 'GET', url });
    if (isKnown) return reply.code(405).header('allow', 'GET, HEAD').send('use GET\n');
    return reply.code(404).send('available: /metrics and /readyz\n');
  });
  await app.listen({ port: adminPort, host: adminHost });
  return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
}
