import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mock, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { REASONS } from '../../src/http/problems.ts';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { createResponseChecker, isDocumented } from '../documented.ts';
import { isFile, isText } from './body-text.ts';
import { NOW } from './case.ts';
import { valueOf } from './client.ts';
import { report } from './compare.ts';
import { decodedBody, normalizeAll, NOT_RECORDED } from './normalize.ts';
import { readRecorded, textsOf, writeRecorded } from './recorded.ts';
import { replay } from './replay.ts';

/**
 * Sends about 1,300 requests, compares the responses with what was recorded, and checks what must hold for every one of them.
 * Whatever differs from what was recorded is a mistake or an intended change: `UPDATE_GOLDEN=1 npm test -- test/golden`
 * records it, and CHANGELOG.md names it.
 */

// All dates in responses, and all decoding that depends on the current year, are the same in every run.
mock.timers.enable({ apis: ['Date'], now: NOW });
// So are the seconds to wait, however busy the machine is. A mock of the test runner would keep every call.
const { now } = performance;
performance.now = () => NOW;
const received = await replay();
performance.now = now;
mock.timers.reset();

test('the service sends what was recorded', () => {
  const served = textsOf(normalizeAll(received));
  if (process.env.UPDATE_GOLDEN) return writeRecorded(served);
  const recorded = readRecorded();
  if (!isDeepStrictEqual(served, recorded)) assert.fail(report(recorded, served));
});

const all = received.flatMap(({ name, method, path, exchange }) =>
  exchange.responses.map((response) => {
    const headers: Record<string, string | undefined> = Object.fromEntries(response.headers);
    const type = headers['content-type'] ?? '';
    const bytes = decodedBody(response);
    const status = parseInt(response.status);
    // Empty if it isn't text, or is a file of this checkout.
    const body = isText(type) && !(status === 200 && isFile(path)) ? bytes.toString() : '';
    return { name, method, path, status, headers, type, bytes, body };
  }),
);
type Sent = (typeof all)[number];
const named = new Map(all.map((one) => [one.name, one]));
const ofService = all.filter(({ name }) => !name.startsWith('admin port: '));

/** The exchanges that a rule applies to: enough of them, so that no rule checks nothing. */
function atLeast(count: number, applies: (one: Sent) => boolean, of = ofService): Sent[] {
  const found = of.filter(applies);
  assert.ok(found.length >= count, `only ${found.length} exchanges to check`);
  return found;
}

test('every URL of the service has the security headers for its content type', () => {
  for (const { name, path, headers, type } of atLeast(1200, () => true)) {
    assert.equal(headers['x-content-type-options'], 'nosniff', name);
    assert.equal(headers['referrer-policy'], 'no-referrer', name);
    // Without a BASE_URL, the service doesn't know whether it is behind HTTPS.
    if (!name.startsWith('without limits: '))
      assert.match(headers['strict-transport-security'] ?? '', /^max-age=\d{7,}/, name);
    assert.ok(!headers['set-cookie'] && !headers['x-powered-by'] && !headers['server'], name);
    assert.equal(headers['access-control-allow-credentials'], undefined, name);
    assert.ok(headers['x-request-id'], name);
    // A page may only run our scripts; a PDF, and anything else a browser could render, may run none.
    const policy = headers['content-security-policy'] ?? '';
    const isOfTools = /\/mcp|the tools|WebSocket|get_window_sticker/.test(name);
    if (type && !isOfTools && !/^text\/(css|javascript|markdown)/.test(type))
      assert.match(policy, /default-src 'none'/, name);
    if (!type.startsWith('text/html')) continue;
    // The card is the one page for other sites' frames.
    assert.equal(policy.includes("frame-ancestors 'none'"), !path.startsWith('/embed/'), name);
    assert.doesNotMatch(policy, /'unsafe-(inline|eval)'|script-src[^;]*(\*|https?:|data:)/, name);
  }
  for (const { name, headers } of atLeast(25, ({ type }) => type === 'application/pdf')) {
    assert.match(headers['content-security-policy']!, /^sandbox;/, name);
    assert.equal(headers['x-robots-tag'], 'noindex', name);
  }
});

