import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { get, serve, type HttpResponse, type RunningService } from '../../tools/drill/drill.ts';
import { eventually } from '../operator.ts';
import { startNginx, withoutNginx, type RunningProxy } from './proxies.ts';

/** nginx with our configuration in front of real instances. */

describe('nginx in front of the service', { skip: withoutNginx }, () => {
  const root = mkdtempSync(join(tmpdir(), 'monroney-nginx-'));
  const folder = mkdtempSync(join(tmpdir(), 'monroney-nginx-'));
  const instances: RunningService[] = [];
  let nginx: RunningProxy;
  const { vin } = specimens[0]!;

  before(async () => {
    for (const name of ['one', 'two'])
      instances.push(await serve({ DATA_DIR: join(root, name), LOG_LEVEL: 'error' }));
    nginx = await startNginx({ folder, upstreams: instances.map(({ port }) => port) });
    await eventually(
      () =>
        request('/healthz').then(
          () => true,
          () => !nginx.isRunning(),
        ),
      Boolean,
    );
    assert.ok(nginx.isRunning(), readFileSync(join(folder, 'output'), 'utf8'));
  });
  after(async () => {
    await nginx.stop();
    for (const instance of instances) await instance.kill('SIGKILL');
    for (const each of [root, folder]) rmSync(each, { recursive: true, force: true });
  });

  const request = (path: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
    get(nginx.port, path, headers);
  const cacheStatus = ({ headers }: HttpResponse) => headers['x-cache'];

  test('a label is requested once, then full, partial and conditional requests are served from the cache', async () => {
    const path = `/api/sticker/${vin}`;
    const first = await request(path);
    assert.deepEqual([first.status, cacheStatus(first)], [200, 'MISS']);
    assert.ok(first.headers['ratelimit'] && first.headers['x-request-id']);
    const second = await request(path);
    assert.deepEqual(
      [second.status, cacheStatus(second), second.headers.etag],
      [200, 'HIT', first.headers.etag],
    );
    assert.ok(second.body.equals(first.body));
    for (const name of ['ratelimit', 'ratelimit-policy', 'x-request-id'])
      assert.equal(second.headers[name], undefined, `${name} belongs to another client's request`);
    const range = await request(path, { range: 'bytes=10-19' });
    assert.deepEqual([range.status, cacheStatus(range)], [206, 'HIT']);
    assert.ok(range.body.equals(first.body.subarray(10, 20)));
    assert.equal((await request(path, { 'if-none-match': first.headers.etag! })).status, 304);
  });

  test('after its cache is deleted, the next request reaches the service', async () => {
    const path = `/api/sticker/${vin}`;
    assert.equal(cacheStatus(await request(path)), 'HIT');
    for (const name of readdirSync(join(folder, 'cache')))
      rmSync(join(folder, 'cache', name), { recursive: true });
    const after = await request(path);
    assert.deepEqual([after.status, cacheStatus(after)], [200, 'MISS']);
    assert.equal(cacheStatus(await request(path)), 'HIT');
  });

  test('each request with a contact reaches the service, and is not cached', async () => {
    const path = `/api/v1/vin/${vin}`;
    const results = [];
    const contacts = ['?contact=a.example', '?contact=a.example', '?sticker=true&%63ontact=a.example'];
    for (const query of ['', '', '?sticker=true', '?sticker=true', ...contacts])
      results.push(cacheStatus(await request(path + query)));
    assert.deepEqual(results, ['MISS', 'HIT', 'MISS', 'HIT', 'BYPASS', 'BYPASS', 'BYPASS']);
  });

  test('responses that must not be cached are not cached', async () => {
    const failing = specimens.find((each) => JSON.stringify(each).includes('fail'))!.vin;
    for (let n = 0; n < 2; n++) {
      const response = await request(`/api/sticker/${failing}`);
      assert.deepEqual([response.status, cacheStatus(response)], [503, 'MISS']);
    }
  });

  test('a client cannot choose its IP address', async () => {
    // Ten for each of the two instances, which don't share a limit here. At once, so that no time passes between them.
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const forged = { 'x-forwarded-for': `203.0.113.${n}`, forwarded: `for=198.51.100.${n}` };
        return request(`/api/v1/vin/${vin}?contact=c${n}.example`, forged);
      }),
    );
    assert.ok(responses.some(({ status }) => status === 429));
  });

  test('clients do not notice that an instance was killed', async () => {
    await instances[0]!.kill('SIGKILL');
    for (let n = 0; n < 20; n++) assert.equal((await request('/')).status, 200);
  });
});
