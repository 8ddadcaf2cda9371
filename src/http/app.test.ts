import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import { createHttpApp } from './app.ts';
import { LIMIT } from './limit.ts';
import { createLog } from '../lib/log.ts';
import {
  appWith,
  countingLimiter,
  FAILED,
  FETCHED,
  getRequest,
  HELD,
  dependenciesWith,
  pdfOf,
  fakeLookup,
  sendRaw,
  serving,
} from './testing.ts';

const TAGGED = [
  `/api/v1/vin/${HELD}`,
  `/api/sticker/${HELD}`,
  `/api/v1/vin/${HELD}/label`,
  `/api/sticker/${HELD}/preview`,
  '/openapi.json',
];

test('a lookup has rate limit fields, CORS headers, a request id and a link to the catalog', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (origin) => {
    const response = await fetch(`${origin}/api/v1/vin/${HELD}`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('ratelimit-policy'), '"default";q=10;w=10');
    assert.equal(response.headers.get('ratelimit'), '"default";r=9;t=10');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    for (const name of [
      'ETag',
      'RateLimit',
      'RateLimit-Policy',
      'Age',
      'Retry-After',
      'Content-Disposition',
      'Content-Length',
      'Mcp-Session-Id',
    ]) {
      assert.ok(response.headers.get('access-control-expose-headers')!.split(', ').includes(name), name);
    }
    assert.match(response.headers.get('x-request-id')!, /^[0-9a-z]{6}-[0-9a-z]+$/);
    assert.match(response.headers.get('link')!, /api-catalog/);
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    const { windowSticker } = (await response.json()) as { windowSticker: { available: boolean } };
    assert.equal(windowSticker.available, true);
  });
});

test('a PDF arrives byte for byte, from memory and streamed', async () => {
  for (const bytes of [300_000, 5_000_000]) {
    const fake = fakeLookup(pdfOf(bytes));
    await serving(dependenciesWith(fake.lookup), async (origin) => {
      for (let n = 0; n < 2; n++) {
        const body = Buffer.from(await (await fetch(`${origin}/api/sticker/${HELD}`)).arrayBuffer());
        assert.equal(createHash('sha256').update(body).digest('hex'), fake.label.sha256);
      }
      const part = await fetch(`${origin}/api/sticker/${HELD}`, { headers: { Range: 'bytes=-5' } });
      assert.equal(part.status, 206);
      assert.equal(await part.text(), fake.pdf.subarray(-5).toString());
    });
  }
});

test('HEAD responds like GET, without the body', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (origin) => {
    for (const path of [...TAGGED, '/healthz', '/readyz', `/api/sticker/${FAILED}`]) {
      const [head, full] = [await fetch(origin + path, { method: 'HEAD' }), await fetch(origin + path)];
      assert.equal(await head.text(), '');
      const plain = (response: Response) => [
        response.status,
        ...[...response.headers].filter(
          ([name]) => !/^(date|x-request-id|connection|keep-alive)$/.test(name),
        ),
      ];
      assert.deepEqual(plain(head), plain(full), path);
      await full.arrayBuffer();
    }
  });
});

test('a 304 has the same headers as its 200, because caches replace stored headers with them', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (origin) => {
    for (const path of TAGGED) {
      const full = await fetch(origin + path);
      const etag = full.headers.get('etag')!;
      await full.arrayBuffer();
      const same = await fetch(origin + path, { headers: { 'If-None-Match': etag } });
      assert.equal(same.status, 304, path);
      for (const [name, value] of same.headers) {
        if (/^(date|x-request-id)$/.test(name)) continue;
        assert.equal(value, full.headers.get(name), `${name} of ${path}`);
      }
    }
  });
});

test('the eleventh request gets 429 with Retry-After, readable from other origins', async () => {
  await serving(dependenciesWith(fakeLookup().lookup, { limiter: countingLimiter() }), async (origin) => {
    for (let n = 0; n < 10; n++) {
      // Preflights and paths outside /api/ aren't counted.
      await fetch(`${origin}/api/v1/vin/${HELD}`, { method: 'OPTIONS' });
      await fetch(`${origin}/openapi.json`);
      assert.equal((await fetch(`${origin}/api/none`)).status, 404);
    }
    const response = await fetch(`${origin}/api/v1/vin/${HELD}`);
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '10');
    assert.equal(response.headers.get('ratelimit'), '"default";r=0;t=10');
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(((await response.json()) as { reason: string }).reason, 'too-many-requests');
  });
});

