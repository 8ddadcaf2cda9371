import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createHttpServer } from './http/server.ts';
import type { Log } from './log.ts';
import { openAdminPort } from './http/admin-port.ts';
import { openParts, type Parts } from './parts.ts';

export interface Running {
  /** Where it listens: `http://localhost:8080`. */
  origin: string;
  parts: Parts;
  /** Stops accepting, finishes what runs, closes the store. */
  close(): Promise<void>;
}

const DRAIN_MS = 10_000;

/** Configuration to parts to app to a listening server. */
export async function start(config: Config, log: Log): Promise<Running> {
  const parts = await openParts(config, log);
  try {
    const server = createHttpServer(createApp(config, parts), config.baseUrl);
    await listen(server, config.port, config.host);
    const adminPort = await openAdminPort(config, parts);
    const { port } = server.address() as AddressInfo;
    log.info('listening', { port, store: parts.store.kind, vpic: parts.vpic.month });
    return {
      origin: `http://localhost:${port}`,
      parts,
      async close() {
        log.info('stopping');
        await drain(server);
        await adminPort?.close();
        await parts.close();
        log.info('stopped');
      },
    };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

/** Requests under way get ten seconds; connections that only wait are closed at once. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that has had its answer must not hold the door open for its next request.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}
