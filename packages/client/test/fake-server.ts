import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that sends what a test tells it to, for responses the real service never sends. */
export async function startFakeServer(
  respond: (path: string, response: http.ServerResponse, requestNumber: number) => void,
) {
  const requests: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    respond(request.url ?? '', response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
