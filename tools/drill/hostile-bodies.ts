/** What a hostile source sends: bodies, compressed bodies, and responses that are mostly framing. */
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, deflateSync, gzip } from 'node:zlib';
import { drawLabel } from '../specimens/draw.ts';
import { manyPages, printing, sheetOf, stream } from './hostile-pdfs.ts';
import type { HostileWriter } from './hostile-source.ts';

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

/** Another car's label with the requested VIN in white: its own VIN is in pieces, or the requested one is on page one of five. */
export const otherVehicles: readonly ((vin: string, other: string) => Buffer)[] = [
  ...[
    (other: string) => [other.slice(0, 3), other.slice(3, 11), other.slice(11)].join(' '),
    (other: string) => [...other].join(' '),
    (other: string) => [other.slice(0, 9), other.slice(9)].join('_'),
  ].map((pieces) => (vin: string, other: string) => {
    const printed = printing(['MONRONEY LABEL', `VIN ${pieces(other)}`]);
    return sheetOf(stream(`1 g ${printing([vin])} 0 g ${printed}`));
  }),
  (vin) => manyPages(5, `VIN ${vin}`),
];

/** A label with fifty options of 1,900 colons, printed so narrow that they fit on the page. */
export function colonLabel(vin: string): Buffer {
  const name = `TOW${':'.repeat(1900)}X`;
  const options = Array.from({ length: 50 }, () => ({ name, price: 0 }));
  const drawn = drawLabel({ vin, make: 'Ford', options }).toString('latin1');
  return Buffer.from(drawn.replaceAll(/100 Tz (?=[-\d. ]+ Tm \(TOW:)/g, '.50 Tz '), 'latin1');
}

/** A label of `bytes` bytes, most of them never read. */
export function largeLabel(vin: string, bytes: number): Buffer {
  const small = sheetOf(stream(printing([`VIN ${vin}`])), stream(''));
  return sheetOf(stream(printing([`VIN ${vin}`])), stream(Buffer.alloc(bytes - small.length - 8, 'x')));
}

/** Nineteen mebibytes that don't get smaller by compression, compressed. Works in other threads. */
export async function incompressible(): Promise<Buffer> {
  const bytes = await promisify(randomBytes)(19 * MEBIBYTE);
  return promisify(gzip)(bytes, { level: 1 });
}

/** A few hundred bytes that decompress to 64 MiB, with the largest window. */
export async function brotliBomb(): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN, BROTLI_MAX_WINDOW_BITS } = constants;
  const params = { [BROTLI_PARAM_QUALITY]: 4, [BROTLI_PARAM_LGWIN]: BROTLI_MAX_WINDOW_BITS };
  return promisify(brotliCompress)(Buffer.alloc(64 * MEBIBYTE), { params });
}

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
/** Responses that never end and consist mostly of framing. */
export const framingFloods: readonly HostileWriter[] = [
  endless(CHUNKED, '1\r\na\r\n'),
  endless(CHUNKED, `1;${'e'.repeat(1000)}\r\na\r\n`),
  endless('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  endless('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
];

function endless(head: string, piece: string): HostileWriter {
  const pieces = Buffer.from(piece.repeat(Math.ceil(60_000 / piece.length)));
  return ({ socket }) => {
    if (!socket) return;
    const send = () => {
      while (!socket.destroyed && socket.write(pieces));
    };
    socket.on('drain', send);
    socket.write(head);
    send();
  };
}
