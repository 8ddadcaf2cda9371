import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { after, before, test } from 'node:test';
import { freshIp, startService, type Service } from './service.ts';

let service: Service;
before(async () => {
  service = await startService({ BASE_URL: 'https://labels.example' });
});
after(() => service.close());

const VIN = '1FMUK8DH0TG000000';
const FAILING = 'JF2SKAGC8RH000000';
const MCP = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const TOOLS = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';

interface RequestOptions {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}
interface ReceivedResponse {
  status: number;
  headers: Record<string, string | undefined>;
  text: string;
}

/** Uses `node:http` because `fetch` can't set Host. Doesn't follow redirects. */
function send({ path, method = 'GET', headers = {}, body }: RequestOptions): Promise<ReceivedResponse> {
  const defaults = { host: 'labels.example', 'x-forwarded-for': freshIp() };
  return new Promise((resolve, reject) => {
    http
      .request(`${service.origin}${path}`, { method, headers: { ...defaults, ...headers } }, (res) => {
        let text = '';
        res.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
        res.on('end', () =>
          resolve({ status: res.statusCode!, headers: res.headers as ReceivedResponse['headers'], text }),
        );
      })
      .on('error', reject)
      .end(body);
  });
}

/** Every kind of response other than a plain 200, with the expected status. */
const UNUSUAL: [number, RequestOptions][] = [
  [400, { path: '/api/v1/vin/nonsense' }],
  [400, { path: `/api/v1/vin/${VIN}?sticker=perhaps` }],
  [404, { path: '/api/nowhere' }],
  [404, { path: '/no-such-page' }],
  [400, { path: '/embed/nonsense', headers: { accept: 'text/html' } }],
  [400, { path: '/badge/nonsense.svg', headers: { accept: 'image/svg+xml' } }],
  [404, { path: '/assets/none.css' }],
  [404, { path: '/.well-known/nothing' }],
  [405, { path: `/api/v1/vin/${VIN}`, method: 'DELETE' }],
  [405, { path: `/api/sticker/${VIN}`, method: 'POST' }],
  [405, { path: '/openapi.json', method: 'PUT' }],
  [405, { path: '/', method: 'POST' }],
  [405, { path: '/mcp' }],
  [204, { path: `/api/v1/vin/${VIN}`, method: 'OPTIONS' }],
  [204, { path: '/mcp', method: 'OPTIONS' }],
  [204, { path: `/window-sticker/${VIN}/ready` }],
  [206, { path: `/api/sticker/${VIN}`, headers: { range: 'bytes=0-99' } }],
  [416, { path: `/api/sticker/${VIN}`, headers: { range: 'bytes=99999999-' } }],
  [412, { path: `/api/sticker/${VIN}`, headers: { 'if-match': '"other"' } }],
  [417, { path: `/api/sticker/${VIN}`, headers: { expect: 'unknown' } }],
  [304, { path: `/api/v1/vin/${VIN}`, headers: { 'if-none-match': '*' } }],
  [304, { path: `/api/v1/vin/${VIN}/label`, headers: { 'if-none-match': '*' } }],
  [304, { path: `/api/sticker/${VIN}`, headers: { 'if-none-match': '*' } }],
  [304, { path: '/openapi.json', headers: { 'if-none-match': '*' } }],
  [200, { path: `/api/sticker/${VIN}`, method: 'HEAD' }],
  [200, { path: '/', method: 'HEAD' }],
  [503, { path: `/api/sticker/${FAILING}` }],
  [303, { path: `/find?vin=${VIN}` }],
  [400, { path: '/find?vin=x' }],
  [400, { path: '/unsubscribe' }],
  [200, { path: '/mcp', method: 'POST', headers: MCP, body: TOOLS }],
  [400, { path: '/mcp', method: 'POST', headers: MCP, body: 'no json' }],
  [415, { path: '/mcp', method: 'POST', body: TOOLS }],
  [403, { path: '/mcp', method: 'POST', headers: { ...MCP, host: 'evil.example' }, body: TOOLS }],
];

/** URLs that differ only in the VIN, make or width from one that is requested. */
const SAME_KIND = new RegExp(`(sticker|vins?[=/])/?(?!${VIN})[A-Z0-9]{17}|/makes/(?!ford)|width=(640|1920)`);

/** Crawls everything that the service links to or lists. */
async function crawl(): Promise<Map<string, ReceivedResponse>> {
  const visited = new Map<string, ReceivedResponse>();
  const startPaths = [
    '/',
    '/sitemap.xml',
    '/llms.txt',
    '/.well-known/api-catalog',
    '/docs',
    '/status',
    '/compare',
  ];
  const queue = [...startPaths, '/healthz', '/readyz', '/robots.txt', `/window-sticker/${VIN}`];
  for (let path = queue.shift(); path !== undefined && visited.size < 400; path = queue.shift()) {
    if (visited.has(path) || SAME_KIND.test(path)) continue;
    const response = await send({ path, headers: { accept: 'text/html, */*' } });
    visited.set(path, response);
    for (const [, link, absolute] of response.text.matchAll(
      /(?:href|src)="(\/[^"#]*)"|https:\/\/labels\.example(\/[\w./-]*\w)/g,
    ))
      queue.push((link ?? absolute!).replaceAll('&amp;', '&'));
  }
  return visited;
}

