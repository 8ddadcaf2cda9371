import type { Server } from 'node:http';
import { createServer, type AddressInfo, type ListenOptions, type Server as Listening } from 'node:net';
import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createHttpServer } from './http/server.ts';
import type { Log } from './lib/log.ts';
import { VPIC_OLD_DAYS, vpicAgeDays } from './lib/vpic-age.ts';
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
export async function start(wanted: Config, log: Log): Promise<Running> {
  const { config, place, release } = await takePlace(wanted);
  const parts = await openParts(config, log).catch((error: unknown) => {
    release();
    throw error;
  });
  try {
    const server = createHttpServer(createApp(config, parts), config.baseUrl);
    await listen(server, place);
    const adminPort = await openAdminPort(config, parts);
    const { port } = server.address() as AddressInfo;
    log.info('listening', { port, store: parts.store.kind, vpic: parts.vpic.month });
    const days = vpicAgeDays(parts.vpic.month, Date.now());
    if (days > VPIC_OLD_DAYS)
      log.warn('vpic: the data is old; run "npm run vpic:fetch" and restart', {
        month: parts.vpic.month,
        days,
      });
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
    release();
    await parts.close();
    throw error;
  }
}

interface Place {
  config: Config;
  place: ListenOptions | Listening;
  /** Gives a port back that nobody came to listen on. */
  release(): void;
}

/**
 * Port 0 is any free one. It is taken before anything is built, because links name it; nobody can come before we say
 * which it is.
 */
async function takePlace(config: Config): Promise<Place> {
  const { port, host } = config;
  if (port !== 0) return { config, place: { port, host }, release() {} };
  const door = createServer();
  await listen(door, { port, host });
  const taken = (door.address() as AddressInfo).port;
  const baseUrl = config.baseUrl.replace(/^(http:\/\/localhost:)0$/, `$1${taken}`);
  return { config: { ...config, port: taken, baseUrl }, place: door, release: () => door.close() };
}

function listen(server: Listening, place: ListenOptions | Listening): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => resolve());
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
