import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server whose responses a test decides, for what the real service never sends. */
export async function startFakeServer(
  respond: (path: string, response: http.ServerResponse, nth: number) => void,
) {
  const seen: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    seen.push(request);
    respond(request.url ?? '', response, seen.length);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
