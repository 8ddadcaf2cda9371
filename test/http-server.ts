import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** Starts an HTTP server for the duration of a test, and returns its URL. */
export async function startHttpServer(
  t: Pick<TestContext, 'after'>,
  respond: (request: http.IncomingMessage, response: http.ServerResponse) => void | Promise<void>,
): Promise<string> {
  const server = http.createServer((...exchange) => void respond(...exchange)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
