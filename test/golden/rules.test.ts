import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REASONS } from '../../src/http/problems.ts';
import { createResponseChecker } from '../documented.ts';
import { readRecorded } from './recorded.ts';

/** Rules that hold for everything the service sends, checked on the recorded exchanges. */

interface Recorded {
  /** `GET /api/v1/vin/…`, with the headers that were sent. */
  name: string;
  method: string;
  path: string;
  status: number;
  headers: Record<string, string | undefined>;
  type: string;
  /** Empty if there was none or it isn't recorded. */
  body: string;
}

/** With valid values in place of what differs from run to run. */
const withExamples = (body: string | null): string =>
  body === null || body === '<not recorded>' ? '' : body.replaceAll('<origin>', 'http://localhost');

const recorded = readRecorded();
const all: Recorded[] = recorded.flatMap(({ name, responses }) =>
  responses.map(({ status, headers: pairs, body }) => {
    const [, method = '', path = ''] = /^(?:without limits: )?([A-Z]+) (\S+)/.exec(name) ?? [];
    const headers: Record<string, string | undefined> = Object.fromEntries(pairs);
    return {
      name,
      method,
      path,
      status: parseInt(status),
      headers,
      type: headers['content-type'] ?? '',
      body: withExamples(body),
    };
  }),
);
const isOfService = ({ name }: Recorded) => !name.startsWith('admin port: ');
const pages = all.filter(({ type, body }) => type.startsWith('text/html') && body);

test('every URL of the service has the security headers for its content type', () => {
  for (const { name, path, status, headers, type } of all.filter(isOfService)) {
    assert.equal(headers['x-content-type-options'], 'nosniff', name);
    assert.equal(headers['referrer-policy'], 'no-referrer', name);
    // Without a BASE_URL, the service doesn't know whether it is behind HTTPS.
    if (!name.startsWith('without limits: '))
      assert.match(headers['strict-transport-security'] ?? '', /^max-age=\d{7,}/, name);
    assert.ok(!headers['set-cookie'] && !headers['x-powered-by'] && !headers['server'], name);
    assert.equal(headers['access-control-allow-credentials'], undefined, name);
    assert.ok(headers['x-request-id'], name);
    if (/^\/(api|vpic|mcp)(\/|$)/.test(path) && headers['location'] === undefined)
      assert.equal(headers['access-control-allow-origin'], '*', name);
    if (status >= 500 || status === 429) assert.equal(headers['cache-control'], 'no-store', name);
    // A page may only run our scripts; a PDF, and anything else a browser could render, may run none.
    const policy = headers['content-security-policy'] ?? '';
    const isOfTools = /\/mcp|the tools|WebSocket|get_window_sticker/.test(name);
    if (type && !isOfTools && !/^text\/(css|javascript|markdown)/.test(type))
      assert.match(policy, /default-src 'none'/, name);
    if (type.startsWith('text/html')) {
      // The card is the one page for other sites' frames.
      assert.equal(policy.includes("frame-ancestors 'none'"), !path.startsWith('/embed/'), name);
      assert.doesNotMatch(policy, /'unsafe-(inline|eval)'|script-src[^;]*(\*|https?:|data:)/, name);
    }
    if (type === 'application/pdf') {
      assert.match(policy, /^sandbox;/, name);
      assert.equal(headers['x-robots-tag'], 'noindex', name);
    }
  }
});

