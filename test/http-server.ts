import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** Starts an HTTP server for the duration of a test, and returns its URL. */
export async function startHttpServer(
  t: Pick<TestContext, 'after'>,
  respond: http.RequestListener,
): Promise<string> {
  const server = http.createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
