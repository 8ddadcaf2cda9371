import { hash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy before the S3 server that harms bodies on their way. */
export interface S3Proxy {
  port: number;
  /** Which way a byte is flipped: of every PDF, or of the next one only. */
  harm: 'nothing' | 'up' | 'up-once' | 'down' | 'down-once';
  /** Whether this request is told that there is no such object; `LIST` for each key in a listing. */
  hides: (method: string, key: string) => boolean;
  /** Whether this request is answered 403. */
  refuses: (method: string, key: string) => boolean;
  /** Objects that were deleted through the proxy. */
  deleted: string[];
  /** Whether the hash the sender signed is compared with what arrived, as S3 does and the test server does not. */
  compares: boolean;
  /** Uploads refused because of that. */
  refused: number;
  stop(): Promise<void>;
}

export async function s3Proxy(target: number): Promise<S3Proxy> {
  function flipped(way: 'up' | 'down', body: Buffer): Buffer {
    if (!proxy.harm.startsWith(way) || !body.subarray(0, 5).equals(Buffer.from('%PDF-'))) return body;
    if (proxy.harm.endsWith('-once')) proxy.harm = 'nothing';
    const harmed = Buffer.from(body);
    harmed[harmed.length >> 1]! ^= 1;
    return harmed;
  }

  const listing = (xml: Buffer) =>
    xml
      .toString()
      .replace(/<Contents>.*?<Key>([^<]*)<.*?<\/Contents>/gs, (entry, key: string) =>
        proxy.hides('LIST', key) ? '' : entry,
      );

  const server = http.createServer((request, response) => {
    void bodyOf(request).then((sent) => {
      const body = flipped('up', sent);
      if (proxy.compares && request.method === 'PUT') {
        if (hash('sha256', body, 'hex') !== request.headers['x-amz-content-sha256']) {
          proxy.refused++;
          response.writeHead(400).end('<Error><Code>XAmzContentSHA256Mismatch</Code></Error>');
          return;
        }
      }
      const { method, url: path, headers } = request;
      const key = decodeURIComponent(path!.replace(/^\/[^/]+\/?|\?.*$/g, ''));
      if (method === 'DELETE') proxy.deleted.push(key);
      if (proxy.refuses(method!, key)) {
        response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
        return;
      }
      if (key && proxy.hides(method!, key)) {
        response.writeHead(404).end(method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code></Error>');
        return;
      }
      const asked = http.request({ port: target, host: '127.0.0.1', method, path, headers }, (answer) => {
        void bodyOf(answer).then((got) => {
          const { 'content-length': _, ...rest } = answer.headers;
          response.writeHead(answer.statusCode!, key ? answer.headers : rest);
          response.end(key ? flipped('down', got) : listing(got));
        });
      });
      asked.on('error', () => response.destroy());
      asked.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: S3Proxy = {
    port: (server.address() as AddressInfo).port,
    harm: 'nothing',
    hides: () => false,
    refuses: () => false,
    deleted: [],
    compares: false,
    refused: 0,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return proxy;
}

async function bodyOf(message: http.IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message as AsyncIterable<Buffer>) parts.push(part);
  return Buffer.concat(parts);
}
