import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/**
 * A port of the loopback address that nothing uses: the preferred one if it is free. Others are below those that systems
 * give to outgoing connections, one of which could take it before it is used.
 */
export async function freePort(preferred = randomInt(10_000, 32_000)): Promise<number> {
  const server = createServer().listen(preferred, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