test('scripts of other sites may read the API, the tools and every machine-readable document', () => {
  for (const [count, paths] of [
    [500, /^\/(api|vpic|mcp)(\/|$)/],
    [80, /^\/((openapi|schemas|llms|robots|limits|server|status|\.well-known)[/.-]|[^?]+\.(md|xml)\b)/],
  ] as const)
    for (const { name, headers } of atLeast(
      count,
      ({ path, headers }) => paths.test(path) && headers['location'] === undefined,
    ))
      assert.equal(headers['access-control-allow-origin'], '*', name);
});

test('a failure of the service is not cached', () => {
  for (const { name, headers } of atLeast(25, ({ status }) => status >= 500 || status === 429))
    assert.equal(headers['cache-control'], 'no-store', name);
});

test('a wrong method is told which ones are right', () => {
  for (const { name, method, headers } of atLeast(70, ({ status }) => status === 405, all)) {
    assert.match(headers['allow'] ?? '', /^[A-Z]+(, [A-Z]+)*$/, name);
    assert.ok(!headers['allow']!.split(', ').includes(method), name);
  }
});

test('the ETag of a PDF or of JSON is strong, and is the SHA-256 of the bytes', () => {
  for (const { name, headers, type, bytes } of atLeast(
    150,
    ({ method, status, headers, type, bytes }) =>
      /^application\/(pdf|(\S+\+)?json)/.test(type) &&
      method === 'GET' &&
      status === 200 &&
      bytes.length > 0 &&
      headers['cache-control'] !== 'no-store',
  )) {
    const [, tag] = /^"([^"]+?)(?:-br|-gzip)?"$/.exec(headers['etag'] ?? '') ?? [];
    assert.equal(tag, hash('sha256', bytes, type === 'application/pdf' ? 'hex' : 'base64'), name);
  }
});

