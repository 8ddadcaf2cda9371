import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { hasRightCheckDigit } from '@monroney/vin';
import { REASONS } from '../src/http/problems.ts';
import { tools } from '../src/mcp/tools.ts';
import { specimens } from '../src/lookup/specimens/index.ts';
import { startService, type Service } from './service.ts';

/** The text pages, over real sockets. */

const BASE = 'https://labels.example';
let service: Service;
before(async () => {
  service = await startService({ BASE_URL: BASE, SOURCE_ORIGIN: 'http://127.0.0.1:9' });
});
after(() => service.close());

const page = async (path: string, accept = 'text/html') => {
  const response = await service.get(path, { headers: { accept } });
  return { response, body: await response.text() };
};

const SLUGS =
  'getting-started clients limits versioning privacy terms pricing support changelog specimens errors api';
const PAGES = [
  ...SLUGS.split(' ').map((slug) => `/docs/${slug}`),
  '/docs',
  '/connect',
  '/makes',
  '/makes/alfa-romeo',
  '/status',
  '/errors/no-label',
];

test('every page is HTML with one main heading, a title, a description and no inline scripts or styles', async () => {
  for (const path of PAGES) {
    const { response, body } = await page(path);
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type')!, /^text\/html/, path);
    assert.equal(body.match(/<h1>/g)?.length, 1, path);
    assert.match(body, /<title>[^<]{5,} · Monroney<\/title>/, path);
    assert.match(body, /<meta name="description" content="[^"]{12,}"/, path);
    assert.doesNotMatch(body, /<script(?![^>]*\bsrc=)|\son\w+=|style="/, path);
    assert.doesNotMatch(body, /\{\{|undefined|\[object/, path);
    assert.match(response.headers.get('content-security-policy')!, /script-src 'self'/, path);
  }
});

test('every page is available as Markdown, by Accept or with .md, with absolute links', async () => {
  for (const path of PAGES) {
    const byAccept = await page(path, 'text/markdown');
    const bySuffix = await page(`${path}.md`, '*/*');
    for (const { response, body } of [byAccept, bySuffix]) {
      assert.equal(response.status, 200, path);
      assert.match(response.headers.get('content-type')!, /^text\/markdown/, path);
      assert.match(body, /^# .+/, path);
      assert.doesNotMatch(body, /\{\{|\]\(\/|undefined|\[object/, path);
      assert.match(response.headers.get('link')!, /rel="canonical", .*rel="api-catalog"/, path);
    }
    assert.match(byAccept.response.headers.get('vary')!, /Accept/, path);
    const html = await page(path);
    assert.ok(html.response.headers.get('link')!.includes(`<${path}.md>; rel="alternate"`), path);
    assert.match(html.response.headers.get('link')!, /rel="api-catalog"/, path);
  }
});

test('the home page is available as Markdown, and its links work', async () => {
  const { response, body } = await page('/', 'text/markdown');
  assert.match(response.headers.get('content-type')!, /^text\/markdown/);
  assert.match(response.headers.get('vary')!, /Accept/);
  assert.match(body, /^# Monroney\n/);
  assert.ok(body.includes(`GET ${BASE}/api/v1/vin/{VIN}`));
  for (const { name } of tools) assert.ok(body.includes(name), name);
  assert.match(body, /10 requests in 10 seconds/);
  assert.match(body, /Alfa Romeo/);
  const links = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link!);
  assert.ok(links.length > 5);
  for (const link of links) {
    assert.ok(link.startsWith(`${BASE}/`), link);
    assert.equal((await service.get(link.slice(BASE.length))).status, 200, link);
  }
  assert.match((await page('/')).response.headers.get('content-type')!, /^text\/html/);
});

test('every kind of page links to the API catalog', async () => {
  for (const path of [
    '/',
    `/window-sticker/${specimens[0]!.vin}`,
    '/window-sticker/1HGCV3F53MA000001',
    '/compare',
  ]) {
    for (const accept of ['text/html', 'text/markdown', '*/*']) {
      const { response } = await page(path, accept);
      assert.ok(
        response.headers.get('link')?.includes(`<${BASE}/.well-known/api-catalog>; rel="api-catalog"`),
        `${path} as ${accept}`,
      );
    }
  }
});

test('an unchanged page gets a 304', async () => {
  const first = await page('/docs/limits');
  const etag = first.response.headers.get('etag')!;
  const revalidated = await service.get('/docs/limits', {
    headers: { accept: 'text/html', 'if-none-match': etag },
  });
  assert.equal(revalidated.status, 304);
});

test('short URLs redirect to the pages', async () => {
  for (const name of ['terms', 'privacy', 'support', 'pricing']) {
    const response = await service.get(`/${name}`, { redirect: 'manual' });
    assert.deepEqual([response.status, response.headers.get('location')], [308, `/docs/${name}`]);
  }
});

test('every problem type URL serves HTML and JSON', async () => {
  for (const [reason, { title, todo }] of Object.entries(REASONS)) {
    const { response, body } = await page(`/errors/${reason}`);
    assert.equal(response.status, 200, reason);
    assert.ok(body.includes(`<h1>${title}</h1>`), reason);
    const json = await service.json<{ todo: string }>(`/errors/${reason}`, {
      headers: { accept: 'application/json' },
    });
    assert.equal(json.todo, todo);
  }
  assert.equal((await page('/errors/no-such-reason')).response.status, 404);
});

test('every test VIN is listed and responds with the listed status', async () => {
  const { body } = await page('/docs/specimens.md');
  for (const { vin, state } of specimens) {
    const line = body.split('\n').find((row) => row.includes(vin));
    assert.ok(line, vin);
    const { status } = await service.get(`/api/sticker/${vin}`);
    const listed = /PDF (\d{3})/.exec(line)?.[1] ?? '200';
    assert.equal(String(status), listed, `${vin} (${state})`);
  }
});

test("the connect page shows every tool with a real result and every client's setup", async () => {
  const { body } = await page('/connect.md');
  for (const { name } of tools) assert.match(body, new RegExp(`^### ${name}$`, 'm'));
  const results = [...body.matchAll(/```json result\n([^]*?)\n```/g)].map(
    ([, json]) => JSON.parse(json!) as { ok?: boolean; content?: object[] },
  );
  assert.equal(results.length, tools.length);
  for (const { ok, content } of results) assert.ok(ok ?? content?.some((block) => 'mimeType' in block));
  for (const setup of [
    'claude mcp add',
    'ChatGPT',
    '.cursor/mcp.json',
    '.vscode/mcp.json',
    'mcp-remote',
    'npm run -s mcp',
  ])
    assert.ok(body.includes(setup), setup);
});

test('the API reference shows every operation, with the headers of a real label response', async () => {
  const openapi = await service.json<{ paths: Record<string, Record<string, { operationId: string }>> }>(
    '/openapi.json',
  );
  const { body } = await page('/docs/api');
  for (const methods of Object.values(openapi.paths)) {
    for (const { operationId } of Object.values(methods))
      assert.ok(body.includes(`id="${operationId}"`), operationId);
  }
  const documentedHeaders = /### Parameters[^]*?```http\n([^]*?)\n```/.exec(
    (await page('/docs/api.md')).body,
  )![1]!;
  const { vin } = specimens.find(({ label }) => label)!;
  const real = await service.get(`/api/sticker/${vin}`, { method: 'HEAD' });
  for (const line of documentedHeaders.split('\n').slice(1)) {
    const [name, value] = line.split(/: (.*)/);
    assert.equal(real.headers.get(name!), value, name);
  }
});

test('each make page shows its model years and what to do without a label', async () => {
  for (const source of service.runtime.lookup.sources) {
    for (const make of source.makes) {
      const { response, body } = await page(`/makes/${make.toLowerCase().replace(' ', '-')}`);
      assert.equal(response.status, 200, make);
      assert.ok(body.includes(source.years), make);
      assert.ok(body.includes(source.whenMissing.slice(-40)), make);
    }
  }
  assert.equal((await page('/makes/nothing')).response.status, 404);
});

test('the status page shows the counted outcomes', async () => {
  const other = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
  try {
    for (const outcome of ['label', 'label', 'none', 'refused', 'failed'] as const) {
      // oxlint-disable-next-line tests/no-clock -- The page shows the last days.
      await other.runtime.store.countSourceRequest('ford', Date.now(), outcome, 1500);
    }
    const html = await (await other.get('/status', { headers: { accept: 'text/html' } })).text();
    assert.match(html, /5 lookups: 2 stickers, 1 none, 1 refused, 1 failed/);
    assert.match(html, /class="bar-refused"/);
    assert.match(html, /class="bar-failed"/);
    assert.match(html, /Unstable/);
  } finally {
    await other.close();
  }
});

test('every VIN in the README and the docs has a right check digit, unless it is a specimen', () => {
  const specimenVins = new Set(specimens.map(({ vin }) => vin));
  const files = globSync(['README.md', 'docs/**/*.md', 'packages/*/README.md']);
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\b(?=\w*\d)(?=\w*[A-Z])[A-HJ-NPR-Z0-9]{17}\b/g)].map(
      ([vin]) => ({
        file,
        vin,
      }),
    ),
  );
  assert.ok(found.length > 20);
  assert.deepEqual(
    found.filter(({ vin }) => !hasRightCheckDigit(vin) && !specimenVins.has(vin)),
    [],
  );
});
