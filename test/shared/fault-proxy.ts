import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import type { Servers } from './servers.ts';

/** Network faults in front of a server. `pass` ends them. */
export const FAULTS = ['refuse', 'reset', 'slow', 'hang'] as const;
export type Fault = (typeof FAULTS)[number];

const SLOW_MS = 5000;

/** A TCP proxy in front of a server that can misbehave, for open connections as well as for new ones. */
export interface FaultProxy {
  port: number;
  set(mode: Fault | 'pass'): Promise<void>;
  stop(): Promise<void>;
}

export async function faultProxy(target: number): Promise<FaultProxy> {
  let mode: Fault | 'pass' = 'pass';
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();

  const delay = (action: () => void) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      action();
    }, SLOW_MS);
    timers.add(timer);
  };

  function forward(from: Socket, to: Socket): void {
    from.on('data', (bytes) => {
      if (mode === 'reset') from.resetAndDestroy();
      else if (mode === 'slow') delay(() => to.write(bytes));
      else if (mode !== 'hang') to.write(bytes);
    });
    from.on('end', () => {
      if (mode !== 'hang') to.end();
    });
    from.on('error', () => {});
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    sockets.add(from);
  }

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    forward(client, upstream);
    forward(upstream, client);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const closeAll = (method: 'destroy' | 'resetAndDestroy') => {
    for (const socket of sockets) socket[method]();
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;

  return {
    port,
    async set(next) {
      mode = next;
      if (next === 'reset') closeAll('resetAndDestroy');
      if (next === 'refuse' && server.listening) {
        const closed = once(server, 'close');
        server.close();
        closeAll('destroy');
        await closed;
      }
      if (next !== 'refuse' && !server.listening) await listen(port);
      // A connection that hung has lost bytes, so it can't continue.
      if (next === 'pass') closeAll('destroy');
    },
    async stop() {
      for (const timer of timers) clearTimeout(timer);
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      closeAll('destroy');
      await closed;
    },
  };
}

/** A fault proxy in front of each server, and the variables of a service that connects through them. */
export async function proxiesFor(servers: Servers, database: string) {
  const [postgres, redis, s3] = await Promise.all([
    faultProxy(servers.postgres.port),
    faultProxy(servers.redis.port),
    faultProxy(servers.s3.port),
  ]);
  return {
    postgres,
    redis,
    s3,
    env: {
      DATABASE_URL: servers.databaseUrl(database, postgres.port),
      REDIS_URL: servers.redisUrl(redis.port),
      S3_URL: servers.s3Url(s3.port),
    },
    async stop(): Promise<void> {
      await Promise.all([postgres.stop(), redis.stop(), s3.stop()]);
    },
  };
}
