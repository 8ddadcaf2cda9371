import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { afterEach, test } from 'node:test';
import { Redis } from 'ioredis';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { StoreUnavailable } from '../../src/store/store.ts';
import { freshVin, newLabel, pdfOf } from '../../src/store/testing.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { admin, eventually, newVin, temporaryFolder } from '../operator.ts';
import type { Service } from '../service.ts';
import { s3Proxy } from './s3-proxy.ts';
import { query, startSuite } from './servers.ts';
import { stampedUpstream } from './stamped-upstream.ts';
import { pdfName } from '../../src/store/label-bytes.ts';

/** Servers that respond, but wrongly: PostgreSQL that lost rows, S3 with other bytes or half a response, Redis that can't write. */

const servers = await startSuite('servers that respond wrongly');
if (servers) {
  const simulator = await startSimulator();
  const upstream = await stampedUpstream(simulator.origin);
  const s3 = await s3Proxy(servers.s3.port);
  for (const each of [upstream, s3]) servers.defer(() => each.stop());
  servers.defer(() => simulator.close());
  const direct = await servers.env('odd');
  const env = { ...direct, SOURCE_ORIGIN: upstream.origin, S3_URL: servers.s3Url(s3.port) };
  const service = await servers.service(env);
  const { store } = service.runtime;
  afterEach(async () => {
    s3.responds = () => false;
    s3.deleted = [];
    s3.damage = 'nothing';
    s3.checksHashes = false;
    await isReady();
  });

  const newCar = () => newVin('ford');
  const requestsFor = (vin: string) => simulator.requests.filter((request) => request.vin === vin).length;
  const isReady = () =>
    eventually(
      async () => (await service.get('/readyz')).status,
      (status) => status === 200,
    );
  async function sticker(
    vin: string,
    from: Service = service,
  ): Promise<{ status: number; etag: string | null }> {
    const response = await from.get(`/api/sticker/${vin}`);
    await response.arrayBuffer();
    return { status: response.status, etag: response.headers.get('etag') };
  }
  const available = async (vin: string, from: Service = service) =>
    (await from.json<VinResponse>(`/api/v1/vin/${vin}`)).windowSticker.available;
  void test('labels and withdrawals that PostgreSQL lost in a failover are found in the bucket', async () => {
    const [held, damaged, withdrawn] = [newCar(), newCar(), newCar()];
    const served = await sticker(held);
    await sticker(damaged);
    await sticker(withdrawn);
    const lost = (await store.find(damaged)).label!;
    await store.withdraw({ vin: withdrawn, reason: 'asked by the owner', at: 3 });
    for (const vin of [held, damaged]) simulator.set(vin, 'none');
    // A replica that became the primary without the last transactions.
    await query(direct.DATABASE_URL, 'TRUNCATE vins, cache');
    s3.hides = (_, key) => key === pdfName(lost);
    const other = await servers.service(env);
    assert.deepEqual(await sticker(held, other), served);
    assert.equal(await available(held, other), true);
    assert.equal(requestsFor(held), 1, 'its source was not asked again');
    assert.equal(
      (await sticker(damaged, other)).status,
      503,
      'a label whose bytes are lost too is never "none"',
    );
    s3.hides = () => false;
    assert.equal((await sticker(damaged, other)).status, 200);
    assert.equal((await sticker(withdrawn, other)).status, 451);
    assert.equal(requestsFor(withdrawn), 1);
    assert.deepEqual(
      (await store.withdrawals()).map(({ vin }) => vin),
      [withdrawn],
    );
  });

  const error = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;
  /** The last column is how often; a timeout takes five seconds. */
  const oddUploads: [string, (response: ServerResponse) => void, number][] = [
    ['200 with an error in the body', (response) => response.end(error('InternalError')), Infinity],
    [
      'a broken connection in the middle of the body',
      (response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('<', () => response.destroy());
      },
      Infinity,
    ],
    [
      'a body that never ends',
      (response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('<');
      },
      1,
    ],
  ];
  for (const [name, respond, times] of oddUploads) {
    void test(`S3 responds to uploads of labels with ${name}: one request to the source, and others are stored later`, async () => {
      const [vin, other] = [newCar(), newCar()];
      let left = times;
      s3.responds = (method, key, response) => {
        if (method !== 'PUT' || !key.startsWith('labels/') || left-- <= 0) return false;
        respond(response);
        return true;
      };
      for (let n = 0; n < 5; n++) assert.equal((await sticker(vin)).status, 503);
      assert.equal(requestsFor(vin), 1);
      s3.responds = () => false;
      await isReady();
      await eventually(
        () => sticker(other),
        ({ status }) => status === 200,
      );
      assert.ok((await store.find(other)).label);
    });
  }

  for (const checksHashes of [false, true]) {
    const server = checksHashes ? 'rejects' : 'accepts';
    void test(`an upload damaged in transit is sent again and never becomes a stored label, in a bucket that ${server} it`, async () => {
      const through = await servers.open(env);
      const [vin, other] = [freshVin(), freshVin()];
      const pdf = pdfOf(vin);
      s3.checksHashes = checksHashes;
      s3.damage = 'up-once';
      const first = await through.addLabel(newLabel(other), pdf);
      assert.ok(pdf.equals(await through.pdf(first)));
      s3.damage = 'up';
      // Often enough to open a breaker that counted these: the bucket responds, so it must not.
      for (let n = 0; n < 2; n++)
        await assert.rejects(through.addLabel(newLabel(vin), pdf), StoreUnavailable);
      assert.equal((await through.find(vin)).label, null);
      s3.damage = 'nothing';
      assert.ok(pdf.equals(await through.pdf(await through.addLabel(newLabel(vin), pdf))));
    });
  }

  void test('a label damaged during download is read again; if it always is, it is 503 and unknown, not "none"', async () => {
    const [once, always] = [freshVin(), freshVin()];
    for (const vin of [once, always]) await store.addLabel(newLabel(vin), pdfOf(vin));
    simulator.set(always, 'none');
    s3.damage = 'down-once';
    assert.equal((await sticker(once)).status, 200);
    assert.equal(s3.damage, 'nothing', 'it was damaged the first time');
    s3.damage = 'down';
    for (const range of ['', 'bytes=0-9']) {
      const refused = await service.get(`/api/sticker/${always}`, { headers: { range } });
      assert.equal(refused.status, 503);
      assert.ok(refused.headers.has('retry-after'));
    }
    assert.equal(await available(always), null);
    s3.damage = 'nothing';
    assert.equal((await sticker(always)).status, 200);
  });

  const oddListings: [string, (response: ServerResponse) => void][] = [
    ['an error with status 200', (response) => response.end(error('InternalError'))],
    [
      'a truncated body',
      (response) => response.end('<?xml version="1.0"?><ListBucketResult><Contents><Key>labels/'),
    ],
    [
      'always the same first page',
      (response) =>
        response.end(
          '<ListBucketResult><IsTruncated>true</IsTruncated><Key>labels/</Key></ListBucketResult>',
        ),
    ],
  ];
  for (const [name, respond] of oddListings) {
    void test(`S3 responds to listings with ${name}: admin rebuild says so and changes nothing`, async (t) => {
      await sticker(newCar());
      s3.responds = (method, _, response) => {
        if (method === 'LIST') respond(response);
        return method === 'LIST';
      };
      const before = await store.labels(null, 1000);
      const result = await admin(t, { ...env, DATA_DIR: temporaryFolder(t) }, 'rebuild');
      assert.equal(result.code, 1, result.out);
      assert.match(result.err, /The label bucket is unavailable: .*list/i);
      assert.deepEqual(await store.labels(null, 1000), before);
      assert.deepEqual(s3.deleted, []);
    });
  }

  const redis = new Redis(servers.redis.port);
  servers.defer(() => redis.disconnect());
  const oddRedis: [string, string[], string[]][] = [
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['became a read-only replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ];
  for (const [name, begin, end] of oddRedis) {
    void test(`Redis ${name}: everything is served, one request per instance and car, and the log says why`, async () => {
      const other = await servers.service(env);
      const logsOf = () => {
        service.runtime.log.flush();
        return service.logs.filter((line) => line.includes('redis: '));
      };
      const before = logsOf().length;
      await redis.call(begin[0]!, ...begin.slice(1));
      const cars = Array.from({ length: 5 }, newCar);
      const statuses = await Promise.all(
        [service, other].flatMap((from) => cars.map(async (vin) => (await sticker(vin, from)).status)),
      );
      assert.deepEqual([...new Set(statuses)], [200]);
      for (const vin of cars) assert.ok(requestsFor(vin) <= 2);
      // The first write that Redis accepts again may come late, and reads succeed meanwhile.
      await redis.call(end[0]!, ...end.slice(1));
      const isUp = () => service.runtime.metrics.text().includes('monroney_backend_up{backend="redis"} 1\n');
      await eventually(async () => {
        await available(cars[0]!);
        return isUp();
      }, Boolean);
      const lines = logsOf().slice(before);
      for (const [index, line] of lines.entries())
        assert.match(line, index % 2 ? /redis: back/ : /continues without it.*(OOM|READONLY)/);
      assert.ok(lines.length >= 2 && lines.length % 2 === 0, lines.join('\n'));
    });
  }
}