test('every page has one main heading, a title, a description, and no inline scripts or styles', () => {
  for (const { name, path, body } of pages) {
    assert.equal(body.match(/<h1[ >]/g)?.length, 1, name);
    assert.match(body, /<title>[^<]{5,}<\/title>/, name);
    if (!path.startsWith('/embed/'))
      assert.match(body, /<meta\s+name="description"\s+content="[^"]{11,}"/, name);
    assert.doesNotMatch(body, /<script(?![^>]*\b(?:src|type)=)|\son\w+="|\sstyle="/, name);
    assert.doesNotMatch(body, /\{\{|undefined|\[object/, name);
  }
  assert.ok(pages.length > 150);
});

test('every Markdown page has a title and absolute links', () => {
  const texts = all.filter(
    ({ type, body, path }) => type.startsWith('text/markdown') && body && !/SKILL/.test(path),
  );
  for (const { name, body, headers } of texts) {
    assert.match(body, /^# .+/, name);
    assert.doesNotMatch(body, /\{\{|\]\(\/|undefined|\[object/, name);
    assert.match(headers['link']!, /rel="canonical", .*rel="api-catalog"/, name);
  }
  assert.ok(texts.length > 30);
});

test('every problem document says its status and reason, and nothing internal leaks', () => {
  const problems = all.filter(({ type, body }) => type === 'application/problem+json' && body);
  for (const { name, status, body } of problems) {
    const problem = JSON.parse(body) as { ok: boolean; status: number; reason: string; type: string };
    assert.deepEqual([problem.ok, problem.status], [false, status], name);
    assert.ok(Object.hasOwn(REASONS, problem.reason), name);
    assert.ok(problem.type.endsWith(`/errors/${problem.reason}`), name);
  }
  assert.ok(problems.length > 200);
  for (const { name, body } of all) assert.doesNotMatch(body, /node:|\.ts:\d|\bat .*:\d+:\d+\)/, name);
});

const openapi = all.find(({ name }) => name === 'GET /openapi.json')!.body;
const check = createResponseChecker(JSON.parse(openapi) as Parameters<typeof createResponseChecker>[0]);
const responseOf = (status: number, type: string, body: string) =>
  new Response(body || null, { status, headers: type ? { 'content-type': type } : {} });

test('every response of the API matches the OpenAPI document', async () => {
  for (const { method, path, status, type, body } of all.filter(isOfService))
    if (/^\/(api|vpic)\//.test(path) && !path.includes('…'))
      await check(method, path, responseOf(status, type, body));
});

test('the helper that checks responses against the OpenAPI document rejects wrong ones', async () => {
  const path = '/api/v1/vin/1FMUK8DH0TG000000';
  const checkWrong = (status: number, type: string, body: string) =>
    check('GET', path, responseOf(status, type, body));
  await assert.rejects(checkWrong(200, 'application/json', '{"ok":true}'), /required property/);
  await assert.rejects(checkWrong(418, 'application/json', '{}'), /not documented/);
  await assert.rejects(checkWrong(200, 'text/html', '{}'), /text\/html is not documented/);
});

test('a malformed HTTP request gets a 4xx problem, and its connection is closed', () => {
  for (const name of [
    'two Host headers',
    'no Host header',
    'HTTP/0.9',
    'a TLS handshake',
    'a space before the colon',
    'a control character in a header',
    'headers of 20 KB',
    'NUL in the URL',
    'a URL of 20,000 bytes',
    'a chunk with an invalid length',
    'a length and chunks',
    'two lengths',
  ]) {
    const { responses, after } = recorded.find((one) => one.name === `on the wire: ${name}`)!;
    assert.equal(after, 'closed', name);
    assert.match(responses[0]!.status, /^4\d\d /, name);
    assert.ok(
      responses[0]!.headers.some(([, value]) => value === 'application/problem+json'),
      name,
    );
  }
});

test('HEAD has the headers of GET without a body, and so has 304', () => {
  const gets = new Map(all.map((one) => [one.name, one]));
  const differing = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);
  for (const { name, status, headers, body } of all) {
    if (status === 304) assert.equal(body, '', name);
    const got = name.startsWith('HEAD ') && !name.includes('[Range') && gets.get(name.replace('HEAD', 'GET'));
    if (!got) continue;
    assert.deepEqual([status, body], [got.status, ''], name);
    for (const header of Object.keys({ ...headers, ...got.headers }))
      if (!differing.has(header)) assert.equal(headers[header], got.headers[header], `${name}: ${header}`);
  }
});

test('everything but assets links to the API catalog, unless it links to an announced change', () => {
  for (const { name, method, path, status, headers } of all.filter(isOfService))
    if (method === 'GET' && status === 200 && !path.startsWith('/assets/') && !headers['deprecation'])
      assert.match(headers['link'] ?? '', /rel="api-catalog"/, name);
});
