/** The simulated manufacturers, each copy of a label stamped: so it shows which of several fetches somebody was given. */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';

export interface Copy {
  sha256: string;
  bytes: Buffer;
  at: number;
}

export interface StampingSources {
  origin: string;
  simulator: Simulator;
  /** Every copy that was sent for a VIN, whether or not it arrived. */
  copies: Map<string, Copy[]>;
  close(): Promise<void>;
}

/** `delayMs` says how long an answer takes: long enough for somebody to be killed while waiting for it. */
export async function startStampingSources(delayMs: () => number): Promise<StampingSources> {
  const simulator = await startSimulator();
  const copies = new Map<string, Copy[]>();
  let serial = 0;

  function stamped(url: string, body: Buffer): Buffer {
    // Hyundai's labels come in base64.
    const coated = body.subarray(0, 6).toString('latin1') === 'JVBERi';
    const plain = coated ? Buffer.from(body.toString('latin1'), 'base64') : body;
    const vin = /[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])/.exec(decodeURIComponent(url))?.[0];
    if (!vin || !plain.subarray(0, 5).equals(Buffer.from('%PDF-'))) return body;
    const bytes = Buffer.concat([plain, Buffer.from(`%copy ${++serial}\n`)]);
    const copy = { sha256: hash('sha256', bytes, 'hex'), bytes, at: performance.now() };
    copies.set(vin, [...(copies.get(vin) ?? []), copy]);
    return coated ? Buffer.from(bytes.toString('base64')) : bytes;
  }

  const server = http.createServer((request, response) => {
    const asked = http.get(`${simulator.origin}${request.url}`, { headers: request.headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => {
        const body = stamped(request.url!, Buffer.concat(parts));
        setTimeout(() => {
          response.writeHead(answer.statusCode!, { 'Content-Type': answer.headers['content-type'] ?? '' });
          response.end(body);
        }, delayMs());
      });
    });
    asked.on('error', () => response.destroy());
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
