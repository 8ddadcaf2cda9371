import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import sharp from 'sharp';
import { securityTxt } from '../src/site/discovery/crawler-files.ts';
import { startService } from './service.ts';
import { BASE, startDocuments } from './document-service.ts';

/** The documents at well-known URLs, over real sockets. */

const { service, text } = await startDocuments();

interface Coverage {
  make: string;
  source: string;
  state: string;
  kind: string;
  years: string;
  lastWorked: string | null;
  verifiedOn: number;
}

const DOCUMENTS: [string, RegExp][] = [
  ['/openapi.json', /^application\/json/],
  ['/robots.txt', /^text\/plain/],
  ['/sitemap.xml', /^application\/xml/],
  ['/llms.txt', /^text\/plain/],
  ['/llms-full.txt', /^text\/plain/],
  ['/openapi.yaml', /^application\/yaml/],
  ['/api/v1/', /^application\/linkset\+json/],
  ['/status.json', /^application\/json/],
  ['/limits.json', /^application\/json/],
  ['/status.atom', /^application\/atom\+xml/],
  ['/schemas/status.json', /^application\/schema\+json/],
  ['/favicon.ico', /^image\/x-icon/],
  ['/favicon.svg', /^image\/svg\+xml/],
  ['/icon.svg', /^image\/svg\+xml/],
  ['/manifest.webmanifest', /^application\/manifest\+json/],
  ['/skills/window-sticker/SKILL.md', /^text\/markdown/],
  ['/mcp/server-card', /^application\/mcp-server-card\+json/],
  ['/.well-known/mcp/server-card.json', /^application\/json/],
  ['/server.json', /^application\/json/],
  ['/.well-known/ai-catalog.json', /^application\/json/],
  ['/.well-known/agent-skills/index.json', /^application\/json/],
  ['/.well-known/api-catalog', /^application\/linkset\+json/],
  ['/.well-known/security.txt', /^text\/plain/],
];

test('every document has a content type, allows all origins and supports ETag revalidation and HEAD', async () => {
  for (const [path, type] of DOCUMENTS) {
    const response = await service.get(path);
    const body = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type')!, type, path);
    assert.equal(response.headers.get('access-control-allow-origin'), '*', path);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff', path);
    assert.match(response.headers.get('link')!, /rel="api-catalog"/, path);
    assert.equal(Number(response.headers.get('content-length')), body.length, path);
    const etag = response.headers.get('etag')!;
    assert.equal(etag, `"${hash('sha256', body, 'base64')}"`, path);
    const revalidated = await service.get(path, { headers: { 'if-none-match': etag } });
    assert.equal(revalidated.status, 304, path);
    const head = await service.get(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('etag')], [200, etag], path);
  }
});

test('security.txt has a contact, its own URL and a date of expiry', async () => {
  const served = await text('/.well-known/security.txt');
  assert.match(served, /^Contact: (?:https|mailto):\S+$/m);
  assert.match(served, /^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/m);
  assert.ok(served.includes(`\nCanonical: ${BASE}/.well-known/security.txt\n`));
});

test('security.txt expires in more than 30 days and less than a year', () => {
  const now = Date.UTC(2026, 10, 17, 15);
  const [, expires] = /^Expires: (\S+)$/m.exec(securityTxt(BASE, null, now))!;
  const days = (Date.parse(expires!) - now) / 86_400_000;
  assert.ok(days > 30 && days < 365, expires);
});

test('without SECURITY_CONTACT, security.txt links to a page that explains how to report a problem', async () => {
  const contact = /^Contact: (\S+)$/m.exec(await text('/.well-known/security.txt'))![1]!;
  const page = await (
    await service.get(new URL(contact).pathname, { headers: { accept: 'text/html' } })
  ).text();
  const section = /A security problem:.*?<\/li>/s.exec(page)![0];
  assert.match(section, /has not provided a contact.*Report a vulnerability.*source repository/s);
  assert.doesNotMatch(section, /security\.txt/);
});

test('SECURITY_CONTACT appears in security.txt and on the support page', async () => {
  const other = await startService({ SECURITY_CONTACT: 'mailto:security@labels.example' });
  try {
    const body = await (await other.get('/.well-known/security.txt')).text();
    assert.match(body, /^Contact: mailto:security@labels\.example$/m);
    const support = await (await other.get('/support', { headers: { accept: 'text/html' } })).text();
    assert.match(support, /<a href="mailto:security@labels\.example">/);
  } finally {
    await other.close();
  }
});

test('OAuth and OpenID discovery URLs are 404s, so that no client starts a sign-in', async () => {
  for (const path of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/mcp',
    '/.well-known/openid-configuration',
  ]) {
    for (const accept of ['*/*', 'text/html', 'application/json']) {
      const response = await service.get(path, { headers: { accept } });
      assert.equal(response.status, 404, path);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.ok((await response.text()).length < 400);
    }
  }
});

