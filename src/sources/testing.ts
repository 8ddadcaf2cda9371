import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { openFetch, type FetchOptions, type FetchRequest } from './fetch.ts';

/** For the tests of outgoing requests. */

/** With a timeout that no test waits for. */
export const wanted: FetchRequest = {
  url: 'https://www.kia.com/a/b?c=d',
  hosts: ['www.kia.com'],
  ms: 600_000,
};

/** Lets everything that has arrived on loopback be read. */
export async function turns(count = 100): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Opens servers that play a source, and fetches from them. `close` closes all of them. */
export function createFetchBench() {
  const closers: (() => void)[] = [];

  async function listen(server: Server): Promise<string> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function serve(listener: http.RequestListener): Promise<string> {
    const server = http.createServer(listener);
    closers.push(() => server.closeAllConnections());
    return listen(server);
  }

  function open(options: Partial<FetchOptions> = {}) {
    const fetch = openFetch({ baseUrl: 'https://stickers.example', ...options });
    closers.push(() => fetch.close());
    return fetch;
  }

  async function reasonOf(fetch: ReturnType<typeof open>, more: Partial<FetchRequest> = {}): Promise<string> {
    const fetched = await fetch({ ...wanted, ...more });
    return fetched.ok ? `answered ${fetched.status}` : fetched.reason;
  }

  return { listen, serve, open, reasonOf, close: () => closers.forEach((close) => close()) };
}
