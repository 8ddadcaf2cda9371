import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import type { Problem } from '@monroney/client';
import { createResponseChecker } from './documented.ts';
import { freshIp, startService, type Service } from './service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

async function problem(path: string, init?: RequestInit): Promise<Problem> {
  const response = await service.get(path, init);
  assert.equal(response.headers.get('content-type'), 'application/problem+json', path);
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  const body = (await response.json()) as Problem;
  assert.equal(body.status, response.status);
  assert.equal(body.ok, false);
  return body;
}

const badVins: [name: string, segment: string, message: RegExp][] = [
  ['the letter O', '1FMUK8DHOTG000000', /position 9/i],
  ['the letter I', 'IFMUK8DH0TG000000', /position 1\b/i],
  ['the letter Q', '1FMUK8DH0TGQ00000', /position 12/i],
  ['16 characters', '1FMUK8DH0TG00000', /16/],
  ['18 characters', '1FMUK8DH0TG0000000', /18/],
  ['a percent-encoded character', '1FMUK8DH0TG00000%30', /percent/],
  ['NUL', '1FMUK8DH0TG00000%00', /./],
  ['an emoji', '1FMUK8DH0TG0000%F0%9F%9A%97', /./],
  ['a space', '1FMUK8DH0 TG000000', /./],
];

for (const [name, segment, message] of badVins) {
  test(`a VIN with ${name} gets a 400 that says what is wrong`, async () => {
    for (const path of [
      `/api/v1/vin/${segment}`,
      `/api/sticker/${segment}`,
      `/api/v1/vin/${segment}/label`,
    ]) {
      const { status, reason, detail } = await problem(path);
      assert.deepEqual([status, reason], [400, 'bad-vin'], path);
      assert.match(detail, message);
    }
  });
}

test('a 100 KB path is rejected, and the next request succeeds', async () => {
  const response = await service.get(`/api/v1/vin/${'A'.repeat(100_000)}`).catch(() => null);
  if (response) assert.ok([400, 414, 431].includes(response.status), String(response.status));
  assert.equal((await service.get('/api/v1/vin/1FMUK8DH0TG000000')).status, 200);
});

test('a repeated or invalid query parameter gets a 400 that names it', async () => {
  const vin = '1FMUK8DH0TG000000';
  for (const query of ['sticker=true&sticker=false', 'sticker=maybe', 'sticker=', 'sticker=TRUTH']) {
    const { status, detail } = await problem(`/api/v1/vin/${vin}?${query}`);
    assert.equal(status, 400, query);
    assert.match(detail, /sticker/);
  }
  assert.equal(
    (await service.get(`/api/v1/vin/${vin}?sticker=0&unknown=1`)).status,
    200,
    'unknown parameters are ignored',
  );
});

test('an unsupported method gets a 405 with the allowed methods', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    const response = await service.get('/api/v1/vin/1FMUK8DH0TG000000', { method });
    assert.equal(response.status, 405);
    assert.match(response.headers.get('allow')!, /GET, HEAD/);
  }
});

test('an unknown path under /api/ gets a 404 problem whose type URL resolves', async () => {
  const body = await problem('/api/v2/vin/1FMUK8DH0TG000000');
  assert.deepEqual([body.status, body.reason], [404, 'not-found']);
  const page = await service.get(new URL(body.type).pathname);
  assert.equal(page.status, 200);
});

/** Sends bytes that `fetch` would refuse to send. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(service.origin).port), '127.0.0.1', () =>
      socket.write(text, 'latin1'),
    );
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

test('a malformed HTTP request gets a 4xx problem, and its connection is closed', async () => {
  const vin = '/api/v1/vin/1FMUK8DH0TG000000';
  const malformed = [
    'GET\r\n\r\n',
    'not HTTP\r\n\r\n',
    `GET ${vin} HTTP/1.1\r\nConnection: close\r\n\r\n`,
    `GET ${vin} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
    `GET ${vin} HTTP/1.1\r\nHost: a\r\nBad Header: x\r\n\r\n`,
    `GET ${vin} HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`,
    `GET ${vin} HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
    `GET /api/v1/vin/\0 HTTP/1.1\r\nHost: a\r\n\r\n`,
  ];
  for (const text of malformed) {
    const received = await sendRaw(text);
    assert.match(received, /^HTTP\/1\.1 4\d\d /, JSON.stringify(text.slice(0, 60)));
    assert.match(received, /application\/problem\+json/);
    assert.doesNotMatch(received, /node:|\.ts:\d/);
  }
  assert.equal((await service.get(vin)).status, 200);
});

test('a backslash in the path of a page gets the page that says what is missing', async () => {
  // `fetch` would replace it with a slash.
  const response = await sendRaw(
    'GET /docs/\\ HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n',
  );
  assert.match(response, /^HTTP\/1\.1 404 /);
  assert.match(response, /<h1>/);
});

test('the eleventh request in ten seconds gets a 429 with CORS and Retry-After; other clients are not affected', async () => {
  const headers = { 'x-forwarded-for': freshIp() };
  for (let i = 0; i < 10; i++)
    assert.equal((await service.get('/api/v1/vin/1FMUK8DH0TG000000', { headers })).status, 200);
  const response = await service.get('/api/v1/vin/1FMUK8DH0TG000000', { headers });
  assert.equal(response.status, 429);
  assert.equal(response.headers.get('retry-after'), '10');
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  assert.equal(response.headers.get('ratelimit-policy'), '"default";q=10;w=10');
  assert.equal((await service.get('/api/v1/vin/1FMUK8DH0TG000000')).status, 200);
  const preflight = await service.get('/api/v1/vin/1FMUK8DH0TG000000', { headers, method: 'OPTIONS' });
  assert.equal(preflight.status, 204);
});

test('the test helper that checks responses against the OpenAPI document rejects wrong ones', async () => {
  const openapi = await service.json<Parameters<typeof createResponseChecker>[0]>('/openapi.json');
  const check = createResponseChecker(openapi);
  const received = (status: number, body: unknown, type = 'application/json') =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': type } });
  const path = '/api/v1/vin/1FMUK8DH0TG000000';
  await assert.rejects(check('GET', path, received(200, { ok: true })), /required property/);
  await assert.rejects(check('GET', path, received(418, {})), /not documented/);
  await assert.rejects(check('GET', path, received(200, {}, 'text/html')), /text\/html is not documented/);
});
