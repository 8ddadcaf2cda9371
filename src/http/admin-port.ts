import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Metrics } from '../lib/metrics.ts';
import type { Store } from '../store/store.ts';

/** Serves Prometheus metrics and readiness to the operator. Listens on loopback unless ADMIN_HOST is set; HOST doesn't apply. */
export async function openAdminPort(
  config: { adminPort: number | null; adminHost: string },
  { metrics, store }: { metrics: Metrics; store: Pick<Store, 'ready'> },
): Promise<{ port: number; close(): Promise<void> } | null> {
  if (config.adminPort === null) return null;
  const server = createServer((req, res) => {
    if (req.url === '/metrics') {
      res.writeHead(200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' }).end(metrics.text());
    } else if (req.url === '/readyz') {
      store.ready().then(
        () => res.writeHead(200, { 'Content-Type': 'text/plain' }).end('ready\n'),
        () => res.writeHead(503, { 'Content-Type': 'text/plain' }).end('the store is not writable\n'),
      );
    } else {
      res.writeHead(404, { 'Content-Type': 'text/plain' }).end('available: /metrics and /readyz\n');
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.adminPort!, config.adminHost, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
