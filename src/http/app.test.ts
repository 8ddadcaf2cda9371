// lane: service
import assert from 'node:assert/strict';
import { METHODS } from 'node:http';
import { test } from 'node:test';
import {
  client,
  countingLimiter,
  dependenciesWith,
  fakeLookup,
  getRequest,
  HELD,
  sendRaw,
  serving,
} from './testing.ts';

test('the eleventh request gets 429 with Retry-After; preflights and documents are not counted', async () => {
  const { get } = client(fakeLookup().lookup, { limiter: countingLimiter() });
  for (let n = 0; n < 10; n++) {
    await get(`/api/v1/vin/${HELD}`, {}, 'OPTIONS');
    await get('/openapi.json');
    assert.equal((await get('/api/none')).statusCode, 404);
  }
  const { statusCode, headers } = await get(`/api/v1/vin/${HELD}`);
  assert.deepEqual(
    [statusCode, headers['retry-after'], headers.ratelimit],
    [429, '10', '"default";r=0;t=10'],
  );
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

test('letters and digits mean the same with and without percent-encoding', async () => {
  const { get } = client(fakeLookup().lookup);
  const encoded = HELD.replace('0', '%30').replace('F', '%46');
  const [plain, same] = [await get(`/api/v1/vin/${HELD}`), await get(`/%61pi/v1/vin/${encoded}`)];
  assert.deepEqual([same.statusCode, same.body], [200, plain.body]);
  assert.equal((await get(`/api/v1/vin/${HELD}%20`)).statusCode, 400);
});

test('every method that Node parses gets 405 with Allow where it is not supported', async () => {
  await serving(dependenciesWith(fakeLookup().lookup), async (_, port) => {
    for (const method of METHODS) {
      if (['GET', 'HEAD', 'OPTIONS', 'CONNECT'].includes(method)) continue;
      for (const path of [`/api/v1/vin/${HELD}`, '/openapi.json', '/healthz']) {
        const head = getRequest(path, 'Content-Type: text/plain\r\n').replace('GET', method);
        const response = await sendRaw(port, head);
        assert.match(response, /^HTTP\/1\.1 405 [^]*\r\nallow: GET, HEAD, OPTIONS\r\n/, `${method} ${path}`);
      }
    }
  });
});
