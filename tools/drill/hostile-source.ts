/** A label source on loopback that sends whatever responses an attack sets. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { checkDigit } from '@monroney/vin';
import { sources } from '../../src/makers/index.ts';
import { hostsOf } from '../../src/makers/maker.ts';
import { labelOf } from '../simulator/labels.ts';
import { printing, sheetOf, stream } from './hostile-pdfs.ts';

export interface HostileResponse {
  status?: number;
  body: Buffer | string;
  delayMs?: number;
}

export interface HostileSource {
  origin: string;
  /** Sets the response for a VIN. Other VINs get their label. */
  set(vin: string, response: HostileResponse): void;
  /** The VINs requested, in order. */
  requested: string[];
  close(): Promise<void>;
}

export async function startHostileSource(): Promise<HostileSource> {
  const responses = new Map<string, HostileResponse>();
  const requested: string[] = [];
  const server = http.createServer((req, res) => {
    const [, host = '', path = ''] = /^\/([^/]+)(\/.*)$/.exec(req.url ?? '') ?? [];
    const source = sources.find((each) => hostsOf(each).includes(host));
    const vin = /[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])/.exec(decodeURIComponent(path))?.[0];
    if (!source || !vin) return void res.writeHead(404).end();
    requested.push(vin);
    const { status = 200, body, delayMs = 0 } = responses.get(vin) ?? { body: labelOf(source, host, vin) };
    setTimeout(() => res.writeHead(status).end(body), delayMs);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    set: (vin, response) => void responses.set(vin, response),
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

const MEBIBYTE = 1024 * 1024;

/** A small PDF with the right VIN and 19,900 words on one line. */
export function longLine(vin: string): Buffer {
  const words = Array.from({ length: 19_900 }, () => '(twenty) Tj 30 0 Td').join(' ');
  const content = `${printing([`VIN ${vin}`])} BT /F 1 Tf 40 500 Td ${words} ET`;
  return sheetOf(stream(deflateSync(content), '/Filter/FlateDecode'));
}

/** Nineteen mebibytes that begin like base64. */
export function oddBase64(fill: string): Buffer {
  const body = Buffer.alloc(19 * MEBIBYTE, fill);
  body.write('JVBERi0xLjQK');
  return body;
}

/** The beginning of a notice repeated without its end: as text, and as the text of a PDF. */
export const repeatedNotice = (): string =>
  'Not actual Monroney Label. window sticker for this vehicle '.repeat(1700);

export function noticePdf(): Buffer {
  const lines = Array.from({ length: 50 }, () => repeatedNotice().slice(0, 1990));
  return sheetOf(stream(deflateSync(printing(lines)), '/Filter/FlateDecode'));
}

/** A label with the right VIN and another car's VIN. */
export const twoVehicles = (vin: string, other: string): Buffer =>
  sheetOf(stream(printing([`VIN ${vin}`, `VIN ${other}`, 'MONRONEY LABEL'])));
