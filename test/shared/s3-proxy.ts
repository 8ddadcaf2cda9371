import { hash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy in front of the S3 server that can damage bodies, hide objects and refuse requests. */
export interface S3Proxy {
  port: number;
  /** In which direction a byte is flipped, in every PDF or only in the next one. */
  damage: 'nothing' | 'up' | 'up-once' | 'down' | 'down-once';
  /** Whether to respond that an object doesn't exist. The method is `LIST` for each key in a listing. */
  hides: (method: string, key: string) => boolean;
  /** Whether to respond with 403. */
  refuses: (method: string, key: string) => boolean;
  /** Responds in place of the server and returns true, or returns false. The method is `LIST` for a listing. */
  responds: (method: string, key: string, response: http.ServerResponse) => boolean;
  /** Objects that were deleted through the proxy. */
  deleted: string[];
  /** Whether to check the signed hash of a body, as S3 does and the test server doesn't. */
  checksHashes: boolean;
  /** How many uploads failed that check. */
  refused: number;
  stop(): Promise<void>;
}

export async function s3Proxy(target: number): Promise<S3Proxy> {
  function damage(direction: 'up' | 'down', body: Buffer): Buffer {
    if (!proxy.damage.startsWith(direction) || !body.subarray(0, 5).equals(Buffer.from('%PDF-'))) return body;
    if (proxy.damage.endsWith('-once')) proxy.damage = 'nothing';
    const damaged = Buffer.from(body);
    damaged[damaged.length >> 1]! ^= 1;
    return damaged;
  }

  const listing = (xml: Buffer) =>
    xml
      .toString()
      .replace(/<Contents>.*?<Key>([^<]*)<.*?<\/Contents>/gs, (entry, key: string) =>
        proxy.hides('LIST', key) ? '' : entry,
      );

  const server = http.createServer((request, response) => {
    void bodyOf(request).then((sent) => {
      const body = damage('up', sent);
      if (proxy.checksHashes && request.method === 'PUT') {
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
      if (proxy.responds(key || method !== 'GET' ? method! : 'LIST', key, response)) return;
      if (key && proxy.hides(method!, key)) {
        response.writeHead(404).end(method === 'HEAD' ? '' : '<Error><Code>NoSuchKey</Code></Error>');
        return;
      }
      const forwarded = http.request({ port: target, host: '127.0.0.1', method, path, headers }, (reply) => {
        void bodyOf(reply).then((received) => {
          const { 'content-length': _, ...rest } = reply.headers;
          response.writeHead(reply.statusCode!, key ? reply.headers : rest);
          response.end(key ? damage('down', received) : listing(received));
        });
      });
      forwarded.on('error', () => response.destroy());
      forwarded.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: S3Proxy = {
    port: (server.address() as AddressInfo).port,
    damage: 'nothing',
    hides: () => false,
    refuses: () => false,
    responds: () => false,
    deleted: [],
    checksHashes: false,
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
  const chunks: Buffer[] = [];
  for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
