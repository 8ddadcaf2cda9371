import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startService, type Service } from './service.ts';

let service: Service;
before(async () => {
  service = await startService({ BASE_URL: 'https://labels.example' });
});
after(() => service.close());

const VIN = '1FMUK8DH0TG000000';
const API = [
  `/api/v1/vin/${VIN}`,
  `/api/v1/vin/${VIN}?sticker=false`,
  `/api/v1/vin/${VIN}/label`,
  `/api/sticker/${VIN}`,
  `/api/sticker/${VIN}/preview`,
  '/api/v1/vin/nonsense',
  '/api/nowhere',
];
const DOCUMENTS = [
  '/openapi.json',
  '/status.json',
  '/llms.txt',
  '/robots.txt',
  '/sitemap.xml',
  '/.well-known/api-catalog',
  '/.well-known/security.txt',
  '/schemas/vin-response.json',
  '/schemas/label.json',
  '/schemas/problem.json',
  '/healthz',
  '/readyz',
];
const PAGES = [
  '/',
  `/window-sticker/${VIN}`,
  '/status',
  '/makes',
  '/docs',
  '/errors/bad-vin',
  '/no-such-page',
];

const ask = (path: string, headers: Record<string, string> = {}) =>
  service.get(path, { headers, redirect: 'manual' });

test('every answer forbids guessing its type, sends no referrer, insists on https and sets no cookie', async () => {
  for (const path of [...API, ...DOCUMENTS, ...PAGES]) {
    const { headers } = await ask(path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
    assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
    assert.match(headers.get('strict-transport-security') ?? '', /^max-age=\d{7,}/, path);
    assert.equal(headers.get('set-cookie'), null, path);
    assert.equal(headers.get('x-powered-by') ?? headers.get('server'), null, path);
    assert.ok(headers.get('x-request-id'), path);
  }
});

test('every answer under /api/ may be read from anywhere and run nowhere', async () => {
  for (const path of API) {
    const { headers } = await ask(path);
    assert.equal(headers.get('access-control-allow-origin'), '*', path);
    assert.equal(headers.get('access-control-allow-credentials'), null, path);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/, path);
  }
});

test('a PDF is sandboxed and kept out of search engines', async () => {
  const { headers } = await ask(`/api/sticker/${VIN}`);
  assert.match(headers.get('content-security-policy')!, /^sandbox/);
  assert.equal(headers.get('x-robots-tag'), 'noindex');
  assert.equal(headers.get('content-type'), 'application/pdf');
});

test('every page has a policy without inline script, and cannot be framed', async () => {
  for (const path of PAGES) {
    const response = await ask(path, { accept: 'text/html' });
    if (!response.headers.get('content-type')?.startsWith('text/html')) continue;
    const policy = response.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src/, path);
    assert.match(policy, /frame-ancestors '(none|self)'/, path);
    assert.doesNotMatch(policy, /script-src[^;]*'unsafe-(inline|eval)'/, path);
  }
});

test('Host and forwarding headers leave no trace in an answer, so no cache can be poisoned with them', async () => {
  const poison = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'gopher',
    'x-original-url': '/evil',
    'x-rewrite-url': '/evil',
    forwarded: 'host=evil.example;proto=gopher',
  };
  for (const path of [
    API[0]!,
    '/openapi.json',
    '/',
    `/window-sticker/${VIN}`,
    '/sitemap.xml',
    '/api/nowhere',
  ]) {
    const response = await ask(path, poison);
    const said = (await response.text()) + JSON.stringify([...response.headers]);
    assert.doesNotMatch(said, /evil\.example|gopher/, path);
  }
});
