import http from 'node:http';
import type { TestContext } from 'node:test';
import { listen } from '../src/lib/testing.ts';

/** Starts an HTTP server for the duration of a test, and returns its URL. */
export async function startHttpServer(
  t: Pick<TestContext, 'after'>,
  respond: (request: http.IncomingMessage, response: http.ServerResponse) => void | Promise<void>,
): Promise<string> {
  const server = http.createServer((...exchange) => void respond(...exchange));
  return `http://127.0.0.1:${await listen(t, server)}`;
}
