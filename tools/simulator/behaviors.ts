import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as replies from './replies.ts';
import type { SourceRequest, Reply } from './reply.ts';

/** Writes the response to one request. */
export type BehaviorFunction = (response: ServerResponse, request: SourceRequest) => void;

const MEBIBYTE = 1024 * 1024;
/** Compressed once, so that many requests for it don't block the others. */
let bomb: Buffer | undefined;

export function send(response: ServerResponse, reply: Reply, headers: Record<string, string> = {}): void {
  const body = Buffer.from(reply.body);
  response.writeHead(reply.status ?? 200, {
    'Content-Type': reply.type ?? 'text/plain',
    'Content-Length': String(body.length),
    ...reply.headers,
    ...headers,
  });
  response.end(body);
}

const always =
  (reply: (request: SourceRequest) => Reply): BehaviorFunction =>
  (response, request) =>
    send(response, reply(request));

/** The first `times` responses are bad, the later ones good. */
const atFirst =
  (times: number, bad: (request: SourceRequest) => Reply): BehaviorFunction =>
  (response, request) =>
    send(response, request.before < times ? bad(request) : replies.label(request));

/** Announces `promised` bytes of a label, sends `sent` of them and closes the connection. */
function sendWithLength(
  response: ServerResponse,
  request: SourceRequest,
  promised: number,
  sent: number,
): void {
  const body = Buffer.from(replies.label(request).body);
  const length = Math.floor(body.length * promised);
  // Bypasses Node's check of the length.
  response.socket!.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: ${length}\r\nConnection: keep-alive\r\n\r\n`,
  );
  response.socket!.write(body.subarray(0, Math.floor(body.length * sent)), () => {
    if (sent < promised) response.socket?.destroy();
  });
}

export const behaviors = {
  label: always(replies.label),
  none: always(replies.none),
  'other-none': always(replies.otherNone),
  empty: always(replies.empty),
  'empty-at-first': atFirst(2, replies.empty),
  'access-denied': always(() => replies.accessDenied(403)),
  'access-denied-as-200': always(() => replies.accessDenied(200)),
  blocked: always(replies.blocked),
  'web-page': always(replies.webPage),
  'not-found-page': always(replies.notFoundPage),
  'other-car': always(replies.otherCar),
  truncated: always(replies.truncated),
  'truncated-at-first': atFirst(1, replies.truncated),
  'missing-end': always(replies.missingEnd),
  'missing-end-at-first': atFirst(1, replies.missingEnd),
  'small-picture': always(replies.smallPicture),
  'server-error': always(replies.serverError),
  unavailable: always(replies.unavailable),
  'too-many': always(replies.tooMany),
  garbage: always(() => ({ type: 'application/pdf', body: 'neither a PDF nor text' })),
  'wrong-type': (response, request) => send(response, { ...replies.label(request), type: 'text/html' }),
  'label-as-404': (response, request) => send(response, { ...replies.label(request), status: 404 }),
  gzip: (response, request) =>
    send(
      response,
      { ...replies.label(request), body: gzipSync(replies.label(request).body) },
      { 'Content-Encoding': 'gzip' },
    ),
  brotli: (response, request) =>
    send(
      response,
      { ...replies.label(request), body: brotliCompressSync(replies.label(request).body) },
      { 'Content-Encoding': 'br' },
    ),
  'gzip-bomb': (response) =>
    send(
      response,
      { body: (bomb ??= gzipSync(Buffer.alloc(64 * MEBIBYTE))) },
      { 'Content-Encoding': 'gzip' },
    ),
  chunked: (response, request) => {
    const { type, body } = replies.label(request);
    response.writeHead(200, { 'Content-Type': type });
    response.write(body.slice(0, 1000));
    response.end(body.slice(1000));
  },
  /** Slow enough for other requests to arrive in the meantime. */
  'slow-label': (response, request) => void setTimeout(() => send(response, replies.label(request)), 600),
  hang: () => undefined,
  drip: (response, request) => {
    const { body } = replies.label(request);
    response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': String(body.length) });
    let sent = 0;
    const timer = setInterval(() => response.write(body.slice(sent, ++sent)), 1000);
    response.on('close', () => clearInterval(timer));
  },
  cut: (response, request) => sendWithLength(response, request, 1, 0.5),
  'length-too-long': (response, request) => sendWithLength(response, request, 2, 1),
  'length-too-short': (response, request) => sendWithLength(response, request, 0.5, 1),
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
  'redirect-away': always(() => replies.redirect('https://label-source.example/label.pdf')),
  'redirect-to-loopback': always(() => replies.redirect('https://127.0.0.1/label.pdf')),
  'redirect-to-http': always(({ host, vin }) => replies.redirect(`http://${host}/${vin}`)),
  'redirect-loop': always(({ host, vin }) => replies.redirect(`https://${host}/again/${vin}`)),
  'redirect-once': (response, request) =>
    send(
      response,
      request.before === 0
        ? replies.redirect(`https://${request.host}/moved/${request.vin}`)
        : replies.label(request),
    ),
  /** A label with an unknown layout. */
  'other-layout': always(replies.otherLayout),
} satisfies Record<string, BehaviorFunction>;

export type Behavior = keyof typeof behaviors;

export const behaviorNames = Object.keys(behaviors) as Behavior[];
