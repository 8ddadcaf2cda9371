/**
 * The baseline: a `node:http` server with default options that sends the same status, headers and bytes and does nothing
 * else. Its parent process sends it the response.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BareTask {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

process.once('message', ({ status, headers, body }: BareTask) => {
  const bytes = Buffer.from(body);
  const server = createServer((req, res) => {
    res.writeHead(status, headers);
    if (req.method === 'HEAD' || status === 304) res.end();
    else res.end(bytes);
  });
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
