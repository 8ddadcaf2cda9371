import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { labelOf, pictureOf, repliesOf } from './labels.ts';
import { page, pdf, plainLabel, type Reply, type SourceRequest } from './reply.ts';

/** Writes the response to one request. */
export type BehaviorFunction = (response: ServerResponse, request: SourceRequest) => void;

const MEBIBYTE = 1024 * 1024;
/** Compressed once, so that many requests for it don't block the others. */
let bomb: Buffer | undefined;

export function send(response: ServerResponse, reply: Reply): void {
  const body = Buffer.from(reply.body);
  response.writeHead(reply.status ?? 200, {
    'Content-Type': reply.type ?? 'text/plain',
    'Content-Length': String(body.length),
    ...reply.headers,
  });
  response.end(body);
}

const always =
  (reply: Reply | ((request: SourceRequest) => Reply)): BehaviorFunction =>
  (response, request) =>
    send(response, typeof reply === 'function' ? reply(request) : reply);

/** The first `times` responses are bad, the later ones good. */
const atFirst =
  (times: number, bad: (request: SourceRequest) => Reply): BehaviorFunction =>
  (response, request) =>
    send(response, request.before < times ? bad(request) : label(request));

/** The label, announced with `promised` times its length, of which `sent` is sent before the connection closes. */
const cutAt =
  (promised: number, sent: number): BehaviorFunction =>
  (response, request) => {
    const body = Buffer.from(label(request).body);
    const length = Math.floor(body.length * promised);
    // Bypasses Node's check of the length.
    response.socket!.write(
      `HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: ${length}\r\nConnection: keep-alive\r\n\r\n`,
    );
    response.socket!.write(body.subarray(0, Math.floor(body.length * sent)), () => {
      if (sent < promised) response.socket?.destroy();
    });
  };

const drawn = ({ source, host, vin }: SourceRequest): Buffer => labelOf(source, host, vin);

/** A label as its source sends it. */
const label = (request: SourceRequest): Reply => (repliesOf(request.source).label ?? pdf)(drawn(request));

/** Sends the label in another way. */
const labelWith =
  (change: (label: Reply) => Reply): BehaviorFunction =>
  (response, request) =>
    send(response, change(label(request)));

const EMPTY = pdf(Buffer.alloc(0));

/** The label of another car of the same make, with the next serial number. */
function otherCar(request: SourceRequest): Reply {
  const serial = (Number(request.vin.slice(-4)) + 1) % 10_000;
  return label({ ...request, vin: request.vin.slice(0, -4) + String(serial).padStart(4, '0') });
}

/** A truncated PDF whose Content-Length matches. */
const truncated = (request: SourceRequest): Reply => {
  const bytes = drawn(request);
  return pdf(bytes.subarray(0, Math.floor(bytes.length * 0.6)));
};

/** A label without the end of its cross-reference table. */
const missingEnd = (request: SourceRequest): Reply => pdf(drawn(request).subarray(0, -20));

/** The CDN's block page, with its URL in HTML entities and its cookie, like the real one. */
const accessDenied = (status: number): Reply => ({
  status,
  type: 'text/html',
  headers: { 'Set-Cookie': 'edge=0123456789; Path=/; HttpOnly' },
  body: '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\nNo permission.<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;0</P>\n</BODY></HTML>',
});

const redirect = (to: string): Reply => ({ status: 302, headers: { Location: to }, body: '' });

export const behaviors = {
  label: always(label),
  none: always((request) => repliesOf(request.source).none(request)),
  /** The second "none" response of some sources; the usual one for others. */
  'other-none': always((request) => {
    const { none, otherNone = none } = repliesOf(request.source);
    return otherNone(request);
  }),
  empty: always(EMPTY),
  'empty-at-first': atFirst(2, () => EMPTY),
  'access-denied': always(accessDenied(403)),
  'access-denied-as-200': always(accessDenied(200)),
  blocked: always(page('Attention Required! | Cloudflare', 'Sorry, you have been blocked', 403)),
  'web-page': always(page('Welcome', 'Build and price your next car.')),
  'not-found-page': always(page('HTTP Status 404 – Not Found', 'Not here.', 404)),
  'other-car': always(otherCar),
  truncated: always(truncated),
  'truncated-at-first': atFirst(1, truncated),
  'missing-end': always(missingEnd),
  'missing-end-at-first': atFirst(1, missingEnd),
  'small-picture': always(() => pdf(pictureOf(100))),
  'server-error': always(page('Internal Server Error', 'Something broke.', 500)),
  unavailable: always(page('Service Unavailable', 'Later, please.', 503)),
  'too-many': always({
    ...page('Too Many Requests', 'Slow down.', 429),
    headers: { 'Retry-After': '120' },
  }),
  garbage: always({ type: 'application/pdf', body: 'neither a PDF nor text' }),
  'wrong-type': labelWith((reply) => ({ ...reply, type: 'text/html' })),
  'label-as-404': labelWith((reply) => ({ ...reply, status: 404 })),
  gzip: labelWith((reply) => ({
    ...reply,
    body: gzipSync(reply.body),
    headers: { 'Content-Encoding': 'gzip' },
  })),
  brotli: labelWith((reply) => ({
    ...reply,
    body: brotliCompressSync(reply.body),
    headers: { 'Content-Encoding': 'br' },
  })),
  'gzip-bomb': always(() => ({
    body: (bomb ??= gzipSync(Buffer.alloc(64 * MEBIBYTE))),
    headers: { 'Content-Encoding': 'gzip' },
  })),
  chunked: (response, request) => {
    const { type, body } = label(request);
    response.writeHead(200, { 'Content-Type': type });
    response.write(body.slice(0, 1000));
    response.end(body.slice(1000));
  },
  /** Slow enough for other requests to arrive in the meantime. */
  'slow-label': (response, request) => void setTimeout(() => send(response, label(request)), 600),
  hang: () => undefined,
  drip: (response, request) => {
    const { body } = label(request);
    response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': String(body.length) });
    let sent = 0;
    const timer = setInterval(() => response.write(body.slice(sent, ++sent)), 1000);
    response.on('close', () => clearInterval(timer));
  },
  cut: cutAt(1, 0.5),
  'length-too-long': cutAt(2, 1),
  'length-too-short': cutAt(0.5, 1),
  'hang-up': (response) => response.socket?.destroy(),
  huge: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/pdf' });
    const chunk = Buffer.alloc(MEBIBYTE, '%PDF-1.4 ');
    let remaining = 30;
    const writeMore = (): void => {
      while (remaining-- > 0) if (!response.write(chunk)) return void response.once('drain', writeMore);
      response.end();
    };
    writeMore();
  },
  'redirect-away': always(redirect('https://label-source.example/label.pdf')),
  'redirect-to-loopback': always(redirect('https://127.0.0.1/label.pdf')),
  'redirect-to-http': always(({ host, vin }) => redirect(`http://${host}/${vin}`)),
  'redirect-loop': always(({ host, vin }) => redirect(`https://${host}/again/${vin}`)),
  'redirect-once': atFirst(1, ({ host, vin }) => redirect(`https://${host}/moved/${vin}`)),
  /** A label with an unknown layout. */
  'other-layout': always(({ vin }) =>
    pdf(plainLabel(['Your new car', `VIN ${vin}`, 'Everything for one price'])),
  ),
} satisfies Record<string, BehaviorFunction>;

export type Behavior = keyof typeof behaviors;

export const behaviorNames = Object.keys(behaviors) as Behavior[];
