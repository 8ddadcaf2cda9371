import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import * as answers from './answers.ts';
import type { Question, Reply } from './reply.ts';

/** Writes the response to one request. */
export type Behave = (response: ServerResponse, question: Question) => void;

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

const plainly =
  (answer: (question: Question) => Reply): Behave =>
  (response, question) =>
    send(response, answer(question));

/** The first `times` responses are bad, the later ones good. */
const atFirst =
  (times: number, bad: (question: Question) => Reply): Behave =>
  (response, question) =>
    send(response, question.before < times ? bad(question) : answers.label(question));

/** Announces `promised` bytes of a label, sends `sent` of them and closes the connection. */
function cutAt(response: ServerResponse, question: Question, promised: number, sent: number): void {
  const body = Buffer.from(answers.label(question).body);
  const length = Math.floor(body.length * promised);
  // Bypasses Node's check of the length.
  response.socket!.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: ${length}\r\nConnection: keep-alive\r\n\r\n`,
  );
  response.socket!.write(body.subarray(0, Math.floor(body.length * sent)), () => {
    if (sent < promised) response.socket?.destroy();
  });
}

export const behaviours = {
  label: plainly(answers.label),
  none: plainly(answers.none),
  'none-otherwise': plainly(answers.noneOtherwise),
  empty: plainly(answers.empty),
  'empty-at-first': atFirst(2, answers.empty),
  'access-denied': plainly(() => answers.accessDenied(403)),
  'access-denied-as-200': plainly(() => answers.accessDenied(200)),
  blocked: plainly(answers.blocked),
  'web-page': plainly(answers.webPage),
  'not-found-page': plainly(answers.notFoundPage),
  'other-car': plainly(answers.otherCar),
  truncated: plainly(answers.truncated),
  'truncated-at-first': atFirst(1, answers.truncated),
  frayed: plainly(answers.frayed),
  'frayed-at-first': atFirst(1, answers.frayed),
  'small-picture': plainly(answers.smallPicture),
  'server-error': plainly(answers.serverError),
  unavailable: plainly(answers.unavailable),
  'too-many': plainly(answers.tooMany),
  garbage: plainly(() => ({ type: 'application/pdf', body: 'neither fish nor fowl' })),
  'wrong-type': (response, question) => send(response, { ...answers.label(question), type: 'text/html' }),
  'label-as-404': (response, question) => send(response, { ...answers.label(question), status: 404 }),
  gzip: (response, question) =>
    send(
      response,
      { ...answers.label(question), body: gzipSync(answers.label(question).body) },
      { 'Content-Encoding': 'gzip' },
    ),
  brotli: (response, question) =>
    send(
      response,
      { ...answers.label(question), body: brotliCompressSync(answers.label(question).body) },
      { 'Content-Encoding': 'br' },
    ),
  'gzip-bomb': (response) =>
    send(
      response,
      { body: (bomb ??= gzipSync(Buffer.alloc(64 * MEBIBYTE))) },
      { 'Content-Encoding': 'gzip' },
    ),
  chunked: (response, question) => {
    const { type, body } = answers.label(question);
    response.writeHead(200, { 'Content-Type': type });
    response.write(body.slice(0, 1000));
    response.end(body.slice(1000));
  },
  /** Slow enough for other requests to arrive in the meantime. */
  'slow-label': (response, question) => void setTimeout(() => send(response, answers.label(question)), 600),
  hang: () => undefined,
  drip: (response, question) => {
    const { body } = answers.label(question);
    response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': String(body.length) });
    let at = 0;
    const timer = setInterval(() => response.write(body.slice(at, ++at)), 1000);
    response.on('close', () => clearInterval(timer));
  },
  cut: (response, question) => cutAt(response, question, 1, 0.5),
  'length-too-long': (response, question) => cutAt(response, question, 2, 1),
  'length-too-short': (response, question) => cutAt(response, question, 0.5, 1),
  'hang-up': (response) => response.socket?.destroy(),
  huge: (response) => {
    response.writeHead(200, { 'Content-Type': 'application/pdf' });
    const piece = Buffer.alloc(MEBIBYTE, '%PDF-1.4 ');
    let left = 30;
    const more = (): void => {
      while (left-- > 0) if (!response.write(piece)) return void response.once('drain', more);
      response.end();
    };
    more();
  },
  'redirect-away': plainly(() => answers.redirect('https://label-source.example/label.pdf')),
  'redirect-home': plainly(() => answers.redirect('https://127.0.0.1/label.pdf')),
  'redirect-to-http': plainly(({ host, vin }) => answers.redirect(`http://${host}/${vin}`)),
  'redirect-loop': plainly(({ host, vin }) => answers.redirect(`https://${host}/again/${vin}`)),
  'redirect-once': (response, question) =>
    send(
      response,
      question.before === 0
        ? answers.redirect(`https://${question.host}/moved/${question.vin}`)
        : answers.label(question),
    ),
  /** A label with an unknown layout. */
  'other-layout': plainly(answers.otherLayout),
} satisfies Record<string, Behave>;

export type Behaviour = keyof typeof behaviours;

export const behaviourNames = Object.keys(behaviours) as Behaviour[];
