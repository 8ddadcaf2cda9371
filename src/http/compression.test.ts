import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { codingOf } from './compression.ts';
import { appWith, HELD, dependenciesWith, fakeLookup } from './testing.ts';

const large = JSON.stringify({ openapi: '3.1.0', more: 'words '.repeat(1000) });
const documents = new Map([
  ['/openapi.json', () => ({ type: 'application/json', body: large })],
  ['/small.json', () => ({ type: 'application/json', body: '{}' })],
]);
const app = appWith(dependenciesWith(fakeLookup().lookup, { documents }));

async function get(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const response = await app.inject({ url, headers, method });
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    body: response.rawPayload,
  };
}

test('picks the best encoding that the client accepts', () => {
  const cases: [string | undefined, string | null][] = [
    [undefined, null],
    ['', null],
    ['identity', null],
    ['*', null],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['gzip;q=0', null],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['GZIP ; q=0.3', 'gzip'],
    ['xbr, gzipped', null],
  ];
  for (const [accept, coding] of cases) assert.equal(codingOf(accept), coding, accept);
});

test('text is compressed on request, with its own ETag, length and digest', async () => {
  const url = `/openapi.json`;
  const plain = await get(url);
  assert.deepEqual([plain.headers['content-encoding'], String(plain.body)], [undefined, large]);
  assert.equal(plain.headers['vary'], 'Accept-Encoding');
  const unpack = { br: brotliDecompressSync, gzip: gunzipSync };
  for (const coding of ['br', 'gzip'] as const) {
    // The second comes from the cache.
    for (let time = 0; time < 2; time++) {
      const { headers, body } = await get(url, { 'Accept-Encoding': coding });
      assert.equal(headers['content-encoding'], coding);
      assert.equal(headers['vary'], 'Accept-Encoding');
      assert.equal(Number(headers['content-length']), body.length);
      assert.ok(body.length < large.length / 5);
      assert.equal(String(unpack[coding](body)), large);
      assert.equal(headers['etag'], plain.headers['etag']!.replace(/"$/, `-${coding}"`));
      assert.equal(headers['content-digest'], `sha-256=:${hash('sha256', body, 'base64')}:`);
    }
    const head = await get(url, { 'Accept-Encoding': coding }, 'HEAD');
    const full = await get(url, { 'Accept-Encoding': coding });
    assert.equal(head.headers['content-length'], String(full.body.length));
    assert.equal(head.body.length, 0);
  }
});

test('each encoding is revalidated by its own ETag', async () => {
  const url = `/openapi.json`;
  const br = { 'Accept-Encoding': 'br' };
  const etag = (await get(url, br)).headers['etag']!;
  const revalidated = await get(url, { ...br, 'If-None-Match': etag });
  assert.deepEqual(
    [revalidated.status, revalidated.headers['etag'], revalidated.headers['vary']],
    [304, etag, 'Accept-Encoding'],
  );
  // The ETag of brotli doesn't match a request for plain or gzip.
  assert.equal((await get(url, { 'If-None-Match': etag })).status, 200);
  assert.equal((await get(url, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag })).status, 200);
  assert.equal((await get(url, { ...br, 'If-Match': etag })).status, 200);
});

test("small bodies and bodies other than text aren't compressed", async () => {
  const br = { 'Accept-Encoding': 'br, gzip' };
  for (const path of ['/small.json', `/api/v1/vin/${HELD}`, `/api/sticker/${HELD}`]) {
    const { status, headers } = await get(path, br);
    assert.deepEqual([status, headers['content-encoding']], [200, undefined], path);
  }
  const part = await get(`/api/sticker/${HELD}`, { ...br, Range: 'bytes=0-9' });
  assert.deepEqual([part.status, part.body.length], [206, 10]);
});
