/**
 * The baseline: a `node:http` server with default options that sends the same status, headers and bytes and does nothing
 * else. Its parent process sends it the response.
 */
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CapturedResponse {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Uint8Array;
}

process.once('message', ({ status, headers, body }: CapturedResponse) => {
  const bytes = Buffer.from(body);
  const server = createServer((_req, res) => {
    res.writeHead(status, headers);
    if (status === 304) res.end();
    else res.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port));
});
process.once('disconnect', () => process.exit(0));
