/** Attacks by one source with its responses: their content, compression, framing and time. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, deflateSync, gzip } from 'node:zlib';
import type { BehaviorFunction } from '../simulator/behaviors.ts';
import { compressed, printed, printing, sheetOf, slow, stream } from './hostile-pdfs.ts';
import {
  areRefused,
  areServed,
  attack,
  flood,
  labelStatus,
  longAttack,
  offer,
  sends,
  statusOf,
  type Attack,
} from './siege-target.ts';

const MEBIBYTE = 1024 * 1024;
const SOURCES = ['ford', 'genesis', 'gm', 'hyundai', 'kia', 'nissan', 'stellantis', 'subaru', 'toyota'];

/** The beginning of a notice repeated without its end. */
const NOTICE = 'Not actual Monroney Label. window sticker for this vehicle '.repeat(1700);

/** Bodies that must not become a label. */
const WRONG_BODIES: readonly (readonly [
  number: string,
  name: string,
  source: string,
  body: () => Buffer | string,
])[] = [
  ['3', '`<h1` 85,000 times as a block page', 'gm', () => `<html>${'<h1'.repeat(85_000)}`],
  ['5', '19 MB of "\\/" as base64', 'gm', () => oddBase64('\\/')],
  ['5', '19 MB of "A\\n" as base64', 'gm', () => oddBase64('A\n')],
  ['6', 'a notice repeated for 100,000 characters', 'nissan', () => NOTICE],
  [
    '6',
    'the same notice as the text of a PDF',
    'nissan',
    () => compressed(Array.from({ length: 50 }, () => NOTICE.slice(0, 1990))),
  ],
];

/** Nineteen mebibytes that begin like base64. */
function oddBase64(fill: string): Buffer {
  const body = Buffer.alloc(19 * MEBIBYTE, fill);
  body.write('JVBERi0xLjQK');
  return body;
}

/** A small PDF with the right VIN and 19,900 words on one line. */
function longLine(vin: string): Buffer {
  const words = Array.from({ length: 19_900 }, () => '(twenty) Tj 30 0 Td').join(' ');
  const content = `${printing([`VIN ${vin}`])} BT /F 1 Tf 40 500 Td ${words} ET`;
  return sheetOf(stream(deflateSync(content), '/Filter/FlateDecode'));
}

/** A label of `bytes` bytes, most of them never read. */
export const largeLabel = (bytes: number): BehaviorFunction =>
  sends((vin) => {
    const small = printed([`VIN ${vin}`]).length;
    return sheetOf(stream(printing([`VIN ${vin}`])), stream(Buffer.alloc(bytes - small - 100, 'x')));
  });

/** Nineteen mebibytes that don't get smaller by compression, compressed. Works in other threads. */
const incompressible = async (): Promise<Buffer> =>
  promisify(gzip)(await promisify(randomBytes)(19 * MEBIBYTE), { level: 1 });

/** A few hundred bytes that decompress to 64 MiB, with the largest window. */
function brotliBomb(): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS };
  return promisify(brotliCompress)(Buffer.alloc(64 * MEBIBYTE), { params });
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
/** Responses that never end and consist mostly of framing. */
const FRAMING_FLOODS: readonly BehaviorFunction[] = [
  endless(CHUNKED, '1\r\na\r\n'),
  endless(CHUNKED, `1;${'e'.repeat(1000)}\r\na\r\n`),
  endless('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  endless('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
];

function endless(head: string, piece: string): BehaviorFunction {
  const pieces = Buffer.from(piece.repeat(Math.ceil(60_000 / piece.length)));
  return ({ socket }) => {
    if (!socket) return;
    const write = () => {
      while (!socket.destroyed && socket.write(pieces));
    };
    // The service closes the connection while it is written.
    socket.on('drain', write).on('error', () => {});
    socket.write(head);
    write();
  };
}

export const sourceAttacks: readonly Attack[] = [
  ...WRONG_BODIES.map(([number, name, source, body]) =>
    attack(number, name, (target) => areRefused(target, [offer(target, source, sends(body))])),
  ),
  attack('4', '19,900 words on one line of a PDF', async (target) => {
    const vin = offer(target, 'ford', sends(longLine));
    const status = await labelStatus(target, vin);
    const read = await statusOf(target, `/api/v1/vin/${vin}/label?include=text`);
    return status < 500 && read < 500 ? null : `responded ${status} and ${read}`;
  }),
  longAttack('+', 'eight labels of 15 MB at once', async (target) => {
    const body = Buffer.alloc(15e6, '%PDF-1.4\n1 0 obj<</A(x)>>endobj\n');
    body.write('%%EOF', body.length - 5);
    const vins = Array.from({ length: 8 }, () =>
      offer(
        target,
        'gm',
        sends(() => body),
      ),
    );
    await Promise.all(vins.map((vin) => labelStatus(target, vin)));
    return null;
  }),
  longAttack('+', 'gzip and brotli bombs of several sources', async (target) => {
    const bombs = { gzip: await incompressible(), br: await brotliBomb() };
    for (let round = 0; round < 3; round++)
      for (const [encoding, body] of Object.entries(bombs)) {
        const response = sends(() => body, { 'Content-Encoding': encoding });
        const failure = await areRefused(
          target,
          SOURCES.map((source) => offer(target, source, response)),
        );
        if (failure) return failure;
      }
    return null;
  }),
  attack('+', 'endless one-byte chunks, chunk extensions, 1xx', async (target) => {
    const began = performance.now();
    const vins = Array.from({ length: 12 }, (_, i) => offer(target, SOURCES[i % 4]!, FRAMING_FLOODS[i % 4]!));
    const failure = await areRefused(target, vins);
    const ms = performance.now() - began;
    // The timeout is 10 seconds or more.
    return failure ?? (ms < 8000 ? null : `not given up for ${Math.round(ms / 1000)} s`);
  }),
  longAttack('+', 'a source sends a slow file every second', (target) => {
    const body = slow(400);
    const request = () =>
      labelStatus(
        target,
        offer(
          target,
          'gm',
          sends(() => body),
        ),
      );
    const when = { count: 20, min: 20, afterMs: 3000, everyMs: 1000 };
    return areServed(target, 'ford', flood(25, 1000, request), when);
  }),
  longAttack('+', 'two hosts of a source send 16 MB and stall', async (target) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: ${16 * MEBIBYTE}\r\n\r\n%PDF-1.4\n`;
    const stalled = Array.from({ length: 4 }, (_, i) => {
      // Half of them fail at the first host and stall at the second.
      const vin = offer(target, 'stellantis', (response, { host }) => {
        if (i < 2 || host !== 'www.chrysler.com') response.socket?.write(head);
        else response.writeHead(500).end();
      });
      return labelStatus(target, vin);
    });
    await sleep(1000);
    const began = performance.now();
    const status = await labelStatus(target, offer(target, 'ford', largeLabel(2e6)));
    const seconds = Math.round((performance.now() - began) / 1000);
    await Promise.all(stalled);
    if (status !== 200) return `another client’s label: ${status}`;
    // After 9 seconds the stalled ones time out, and a waiting one would be served too.
    return seconds < 6 ? null : `the label of another source took ${seconds} s`;
  }),
];
