import { hash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of the simulator that makes every copy of a label different and records overlapping fetches. */
export interface StampedUpstream {
  origin: string;
  /** SHA-256 of every copy that was sent, by VIN. */
  copies: Map<string, Set<string>>;
  fetches: { vin: string; from: number; to: number | null }[];
  /** Pairs of fetches of one VIN that overlapped. */
  overlaps(): [from: number, to: number, vin: string][];
  stop(): Promise<void>;
}

export async function stampedUpstream(origin: string, delayMs = () => 0): Promise<StampedUpstream> {
  const copies: StampedUpstream['copies'] = new Map();
  const fetches: StampedUpstream['fetches'] = [];
  const agent = new http.Agent({ keepAlive: true });
  const server = http.createServer((request, response) => {
    const vin = /[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])/.exec(request.url!)?.[0] ?? '';
    const fetch: (typeof fetches)[number] = { vin, from: performance.now(), to: null };
    fetches.push(fetch);
    response.on('close', () => (fetch.to = performance.now()));
    const { method, headers } = request;
    const forwarded = http.request(`${origin}${request.url}`, { method, headers, agent }, (reply) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of reply as AsyncIterable<Buffer>) chunks.push(chunk);
        let body = Buffer.concat(chunks);
        await new Promise((resolve) => setTimeout(resolve, delayMs()));
        const { 'content-length': _, 'transfer-encoding': __, ...rest } = reply.headers;
        if (body.subarray(0, 5).toString() === '%PDF-') {
          // PDF readers ignore a comment after the end.
          body = Buffer.concat([body, Buffer.from(`\n% copy ${fetches.length}\n%%EOF\n`)]);
          const vinCopies = copies.get(vin) ?? new Set();
          copies.set(vin, vinCopies.add(hash('sha256', body, 'hex')));
        }
        response.writeHead(reply.statusCode!, { ...rest, 'content-length': body.length }).end(body);
      })();
    });
    forwarded.on('error', () => response.destroy());
    forwarded.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    copies,
    fetches,
    overlaps() {
      const overlaps: [number, number, string][] = [];
      const last = new Map<string, number>();
      for (const { vin, from, to } of fetches) {
        const until = last.get(vin) ?? 0;
        if (from < until) overlaps.push([from, until, vin]);
        last.set(vin, Math.max(until, to ?? Infinity));
      }
      return overlaps;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      agent.destroy();
    },
  };
}
