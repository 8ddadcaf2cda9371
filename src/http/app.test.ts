// lane: service
import assert from 'node:assert/strict';
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
