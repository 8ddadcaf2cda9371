import * as c from './case.ts';
import { wire, type Case } from './case.ts';

/** Requests that no HTTP library sends, byte by byte. */

const LOOKUP = `/api/v1/vin/${c.HELD}`;
const HOST = 'Host: stickers.example\r\n';
const FROM = 'X-Forwarded-For: {client}\r\n';
const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `X-Line-${index}: ${'y'.repeat(90)}\r\n`).join('');
const request = (target: string, more = '', line = 'HTTP/1.1') =>
  `GET ${target} ${line}\r\n${HOST}${FROM}${more}\r\n`;
const BODY = `{"vins":["${c.HELD}"]}`;
const POST = `POST /api/v1/decode HTTP/1.1\r\n${HOST}${FROM}Content-Type: application/json\r\n`;
const withLength = `Content-Length: ${BODY.length}\r\n`;
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n';

const targets: readonly Case[] = [
  ...[
    `http://stickers.example${LOOKUP}`,
    `HTTPS://other.example:8080${LOOKUP}?sticker=false`,
    'http://stickers.example',
    'http:///healthz',
    'ftp://stickers.example/',
    'healthz',
    '?a',
    '/healthz#fragment',
    '/healthz?',
    '//healthz',
    '/./healthz',
    '/docs/../healthz',
    '/docs/%2e%2E/healthz',
    '/docs/..%2fhealthz',
    '/assets/../compare',
    `${LOOKUP}/..`,
    '/.well-known',
    '/%68ealthz',
    '/HEALTHZ',
    `/api%2fv1/vin/${c.HELD}`,
    `/api/v1/vin/${c.HELD};a=b`,
    `/window-sticker/${c.HELD}%2F`,
    `/window-sticker/%31FMUK8DH0TG000000`,
    '/window-sticker/%',
    '/caf\u00e9',
    `${LOOKUP}?sticker=false&sticker`,
    `${LOOKUP}??sticker=false`,
    `${LOOKUP}?%73ticker=false`,
    `/healthz?${'a'.repeat(8000)}`,
  ].map((target) =>
    wire(
      `GET ${target.length > 100 ? `${target.slice(0, 60)}… of ${target.length}` : target}`,
      request(target),
    ),
  ),
  wire('a URL of 20,000 bytes', request(`/${'a'.repeat(20_000)}`)),
  wire('OPTIONS *', `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 'OPTIONS'),
  wire('GET *', request('*')),
  wire('CONNECT', `CONNECT stickers.example:443 HTTP/1.1\r\n${HOST}\r\n`, 'CONNECT'),
];

const heads: readonly Case[] = [
  wire('two Host headers', request('/healthz', 'Host: other.example\r\n')),
  wire('no Host header', 'GET /healthz HTTP/1.1\r\n\r\n'),
  wire('an empty Host header', 'GET / HTTP/1.1\r\nHost:\r\nAccept: text/html\r\n\r\n'),
  wire('a Host header with a user', 'GET / HTTP/1.1\r\nHost: a@b\r\n\r\n'),
  wire('HTTP/1.0 without Host', `GET ${LOOKUP} HTTP/1.0\r\n${FROM}\r\n`),
  wire(
    'HTTP/1.0 that keeps the connection',
    `GET ${LOOKUP} HTTP/1.0\r\n${FROM}Connection: keep-alive\r\n\r\n`,
  ),
  wire('HTTP/1.0 and a page', `GET /docs/limits HTTP/1.0\r\n${HOST}${FROM}Accept: text/html\r\n\r\n`),
  wire(
    'HTTP/1.0 and a chunked body',
    `POST /api/v1/decode HTTP/1.0\r\n${HOST}${FROM}${CHUNKED}\r\n${chunk(BODY)}${chunk('')}`,
    'POST',
  ),
  wire('HTTP/1.2', request('/healthz', '', 'HTTP/1.2')),
  wire('HTTP/2.0', request('/healthz', '', 'HTTP/2.0')),
  wire('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  wire('HTTP/0.9', 'GET /healthz\r\n\r\n'),
  wire('a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  wire('a method in lower case', `get /healthz HTTP/1.1\r\n${HOST}\r\n`),
  wire('an unknown method', `FETCH /healthz HTTP/1.1\r\n${HOST}\r\n`),
  wire('empty lines before the request', `\r\n\r\n${request('/healthz')}`),
  wire('bare line feeds', `GET /healthz HTTP/1.1\nHost: stickers.example\n\n`),
  wire('a folded header', request('/healthz', 'X-Folded: one\r\n two\r\n')),
  wire('a space before the colon', request('/healthz', 'X-Space : a\r\n')),
  wire('a header without a name', request('/healthz', ': a\r\n')),
  wire('a control character in a header', request('/healthz', 'X-Control: \x01\r\n')),
  wire('NUL in the URL', request('/a\0b')),
  wire('a space in the URL', request('/a b')),
  wire('Latin-1 in a header', request(LOOKUP, 'X-Contact: caf\u00e9\r\nUser-Agent: \u00ff\r\n')),
  wire('headers of 8 KB', request('/healthz', lines(80))),
  wire('headers of 20 KB', request('/healthz', lines(200))),
  wire(
    '150 headers',
    request('/healthz', Array.from({ length: 150 }, (_, index) => `A${index}: b\r\n`).join('')),
  ),
  wire('Connection: close', request(LOOKUP, 'Connection: close\r\n')),
  wire(
    'Connection: close, and a page',
    request('/docs/limits', 'Accept: text/html\r\nConnection: close\r\n'),
  ),
  wire(
    'an upgrade to a WebSocket',
    request(
      '/mcp',
      'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YWJjZGVmZ2hpamtsbW5vcA==\r\n',
    ),
  ),
  wire(
    'an upgrade to HTTP/2',
    request(
      '/healthz',
      'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n',
    ),
  ),
  wire('two If-None-Match headers', request('/healthz', 'If-None-Match: "a"\r\nIf-None-Match: "b"\r\n')),
  wire('two Accept headers', request('/docs/limits', 'Accept: text/markdown\r\nAccept: text/html\r\n')),
  wire('two Prefer headers', request(LOOKUP, 'Prefer: respond-async\r\nPrefer: wait=2\r\n')),
];

const bodies: readonly Case[] = [
  wire(
    'a chunked body',
    `${POST}${CHUNKED}\r\n${chunk(BODY.slice(0, 9))}${chunk(BODY.slice(9))}${chunk('')}`,
    'POST',
  ),
  wire(
    'a chunked body with a trailer',
    `${POST}${CHUNKED}Trailer: X-End\r\n\r\n${chunk(BODY)}0\r\nX-End: 1\r\n\r\n`,
    'POST',
  ),
  wire(
    'a chunk with an extension',
    `${POST}${CHUNKED}\r\n${BODY.length.toString(16)};a=b\r\n${BODY}\r\n${chunk('')}`,
    'POST',
  ),
  wire('a chunk with an invalid length', `${POST}${CHUNKED}\r\nxyz\r\n`, 'POST'),
  wire('a length and chunks', `${POST}${withLength}${CHUNKED}\r\n${chunk(BODY)}${chunk('')}`, 'POST'),
  wire('two lengths', `${POST}${withLength}Content-Length: 3\r\n\r\n${BODY}`, 'POST'),
  wire('the same length twice', `${POST}${withLength}${withLength}\r\n${BODY}`, 'POST'),
  wire('a negative length', `${POST}Content-Length: -1\r\n\r\n`, 'POST'),
  wire('a length that is no number', `${POST}Content-Length: ten\r\n\r\n`, 'POST'),
  wire('an unknown transfer coding', `${POST}Transfer-Encoding: gzip\r\n\r\n${BODY}`, 'POST'),
  wire(
    'chunked twice',
    `${POST}Transfer-Encoding: chunked, chunked\r\n\r\n${chunk(BODY)}${chunk('')}`,
    'POST',
  ),
  wire('a body of a GET', `${request(LOOKUP, 'Content-Length: 5\r\n')}hello`),
  wire('a body of a GET of a page', `${request('/docs/limits', 'Content-Length: 5\r\n')}hello`),
  wire('Expect: 100-continue', [`${POST}${withLength}Expect: 100-continue\r\n\r\n`, BODY], 'POST'),
  wire('Expect: 100-continue and no body', request('/healthz', 'Expect: 100-continue\r\n')),
  wire(
    'Expect: 100-continue of the tools',
    [
      `POST /mcp HTTP/1.1\r\n${HOST}${FROM}Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`,
      '{}',
    ],
    'POST',
  ),
  wire('an unknown expectation', request('/healthz', 'Expect: a-miracle\r\n')),
  wire('an unknown expectation of a lookup', request(LOOKUP, 'Expect: a-miracle\r\n')),
  wire('an unknown expectation of a page', request('/', 'Expect: a-miracle\r\nAccept: text/html\r\n')),
];

const pipelines: readonly Case[] = [
  wire('two requests at once', request(LOOKUP) + request('/healthz'), 'GET', 'GET'),
  wire(
    'a page and a lookup at once',
    request('/docs/limits', 'Accept: text/html\r\n') + request(LOOKUP),
    'GET',
    'GET',
  ),
  wire(
    'HEAD, GET and 404 at once',
    `HEAD ${LOOKUP} HTTP/1.1\r\n${HOST}${FROM}\r\n${request('/healthz')}${request('/api/nothing')}`,
    'HEAD',
    'GET',
    'GET',
  ),
  wire('two batches at once', `${POST}${withLength}\r\n${BODY}`.repeat(2), 'POST', 'POST'),
  wire('nine requests at once', request('/healthz').repeat(9), ...Array<string>(9).fill('GET')),
  wire('a request after the last', request('/healthz', 'Connection: close\r\n') + request('/healthz')),
  wire('a request and then garbage', `${request('/healthz')}garbage\r\n\r\n`, 'GET', 'GET'),
];

export const wireCases: readonly Case[] = [...targets, ...heads, ...bodies, ...pipelines];