test('waits for an asynchronous limiter', async () => {
  const limiter = { policy: LIMIT, take: async () => ({ allowed: false, remaining: 0, waitMs: 3000 }) };
  await serving(dependenciesWith(fakeLookup().lookup, { limiter }), async (origin) => {
    assert.equal((await fetch(`${origin}/api/v1/vin/${HELD}`)).headers.get('retry-after'), '3');
  });
});

test('a preflight allows X-Contact and the headers of the tools', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (origin) => {
    for (const path of [`/api/v1/vin/${HELD}`, '/api/nothing', '/openapi.json', '/healthz']) {
      const response = await fetch(origin + path, { method: 'OPTIONS' });
      assert.equal(response.status, 204, path);
      assert.match(response.headers.get('access-control-allow-headers')!, /X-Contact/);
      assert.match(response.headers.get('access-control-allow-headers')!, /Mcp-Session-Id/);
      assert.equal(response.headers.get('access-control-allow-methods'), 'GET, HEAD, OPTIONS');
      assert.equal(response.headers.get('access-control-max-age'), '86400');
      const policy = path.startsWith('/api/') ? '"default";q=10;w=10' : null;
      assert.equal(response.headers.get('ratelimit-policy'), policy, path);
    }
  });
});

test('the log has the template, and no query, VIN or IP address', async () => {
  const lines: string[] = [];
  const log = createLog('info', (text) => void lines.push(text));
  await serving(dependenciesWith(fakeLookup().lookup, { log }), async (origin) => {
    await fetch(`${origin}/api/v1/vin/${HELD}?contact=a@example.com`);
    await fetch(`${origin}/some/page?q=1`);
    log.flush();
    const rows = lines
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      rows.map(({ method, route, status }) => [method, route, status]),
      [
        ['GET', '/api/v1/vin/{vin}', 200],
        ['GET', '/*', 200],
      ],
    );
    assert.doesNotMatch(lines.join(''), /example|127\.0\.0|000000|\?/);
  });
});

test('a contact is recorded with the route template, and the header overrides the parameter', async () => {
  const dependencies = dependenciesWith(fakeLookup().lookup);
  await serving(dependencies, async (origin) => {
    await fetch(`${origin}/api/v1/vin/${HELD}?contact=one.example`, {
      headers: { 'X-Contact': 'two.example' },
    });
    await fetch(`${origin}/api/sticker/${HELD}?contact=three%40x.example`);
    await fetch(`${origin}/openapi.json?contact=four.example`);
    await fetch(`${origin}/about?contact=five.example`);
  });
  assert.deepEqual(dependencies.contacts, [
    ['two.example', '/api/v1/vin/{vin}'],
    ['three@x.example', '/api/sticker/{vin}'],
    ['four.example', '/openapi.json'],
    ['five.example', '/*'],
  ]);
});

test('a deprecated route says since when, until when and where to read about it', async () => {
  const change = {
    route: '/api/sticker/{vin}',
    deprecated: FETCHED,
    sunset: FETCHED + 86_400_000,
    link: 'http://labels.example/changes',
  };
  const lifecycle = (route: string) => ([change.route, '/*'].includes(route) ? change : null);
  await serving(dependenciesWith(fakeLookup().lookup, { lifecycle }), async (origin) => {
    const changed = await fetch(`${origin}/api/sticker/${HELD}`);
    assert.equal(changed.headers.get('deprecation'), `@${FETCHED / 1000}`);
    assert.equal(changed.headers.get('sunset'), 'Mon, 16 Nov 2026 08:30:12 GMT');
    assert.match(changed.headers.get('link')!, /api-catalog.*rel="deprecation".*rel="sunset"/);
    const other = await fetch(`${origin}/api/v1/vin/${HELD}`);
    assert.equal(other.headers.get('deprecation'), null);
    assert.match((await fetch(`${origin}/page`)).headers.get('link')!, /rel="deprecation".*rel="sunset"/);
  });
});