test('an unknown path gets a small 404 in the requested format', async () => {
  const problem = await service.get('/no/such/page', { headers: { accept: 'application/json' } });
  assert.equal(problem.status, 404);
  assert.equal(((await problem.json()) as { reason: string }).reason, 'not-found');
  const page = await service.get('/no/such/page', { headers: { accept: 'text/html' } });
  const html = await page.text();
  assert.equal(page.status, 404);
  assert.match(html, /<h1>Not found<\/h1>/);
  assert.ok(html.length < 6000);
});

test('/status.json matches its published schema', async () => {
  const ajv = new Ajv2020({ strict: false });
  ajvFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(await text('/schemas/status.json')) as object);
  assert.ok(validate(JSON.parse(await text('/status.json'))), JSON.stringify(validate.errors));
});

test('a source that is switched off shows up in the status, the feed and the pages', async () => {
  const other = await startService();
  try {
    const since = Date.UTC(2026, 10, 12);
    await other.runtime.store.setSwitch({
      source: 'kia',
      state: 'off',
      reason: 'Kia & <friends> asked for a pause',
      since,
    });
    await other.runtime.lookup.switches.refresh();
    const report = await other.json<{ sources: { source: string; state: string; reason: string }[] }>(
      '/status.json',
    );
    const kia = report.sources.find(({ source }) => source === 'kia')!;
    assert.deepEqual([kia.state, kia.reason], ['off', 'Kia & <friends> asked for a pause']);
    const feed = await (await other.get('/status.atom')).text();
    assert.match(
      feed,
      /<title>We paused lookups for Kia: Kia &amp; &lt;friends&gt; asked for a pause\.<\/title>/,
    );
    assert.match(feed, new RegExp(`<updated>${new Date(since).toISOString()}</updated>`));
    for (const path of ['/status', '/makes/kia']) {
      const page = await (await other.get(path, { headers: { accept: 'text/html' } })).text();
      assert.match(page, /Paused/, path);
      assert.match(page, /Kia &amp; &lt;friends&gt; asked for a pause/, path);
    }
  } finally {
    await other.close();
  }
});

test('robots.txt allows crawlers and names the sitemap', async () => {
  const robots = await text('/robots.txt');
  assert.match(
    robots,
    /^User-agent: \*\nContent-Signal: search=yes, ai-input=yes, ai-train=yes\nAllow: \/$/m,
  );
  assert.ok(robots.includes(`Sitemap: ${BASE}/sitemap.xml`));
  const urls = [...(await text('/sitemap.xml')).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!);
  assert.equal(new Set(urls).size, urls.length);
  for (const path of ['/', '/makes/alfa-romeo', '/docs/api', '/connect', '/errors/no-label', '/status']) {
    assert.ok(urls.includes(`${BASE}${path}`), path);
  }
});

test('the icons are valid images', async () => {
  const { width, height } = await sharp(Buffer.from(await text('/icon.svg'))).metadata();
  assert.deepEqual([width, height], [32, 32]);
  const ico = Buffer.from(await (await service.get('/favicon.ico')).arrayBuffer());
  assert.deepEqual([...ico.subarray(0, 8)], [0, 0, 1, 0, 1, 0, 32, 32]);
  assert.equal(ico.readUInt32LE(14) + ico.readUInt32LE(18), ico.length);
});

test('/limits.json has the same limit as the response headers', async () => {
  const { limits } = JSON.parse(await text('/limits.json')) as {
    limits: { name: string; requests: number; seconds: number }[];
  };
  const { name, requests, seconds } = limits[0]!;
  const { headers } = await service.get('/api/v1/vin/x');
  assert.equal(headers.get('ratelimit-policy'), `"${name}";q=${requests};w=${seconds}`);
});

test('every limit of /limits.json is on the page about limits, with the same figures', async () => {
  const { limits, connection, connections, request } = JSON.parse(await text('/limits.json')) as {
    limits: Record<string, number | string>[];
    connection: Record<string, number>;
    connections: number;
    request: { bodyBytes: number; headerBytes: number; vins: number };
  };
  const page = await text('/docs/limits.md');
  const { bodyBytes, headerBytes, vins } = request;
  const figures = [
    ...limits.flatMap(({ requests, atOnce }) => [requests, atOnce]),
    ...Object.values(connection),
    connections,
    bodyBytes / 1024,
    headerBytes / 1024,
    vins,
  ];
  for (const figure of figures.filter((one) => one !== undefined))
    assert.match(page, new RegExp(`\\b${figure.toLocaleString('en')}\\b`));
});

test('/api/v1/makes has one row per make with the words of the status page', async () => {
  const { ok, makes } = JSON.parse(await text('/api/v1/makes')) as { ok: boolean; makes: Coverage[] };
  const { sources } = JSON.parse(await text('/status.json')) as {
    sources: (Coverage & { makes: string[] })[];
  };
  assert.ok(ok);
  assert.deepEqual(
    makes.map(({ make, source, state }) => [make, source, state]),
    sources.flatMap(({ makes: names, source, state }) => names.map((make) => [make, source, state])),
  );
  const { verifiedOn, kind, years, lastWorked } = makes.find(({ make }) => make === 'Lexus')!;
  assert.deepEqual([verifiedOn, kind, lastWorked], [0, 'dealer-copy', null]);
  assert.match(years, /\d{4}/);
});