test('every page has one main heading, a title, a description, and no inline scripts or styles', () => {
  for (const { name, path, body } of atLeast(
    150,
    ({ type, body }) => type.startsWith('text/html') && body !== '',
    all,
  )) {
    assert.equal(body.match(/<h1[ >]/g)?.length, 1, name);
    assert.match(body, /<title>[^<]{5,}<\/title>/, name);
    if (!path.startsWith('/embed/'))
      assert.match(body, /<meta\s+name="description"\s+content="[^"]{11,}"/, name);
    assert.doesNotMatch(body, /<script(?![^>]*\b(?:src|type)=)|\son\w+="|\sstyle="/, name);
    assert.doesNotMatch(body, /\{\{|undefined|\[object/, name);
  }
});

test('the page of a test VIN calls its sticker a sample, never the original, and no other car’s page may be indexed', () => {
  const vins = new Set(specimens.map(({ vin }) => vin));
  const held = new Set(specimens.filter(({ state }) => state === 'held').map(({ vin }) => vin));
  const samples = new Set<string>();
  for (const { name, path, body } of atLeast(
    15,
    ({ path, type, status, body }) =>
      /^\/window-sticker\/\w{17}$/.test(path) &&
      type.startsWith('text/html') &&
      status === 200 &&
      body !== '',
  )) {
    const vin = path.slice(-17);
    if (!vins.has(vin)) assert.match(body, /<meta name="robots" content="noindex"/, name);
    if (!held.has(vin)) continue;
    samples.add(vin);
    assert.match(body, /<title>Sample: /, name);
    assert.doesNotMatch(body, /original|name="robots"/i, name);
  }
  assert.deepEqual(samples, held);
});

test('every Markdown page has a title and absolute links', () => {
  for (const { name, body, headers } of atLeast(
    30,
    ({ type, body, path }) => type.startsWith('text/markdown') && body !== '' && !/SKILL/.test(path),
  )) {
    assert.match(body, /^# .+/, name);
    assert.doesNotMatch(body, /\{\{|\]\(\/|undefined|\[object/, name);
    assert.match(headers['link']!, /rel="canonical", .*rel="api-catalog"/, name);
  }
});

test('every problem document says its status and reason, and nothing internal leaks', () => {
  for (const { name, status, body } of atLeast(
    200,
    ({ type, body }) => type === 'application/problem+json' && body !== '',
    all,
  )) {
    const problem = JSON.parse(body) as { ok: boolean; status: number; reason: string; type: string };
    assert.deepEqual([problem.ok, problem.status], [false, status], name);
    assert.ok(Object.hasOwn(REASONS, problem.reason), name);
    assert.ok(problem.type.endsWith(`/errors/${problem.reason}`), name);
  }
  for (const { name, body } of all) assert.doesNotMatch(body, /node:|\.ts:\d|\bat .*:\d+:\d+\)/, name);
});

const openapi = all.find(({ name }) => name === 'GET /openapi.json')!.body;
const check = createResponseChecker(JSON.parse(openapi) as Parameters<typeof createResponseChecker>[0]);
const responseOf = (status: number, headers: Sent['headers'], body: string) =>
  new Response(body || null, { status, headers: headers as Record<string, string> });

test('every response of the API matches the OpenAPI document', async () => {
  for (const { method, path, status, headers, body } of atLeast(480, ({ path, type }) =>
    isDocumented(path, type),
  ))
    await check(method, path, responseOf(status, headers, body));
});

test('the helper that checks responses against the OpenAPI document rejects wrong ones', async () => {
  const path = '/api/v1/vin/1FMUK8DH0TG000000';
  const { headers } = named.get(`GET ${path}`)!;
  const checkWrong = (status: number, type: string, body: string, more: Sent['headers'] = headers) =>
    check('GET', path, responseOf(status, { ...more, 'content-type': type }, body));
  await assert.rejects(checkWrong(200, 'application/json', '{"ok":true}'), /required property/);
  await assert.rejects(checkWrong(200, 'application/json', '{}', {}), /: no /);
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
    const { exchange } = received.find((one) => one.name === `on the wire: ${name}`)!;
    assert.equal(exchange.after, 'closed', name);
    assert.match(exchange.responses[0]!.status, /^4\d\d /, name);
    assert.equal(valueOf(exchange.responses[0]!, 'content-type'), 'application/problem+json', name);
  }
});

test('HEAD has the headers of GET without a body, and so has 304', () => {
  const differing = new Set([...NOT_RECORDED, 'x-request-id']);
  for (const { name, headers, body } of atLeast(10, ({ status }) => status === 304)) {
    assert.equal(body, '', name);
    const unconditional = name
      .replace(/(; )?(If-None-Match|If-Modified-Since|Range): [^;\]]*/g, '')
      .replace(/ (\[\]|\([^)]*\))/g, '');
    const got = named.get(unconditional);
    assert.equal(got?.status, 200, `${name}: ${unconditional}`);
    for (const header of ['etag', 'cache-control', 'vary'])
      assert.equal(headers[header], got?.headers[header], `${name}: ${header}`);
  }
  const getOf = ({ name }: Sent) => named.get(name.replace('HEAD', 'GET'));
  for (const one of atLeast(
    120,
    (head) => head.method === 'HEAD' && !head.name.includes('[Range') && getOf(head) !== undefined,
  )) {
    const { name, status, headers, body } = one;
    const got = getOf(one)!;
    assert.deepEqual([status, body], [got.status, ''], name);
    // RFC 9530: HEAD has no content to have a digest of, but says that of what GET sends.
    const { 'content-digest': digest, ...same } = got.headers;
    const expected = digest === undefined ? same : { 'repr-digest': digest, ...same };
    for (const header of Object.keys({ ...headers, ...expected })) {
      // A response to HEAD may leave it out, and the problem of a 405 names the method.
      if (header === 'content-length' && (status === 405 || headers[header] === undefined)) continue;
      if (!differing.has(header)) assert.equal(headers[header], expected[header], `${name}: ${header}`);
    }
  }
});

test('everything but assets links to the API catalog, unless it links to an announced change', () => {
  for (const { name, headers } of atLeast(
    400,
    ({ method, path, status, headers }) =>
      method === 'GET' && status === 200 && !path.startsWith('/assets/') && !headers['deprecation'],
  ))
    assert.match(headers['link'] ?? '', /rel="api-catalog"/, name);
});
