import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { get, serve, type HttpResponse, type RunningService } from '../../tools/drill/drill.ts';
import { freePort } from '../../tools/free-port.ts';
import { eventually } from '../operator.ts';

/** nginx with our configuration in front of real instances; only ports and folders are changed. */

const NGINX = '/usr/sbin/nginx';
const skip = existsSync(NGINX) ? false : 'skipped: install it first (apt-get install nginx)';

describe('nginx in front of the service', { skip }, () => {
  const root = mkdtempSync(join(tmpdir(), 'monroney-nginx-'));
  const instances: RunningService[] = [];
  let port: number;
  let stop = () => {};
  const { vin } = specimens[0]!;

  before(async () => {
    for (const name of ['one', 'two'])
      instances.push(await serve({ DATA_DIR: join(root, name), LOG_LEVEL: 'error' }));
    port = await freePort();
    const ours = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8');
    const config = ours
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('/var/cache/nginx/monroney', join(root, 'cache'))
      .replace('127.0.0.1:8080', `127.0.0.1:${instances[0]!.port}`)
      .replace('# server 127.0.0.1:8081', `server 127.0.0.1:${instances[1]!.port}`);
    mkdirSync(join(root, 'tmp'));
    const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${root}/tmp/${name};`,
    );
    const file = join(root, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; master_process off; pid ${root}/pid; error_log ${root}/errors;
events {} http { access_log off; ${folders.join(' ')}
${config} }`,
    );
    const nginx = spawn(NGINX, ['-p', root, '-c', file, '-e', join(root, 'errors')], { stdio: 'inherit' });
    stop = () => void nginx.kill('SIGKILL');
    const isServed = () =>
      request('/healthz').then(
        () => true,
        () => nginx.exitCode !== null,
      );
    await eventually(isServed, Boolean);
    assert.equal(nginx.exitCode, null, readFileSync(join(root, 'errors'), 'utf8'));
  });
  after(async () => {
    stop();
    for (const instance of instances) await instance.kill('SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });

  const request = (path: string, headers: Record<string, string> = {}): Promise<HttpResponse> =>
    get(port, path, headers);
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
    for (const name of readdirSync(join(root, 'cache')))
      rmSync(join(root, 'cache', name), { recursive: true });
    const after = await request(path);
    assert.deepEqual([after.status, cacheStatus(after)], [200, 'MISS']);
    assert.equal(cacheStatus(await request(path)), 'HIT');
  });

  test('each contact reaches the service', async () => {
    const path = `/api/v1/vin/${vin}`;
    const results = [];
    for (const query of ['', '', '?contact=a.example', '?contact=b.example', '?contact=b.example'])
      results.push(cacheStatus(await request(path + query)));
    assert.deepEqual(results, ['MISS', 'HIT', 'MISS', 'MISS', 'HIT']);
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
