/**
 * The baseline: a `node:http` server with default options that sends the same status, headers and bytes and does nothing
 * else, or pipes a file. Its parent process sends it the response.
 */
import { createReadStream } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface BareTask {
  status: number;
  headers: Record<string, string>;
  body: Uint8Array;
  /** Send these files in turn instead of `body`. */
  files?: string[];
  /** With the optimizations the service uses: flat header list, one latin1 string, `optimizeEmptyRequests`. */
  sameForm?: boolean;
}

process.once('message', ({ status, headers, body, files, sameForm }: BareTask) => {
  const bytes = Buffer.from(body);
  const headerList = Object.entries(headers).flat();
  const text = bytes.toString('latin1');
  let nextFile = 0;
  const plain: RequestListener = (req, res) => {
    res.writeHead(status, headers);
    if (req.method === 'HEAD' || status === 304) res.end();
    else res.end(bytes);
  };
  const fast: RequestListener = (req, res) => {
    res.writeHead(status, headerList);
    if (req.method === 'HEAD' || status === 304) res.end();
    else res.end(text, 'latin1');
  };
  const piping: RequestListener = (_, res) => {
    res.writeHead(status, headers);
    createReadStream(files![nextFile++ % files!.length]!).pipe(res);
  };
  const listener = files ? piping : sameForm ? fast : plain;
  const server = createServer(sameForm ? { optimizeEmptyRequests: true } : {}, listener);
  server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as AddressInfo).port }));
});
process.once('disconnect', () => process.exit(0));
process.once('SIGTERM', () => process.exit(0));
