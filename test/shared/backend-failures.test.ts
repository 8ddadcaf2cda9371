import assert from 'node:assert/strict';
import { after, afterEach, test } from 'node:test';
import pg from 'pg';
import { silentLog } from '../../src/lib/log.ts';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { openStore } from '../../src/store/index.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { pdfName } from '../../src/store/label-bytes.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/testing.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { eventually, temporaryFolder, newVin } from '../operator.ts';
import { startService, type Service } from '../service.ts';
import { faultProxy } from './fault-proxy.ts';
import { s3Proxy } from './s3-proxy.ts';
import { startServers, withoutServers } from './servers.ts';
import { stampedUpstream } from './stamped-upstream.ts';

/** While PostgreSQL, Redis or S3 fails, manufacturers get no extra requests and aren't reported as failing. */

const skip = withoutServers();
if (skip) void test('failures of PostgreSQL, Redis and S3', { skip });
else {
  const servers = await startServers();
  const simulator = await startSimulator();
  const upstream = await stampedUpstream(simulator.origin);
  const s3 = await s3Proxy(servers.s3.port);
  const postgres = await faultProxy(servers.postgres.port);
  const redis = await faultProxy(servers.redis.port);
  const databaseUrl = await servers.database('ours');
  const direct = {
    SOURCE_ORIGIN: upstream.origin,
    DATABASE_URL: databaseUrl,
    REDIS_URL: servers.redisUrl(),
    S3_URL: servers.s3Url(),
  };
  const env = {
    ...direct,
    DATABASE_URL: servers.databaseUrl('ours', postgres.port),
    REDIS_URL: servers.redisUrl(redis.port),
    S3_URL: servers.s3Url(s3.port),
  };
  const [one, two] = await Promise.all([startService(env), startService(direct)]);
  after(async () => {
    await Promise.all([one.close(), two.close(), simulator.close()]);
    await Promise.all([s3.stop(), postgres.stop(), redis.stop(), upstream.stop()]);
    await servers.stop();
  });
  afterEach(async () => {
    s3.refuses = () => false;
    await Promise.all([postgres.set('pass'), redis.set('pass')]);
    await waitForReadiness(one, 200);
  });

  const newCar = () => newVin('ford');
  const lookup = (service: Service, vin: string) => service.json<VinResponse>(`/api/v1/vin/${vin}`);
  const requestsFor = (...vins: string[]) =>
    simulator.requests.filter((request) => vins.includes(request.vin)).length;
  const status = async (service: Service, path: string) => (await service.get(path)).status;
  const waitForReadiness = (service: Service, expected: number) =>
    eventually(
      () => status(service, '/readyz'),
      (value) => value === expected,
    );
  async function sql(text: string, url = databaseUrl): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(text);
    await client.end();
  }

  /** Looks up ten cars repeatedly while the store can't be written, and returns the responses. */
  async function lookUpRepeatedly(vins: string[]): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (let round = 0; round < 4; round++) {
      for (const value of await Promise.all(vins.map((vin) => status(one, `/api/sticker/${vin}`))))
        statuses.add(value);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    return statuses;
  }

  const unwritable: [string, () => Promise<void>, () => Promise<void>][] = [
    [
      'S3 responds 403 to uploads',
      async () => void (s3.refuses = (method) => method === 'PUT'),
      async () => void (s3.refuses = () => false),
    ],
    [
      'PostgreSQL is read-only',
      async () => {
        await sql('ALTER DATABASE ours SET default_transaction_read_only = on');
        await sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'ours' AND pid <> pg_backend_pid()",
        );
      },
      async () => {
        await sql('ALTER DATABASE ours RESET default_transaction_read_only', servers.databaseUrl('postgres'));
        await sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'ours' AND pid <> pg_backend_pid()",
          servers.databaseUrl('postgres'),
        );
      },
    ],
  ];
  for (const [failure, startFailure, endFailure] of unwritable) {
    void test(`${failure}: no car is requested twice, and labels that arrive are served from memory and stored later`, async () => {
      await lookup(one, newCar());
      await startFailure();
      const vins = Array.from({ length: 10 }, newCar);
      const statuses = await lookUpRepeatedly(vins);
      assert.ok(
        [...statuses].every((code) => code === 200 || code === 503),
        [...statuses].join(),
      );
      assert.ok(
        requestsFor(...vins) <= vins.length,
        `${requestsFor(...vins)} requests for ${vins.length} cars`,
      );
      const before = requestsFor(...vins);
      await lookUpRepeatedly(vins);
      assert.equal(requestsFor(...vins), before, 'the failure is remembered');
      await waitForReadiness(one, 503);
      await endFailure();
      await waitForReadiness(one, 200);
      for (const vin of vins) {
        assert.equal((await lookup(one, vin)).windowSticker.available, true);
        assert.equal(await status(two, `/api/sticker/${vin}`), 200);
        assert.equal(requestsFor(vin), 1);
      }
    });
  }

  void test('the reason for a store failure is `store-unavailable`, not `source-failed`', async () => {
    await postgres.set('refuse');
    const response = await one.get(`/api/sticker/${newCar()}`);
    assert.equal(response.status, 503);
    const { reason, detail } = (await response.json()) as { reason: string; detail: string };
    assert.equal(reason, 'store-unavailable');
    assert.match(detail, /^Sticker storage is temporarily unavailable/);
    await postgres.set('pass');
    await waitForReadiness(one, 200);
  });

  void test('a label lost from the store is fetched again at the next request, and both instances serve the same bytes', async () => {
    const vin = newCar();
    assert.equal(await status(one, `/api/sticker/${vin}`), 200);
    assert.equal(await status(two, `/api/sticker/${vin}`), 200);
    const label = (await two.runtime.store.find(vin)).label!;
    // Another copy replaces it while both instances have the first in memory.
    await openBucket(servers.s3Url()).remove(pdfName(label));
    const adminStore = await openStore({
      dataDir: one.dataDir + '-admin',
      databaseUrl,
      redisUrl: servers.redisUrl(),
      s3Url: servers.s3Url(),
      log: silentLog,
    });
    await adminStore.markDamaged(label);
    const pdf = pdfOf(vin);
    const replaced = await adminStore.addLabel(newLabel(vin), pdf);
    assert.equal(replaced.sha256, sha256Of(pdf));
    await adminStore.close();
    for (const service of [one, two]) {
      await eventually(
        async () => sha256Of(Buffer.from(await (await service.get(`/api/sticker/${vin}`)).arrayBuffer())),
        (sha256) => sha256 === replaced.sha256,
      );
    }
  });

  void test('outcomes expire at the same time for instances with wrong clocks', async (t) => {
    const withWrongClock = await openStore({
      dataDir: temporaryFolder(t),
      databaseUrl,
      redisUrl: servers.redisUrl(),
      s3Url: servers.s3Url(),
      log: silentLog,
    });
    t.after(() => withWrongClock.close());
    const withRightClock = two.runtime.store;
    for (const skewMs of [600_000, -600_000]) {
      const [vin, other] = [freshVin(), freshVin()];
      const at = Date.now();
      const miss = { vin, source: 'ford', kind: 'failed', why: 'timeout', at, until: at + 30_000 } as const;
      await withRightClock.addMiss(miss);
      const clock = t.mock.method(Date, 'now', () =>
        Math.round(performance.timeOrigin + performance.now() + skewMs),
      );
      const value = (await withWrongClock.find(vin)).miss!;
      assert.ok(
        value.until > Date.now() + 20_000 && value.until < Date.now() + 31_000,
        'remaining time by its own clock',
      );
      assert.ok(Math.abs(value.at - Date.now()) < 10_000);
      await withWrongClock.addMiss({ ...miss, vin: other, at: Date.now(), until: Date.now() + 30_000 });
      clock.mock.restore();
      const back = (await withRightClock.find(other)).miss!;
      assert.ok(back.until > Date.now() + 20_000 && back.until < Date.now() + 31_000);
    }
  });

  void test('an instance that starts during a migration listens at once and becomes ready afterwards', async () => {
    await servers.database('locked');
    const holder = new pg.Client({ connectionString: servers.databaseUrl('locked') });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock($1)', [0x4d_4f_4e_52]);
    const service = await startService({ ...direct, DATABASE_URL: servers.databaseUrl('locked') });
    try {
      assert.equal(await status(service, '/healthz'), 200);
      assert.equal(await status(service, '/readyz'), 503);
      assert.equal((await lookup(service, newCar())).vehicle?.make, 'FORD');
      await holder.end();
      await waitForReadiness(service, 200);
      assert.equal((await lookup(service, newCar())).windowSticker.available, true);
    } finally {
      await service.close();
    }
  });

  void test('a running instance reports an older schema at /readyz and asks no source', async () => {
    await servers.database('older');
    const url = servers.databaseUrl('older');
    const service = await startService({ ...direct, DATABASE_URL: url });
    try {
      await waitForReadiness(service, 200);
      await sql('UPDATE schema_version SET version = version - 1', url);
      const vin = newCar();
      await waitForReadiness(service, 503);
      assert.equal((await lookup(service, vin)).windowSticker.available, null);
      assert.equal(requestsFor(vin), 0);
      await sql('UPDATE schema_version SET version = version + 1', url);
      await waitForReadiness(service, 200);
      assert.equal((await lookup(service, vin)).windowSticker.available, true);
    } finally {
      await service.close();
    }
  });

  void test('a contact forgotten while an instance is disconnected does not come back with buffered counts', async () => {
    const contact = `forget-${Date.now()}@example.org`;
    await postgres.set('refuse');
    await one.get(`/api/v1/vin/${newCar()}?sticker=false`, { headers: { 'x-contact': contact } });
    await one.runtime.contacts.flush();
    assert.equal(await two.runtime.store.contacts.forget(contact), 0);
    await postgres.set('pass');
    await waitForReadiness(one, 200);
    await one.runtime.contacts.flush();
    const uses = async () =>
      (await two.runtime.store.contacts.uses('2000-01-01')).filter((use) => use.contact === contact);
    assert.deepEqual(await uses(), []);
  });

  for (const fault of ['flushed', 'down'] as const) {
    void test(`Redis is ${fault} during 100 fetches on two instances: each asks for a car once, and both serve one copy`, async () => {
      const vins = Array.from({ length: 100 }, newCar);
      const all = Promise.all(vins.flatMap((vin) => [lookup(one, vin), lookup(two, vin)]));
      await new Promise((resolve) => setTimeout(resolve, 100));
      if (fault === 'down') await redis.set('refuse');
      else await two.runtime.store.coordination!.redis.runWithLongTimeout((client) => client.flushall());
      const responses = await all;
      // Some may get no label because the queue is full.
      assert.ok(responses.every(({ windowSticker }) => windowSticker.available !== false));
      for (const vin of vins)
        assert.ok(requestsFor(vin) <= 2, `${vin} was requested ${requestsFor(vin)} times`);
      await redis.set('pass');
      await waitForReadiness(one, 200);
      const etagOf = async (service: Service, vin: string) =>
        (await service.get(`/api/sticker/${vin}`, { method: 'HEAD' })).headers.get('etag');
      for (const vin of vins.slice(0, 10)) assert.equal(await etagOf(one, vin), await etagOf(two, vin));
    });
  }
}
