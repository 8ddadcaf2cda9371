/** A label source on loopback that sends whatever responses an attack sets. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { checkDigit } from '@monroney/vin';
import { sources } from '../../src/makers/index.ts';
import { hostsOf } from '../../src/makers/maker.ts';
import { labelOf } from '../simulator/labels.ts';

export interface HostileResponse {
  status?: number;
  headers?: Record<string, string>;
  body: Buffer | string;
  delayMs?: number;
}

/** Writes a response that `HostileResponse` can't express, such as broken HTTP. `host` is the host that was asked. */
export type HostileWriter = (res: http.ServerResponse, host: string) => void;

export interface HostileSource {
  origin: string;
  /** Sets the response for a VIN. Other VINs get their label. */
  set(vin: string, response: HostileResponse | HostileWriter): void;
  /** The label that a source would send for a VIN. */
  labelFor(sourceId: string, vin: string): Buffer;
  /** The VINs requested, in order. */
  requested: string[];
  close(): Promise<void>;
}

export async function startHostileSource(): Promise<HostileSource> {
  const responses = new Map<string, HostileResponse | HostileWriter>();
  const requested: string[] = [];
  const server = http.createServer((req, res) => {
    const [, host = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(req.url ?? '') ?? [];
    const source = sources.find((each) => hostsOf(each).includes(host));
    const vin = /[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])/.exec(decodeURIComponent(path))?.[0];
    if (!source || !vin) return void res.writeHead(404).end();
    requested.push(vin);
    const response = responses.get(vin) ?? { body: labelOf(source, host, vin) };
    if (typeof response === 'function') return response(res, host);
    const { status = 200, headers = {}, body, delayMs = 0 } = response;
    setTimeout(() => res.writeHead(status, headers).end(body), delayMs);
  });
  // The service may close a connection while a response is written.
  server.on('connection', (socket) => socket.on('error', () => {}));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (vin, response) => void responses.set(vin, response),
    labelFor(sourceId, vin) {
      const source = sources.find(({ id }) => id === sourceId)!;
      return labelOf(source, hostsOf(source)[0]!, vin);
    },
    requested,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

let serial = 10_000;
/** A new VIN of the source's example model. */
export function carOf(sourceId: string): string {
  const { example } = sources.find(({ id }) => id === sourceId)!;
  const vin = example.slice(0, -5) + String(++serial).slice(-5);
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}