function assertCommonHeaders(headers: ReceivedResponse['headers'], where: string): void {
  assert.equal(headers['x-content-type-options'], 'nosniff', where);
  assert.equal(headers['referrer-policy'], 'no-referrer', where);
  assert.match(headers['strict-transport-security'] ?? '', /^max-age=\d{7,}/, where);
  assert.ok(!headers['set-cookie'] && !headers['x-powered-by'] && !headers.server, where);
  assert.equal(headers['access-control-allow-credentials'], undefined, where);
}

/** By content type: a page may only run our scripts; a PDF, and anything else a browser could render, may run none. */
function assertHeadersByType({ status, headers }: ReceivedResponse, where: string): void {
  const type = headers['content-type'] ?? '';
  const policy = headers['content-security-policy'] ?? '';
  const needsNoPolicy =
    type === '' || /^text\/(css|javascript|markdown)/.test(type) || where.includes('/mcp');
  if (!needsNoPolicy) assert.match(policy, /default-src 'none'/, where);
  if (type.startsWith('text/html')) {
    // The card is the one page for other sites' frames.
    const isCard = where.includes(' /embed/');
    assert.equal(policy.includes("frame-ancestors 'none'"), !isCard, where);
    assert.doesNotMatch(policy, /'unsafe-(inline|eval)'|script-src[^;]*(\*|https?:|data:)/, where);
  }
  if (type === 'application/pdf') {
    assert.match(policy, /^sandbox;/, where);
    assert.equal(headers['x-robots-tag'], 'noindex', where);
  }
  if (where.includes(' /api/') || where.includes(' /mcp')) {
    assert.equal(headers['access-control-allow-origin'], '*', where);
  }
  if (status >= 500 || status === 429) assert.equal(headers['cache-control'], 'no-store', where);
}

test('every URL of the service has the security headers for its content type', async () => {
  const visited = await crawl();
  for (const path of [
    `/embed/${VIN}`,
    `/badge/${VIN}.svg`,
    '/openapi.json',
    '/favicon.svg',
    '/makes/ford',
    '/docs/api.md',
    '/errors/bad-vin',
  ])
    assert.ok(visited.has(path), `the crawl did not reach ${path}`);
  for (const [path, response] of visited) {
    const where = `${response.status} ${path}`;
    assertCommonHeaders(response.headers, where);
    assertHeadersByType(response, where);
    assert.ok(response.headers['x-request-id'], where);
  }
  assert.ok(visited.size > 90, `${visited.size} URLs`);
});

test('every other status has the same security headers: 204, 206, 303, 304, 4xx and 503', async () => {
  for (const [status, options] of UNUSUAL) {
    const where = `${status} ${options.path} by ${options.method ?? 'GET'}`;
    const response = await send(options);
    assert.equal(response.status, status, where);
    assertCommonHeaders(response.headers, where);
    assertHeadersByType(response, where);
    assert.ok(response.headers['x-request-id'], where);
  }
});

test('a 429 has the same security headers', async () => {
  const headers = { 'x-forwarded-for': freshIp() };
  for (let n = 0; n < 10; n++) await send({ path: `/api/v1/vin/${VIN}`, headers });
  for (const path of [`/api/v1/vin/${VIN}`, `/api/sticker/${VIN}`]) {
    const response = await send({ path, headers });
    assert.equal(response.status, 429);
    assertCommonHeaders(response.headers, `429 ${path}`);
    assertHeadersByType(response, `429 ${path}`);
  }
});

test('a response to malformed HTTP has the same security headers', async () => {
  for (const bytes of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`]) {
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = net.connect(Number(new URL(service.origin).port), '127.0.0.1', () =>
        socket.write(bytes),
      );
      socket.on('data', (chunk) => (received += chunk.toString('latin1')));
      socket.on('close', () => resolve(received)).on('error', reject);
    });
    const [first = '', ...lines] = text.split('\r\n\r\n')[0]!.split('\r\n');
    const pairs = lines.map((line) => line.split(': '));
    const headers = Object.fromEntries(pairs.map(([name = '', value]) => [name.toLowerCase(), value]));
    assert.match(first, / 4\d\d /);
    assertCommonHeaders(headers, first);
  }
});

test('Host and forwarding headers never appear in a response, so they can’t poison a cache', async () => {
  const poison = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    'x-original-url': '/evil',
    'x-rewrite-url': '/evil',
    forwarded: 'host=evil.example;proto=gopher',
  };
  const paths = [
    `/api/v1/vin/${VIN}`,
    `/api/v1/vin/${VIN}/label`,
    '/api/nowhere',
    '/openapi.json',
    '/llms.txt',
  ];
  const pages = [
    '/',
    `/window-sticker/${VIN}`,
    '/sitemap.xml',
    `/find?vin=${VIN}`,
    '/no-such-page',
    '/docs/api',
  ];
  for (const path of [...paths, ...pages, '/.well-known/api-catalog', '/mcp/server-card', '/mcp']) {
    const clean = await send({ path });
    const poisoned = await send({ path, headers: poison });
    const received = poisoned.text + JSON.stringify(poisoned.headers);
    assert.doesNotMatch(received, /evil\.example|gopher/, path);
    if (path !== '/mcp') assert.equal(poisoned.status, clean.status, path);
    assert.equal(poisoned.headers.etag, clean.headers.etag, path);
  }
});