test('serves the reading, its text and the preview', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (origin) => {
    const reading = await fetch(`${origin}/api/v1/vin/${HELD}/label?include=text`);
    const body = (await reading.json()) as Record<string, unknown>;
    assert.deepEqual([body['readable'], body['reason'], body['text']], [false, 'picture', [['A line']]]);
    assert.equal((await fetch(`${origin}/api/v1/vin/${HELD}/label?include=all`)).status, 400);
    const picture = await fetch(`${origin}/api/sticker/${HELD}/preview?width=640`);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp']);
    assert.equal(picture.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    const revalidated = await fetch(`${origin}/api/sticker/${HELD}/preview?width=640`, {
      headers: { 'If-None-Match': picture.headers.get('etag')! },
    });
    assert.equal(revalidated.status, 304);
    assert.equal((await fetch(`${origin}/api/sticker/${HELD}/preview?width=641`)).status, 400);
    assert.equal((await fetch(`${origin}/api/sticker/${HELD}/preview?width=320`)).status, 404);
    assert.equal((await fetch(`${origin}/api/sticker/${FAILED}/preview`)).status, 503);
  });
});

test('a path with dot segments is rejected, so that a proxy and the service agree on what it is', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    const statusOf = async (path: string) => Number((await sendRaw(port, getRequest(path))).slice(9, 12));
    for (const path of [
      '/assets/../compare',
      '/assets/%2e%2E/compare',
      '/assets/.%2e',
      '/assets/..#',
      '/./compare',
      '/a/..?b',
    ])
      assert.equal(await statusOf(path), 400, path);
    for (const path of ['/.well-known/x', '/a..b/.c', '/...', '/a?b=/../c', '/%2e%2ea'])
      assert.equal(await statusOf(path), 200, path);
  });
});

test('a path is routed as sent: nothing in it is decoded, and broken encoding is no error', async () => {
  const app = appWith(dependenciesWith(fakeLookup().lookup), ({ path, queryText }) => ({
    reason: 'not-found',
    detail: `${path} ${queryText}`,
  }));
  const detailOf = async (url: string) => (await app.inject(url)).json<{ detail: string }>().detail;
  for (const url of ['/%68ealthz', '/api%2Fv1', '/%', '/%zz%ff', '/a%23b', `/api/v1/vin/${'A'.repeat(9000)}`])
    assert.match(await detailOf(url), url.startsWith('/api/') ? /17 characters/ : new RegExp(`^${url} $`));
  assert.equal(await detailOf('/a?b=%zz?c'), '/a b=%zz?c');
});

test('a page is counted until its response is closed, and its problems are what it makes of them', async () => {
  const counts: string[] = [];
  let allowed = true;
  const pageLimit = {
    take: () => (counts.push('take'), { allowed, remaining: 0, waitMs: 5000 }),
    end: () => void counts.push('end'),
  };
  const app = createHttpApp(dependenciesWith(fakeLookup().lookup, { pageLimit }));
  app.serve({
    template: '/page/{name}',
    limit: 'page',
    present: ({ reason }) => ({ status: 200, headers: { 'x-presented': 'yes' }, body: reason }),
    handle: ({ params }) => {
      if ((params as { name: string }).name === 'broken') throw new Error('a fault of ours');
      return { status: 200, headers: {}, body: 'a page' };
    },
  });
  const bodyOf = async (url: string, method: 'GET' | 'POST' | 'OPTIONS' = 'GET') =>
    (await app.inject({ url, method })).body;
  assert.equal(await bodyOf('/page/a'), 'a page');
  assert.deepEqual(counts, ['take', 'end']);
  assert.equal(await bodyOf('/page/broken'), 'internal');
  assert.equal(await bodyOf('/page/a', 'POST'), 'method-not-allowed');
  assert.equal(await bodyOf('/page/a', 'OPTIONS'), 'method-not-allowed');
  allowed = false;
  counts.length = 0;
  assert.equal(await bodyOf('/page/a'), 'too-many-requests');
  assert.deepEqual(counts, ['take']);
});

test('every method that Node parses has a response, and Allow lists those that work', async () => {
  const app = appWith(dependenciesWith(fakeLookup().lookup));
  for (const method of METHODS.filter((one) => !['CONNECT', 'GET', 'HEAD', 'OPTIONS'].includes(one))) {
    const { statusCode, headers } = await app.inject({
      method: method as 'POST',
      url: `/api/v1/vin/${HELD}`,
    });
    assert.deepEqual([statusCode, headers.allow], [405, 'GET, HEAD, OPTIONS'], method);
  }
  for (const method of ['POST', 'QUERY'] as const) {
    const { statusCode, headers } = await app.inject({ method, url: '/healthz' });
    assert.deepEqual([statusCode, headers.allow], [405, 'GET, HEAD, OPTIONS'], method);
  }
  const batch = await app.inject('/api/v1/decode');
  assert.deepEqual([batch.statusCode, batch.headers.allow], [405, 'POST, OPTIONS']);
});
