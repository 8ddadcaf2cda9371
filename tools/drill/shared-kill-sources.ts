/** Simulated manufacturers that stamp each copy of a label, so that every served copy can be traced to its fetch. */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';

export interface Copy {
  sha256: string;
  bytes: Buffer;
  sentAt: number;
}

export interface StampingSources {
  origin: string;
  simulator: Simulator;
  /** Every copy that was sent for a VIN, whether or not it arrived. */
  copies: Map<string, Copy[]>;
  close(): Promise<void>;
}

/** `delayMs`: how long a response takes, long enough for an instance to be killed while it waits. */
export async function startStampingSources(delayMs: () => number): Promise<StampingSources> {
  const simulator = await startSimulator();
  const copies = new Map<string, Copy[]>();
  let serial = 0;

  function stamp(url: string, body: Buffer): Buffer {
    // Hyundai's labels come in base64.
    const isBase64 = body.subarray(0, 6).toString('latin1') === 'JVBERi';
    const plain = isBase64 ? Buffer.from(body.toString('latin1'), 'base64') : body;
    const vin = /[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])/.exec(decodeURIComponent(url))?.[0];
    if (!vin || !plain.subarray(0, 5).equals(Buffer.from('%PDF-'))) return body;
    const bytes = Buffer.concat([plain, Buffer.from(`%copy ${++serial}\n`)]);
    const copy = { sha256: hash('sha256', bytes, 'hex'), bytes, sentAt: performance.now() };
    copies.set(vin, [...(copies.get(vin) ?? []), copy]);
    return isBase64 ? Buffer.from(bytes.toString('base64')) : bytes;
  }

  const server = http.createServer((request, response) => {
    const upstream = http.get(`${simulator.origin}${request.url}`, { headers: request.headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => {
        const body = stamp(request.url!, Buffer.concat(chunks));
        setTimeout(() => {
          response.writeHead(reply.statusCode!, { 'Content-Type': reply.headers['content-type'] ?? '' });
          response.end(body);
        }, delayMs());
      });
    });
    upstream.on('error', () => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    simulator,
    copies,
    async close() {
      server.close();
      server.closeAllConnections();
      await Promise.all([once(server, 'close'), simulator.close()]);
    },
  };
}
