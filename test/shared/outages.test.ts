import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { pdfName } from '../../src/store/label-bytes.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/testing.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { eventually, newVin } from '../operator.ts';
import type { Service } from '../service.ts';
import { type Fault, FAULTS, type FaultProxy, faultProxy } from './fault-proxy.ts';
import { s3Proxy } from './s3-proxy.ts';
import { query, startSuite } from './servers.ts';
import { stampedUpstream } from './stamped-upstream.ts';

/**
 * What clients and operators see while PostgreSQL, Redis or S3 fails: the table in docs/operations.md. Manufacturers get no
 * extra requests and aren't reported as failing.
 */

const servers = await startSuite('outages of PostgreSQL, Redis and S3');
if (servers) {
  const simulator = await startSimulator();
  const upstream = await stampedUpstream(simulator.origin);
  const bucket = await s3Proxy(servers.s3.port);
  const [postgres, redis, s3] = await Promise.all([
    faultProxy(servers.postgres.port),
    faultProxy(servers.redis.port),
    faultProxy(bucket.port),
  ]);
  for (const each of [upstream, bucket, postgres, redis, s3]) servers.defer(() => each.stop());
  servers.defer(() => simulator.close());
  const direct = { ...(await servers.env('outages')), SOURCE_ORIGIN: upstream.origin };
  const throughProxies = (database: string) => ({
    ...direct,
    DATABASE_URL: servers.databaseUrl(database, postgres.port),
    REDIS_URL: servers.redisUrl(redis.port),
    S3_URL: servers.s3Url(s3.port),
  });
  const two = await servers.service(direct);
  const one = await servers.service(throughProxies('outages'));
  /** With the real timeouts, for servers that don't respond. A busy machine may exceed them, so it gets several attempts. */
  const hasty = await servers.service(throughProxies('outages'), {});

  const newCar = () => newVin('ford');
  const lookup = (service: Service, vin: string) => service.json<VinResponse>(`/api/v1/vin/${vin}`);
  const requestsFor = (vin: string) => simulator.requests.filter((request) => request.vin === vin).length;
  const status = async (service: Service, path: string) => (await service.get(path)).status;
  const readiness = (service: Service, expected: number) =>
    eventually(
      () => status(service, '/readyz'),
      (value) => value === expected,
    );
  async function sticker(service: Service, vin: string): Promise<{ status: number; sha256: string | null }> {
    const response = await service.get(`/api/sticker/${vin}`);
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, sha256: response.ok ? sha256Of(body) : null };
  }
  const isFound = (service: Service, vin: string) =>
    eventually(
      () => lookup(service, vin),
      ({ windowSticker }) => windowSticker.available === true,
    );
  const digestFrom = async (service: Service, vin: string) =>
    (
      await eventually(
        () => sticker(service, vin),
        (response) => response.status === 200,
      )
    ).sha256!;
  async function storeLabelBy(service: Service): Promise<{ vin: string; sha256: string }> {
    const vin = newCar();
    await isFound(service, vin);
    return { vin, sha256: await digestFrom(service, vin) };
  }
  /** The response has the decode and doesn't say whether there is a label. */
  function assertDecodedOnly({ vehicle, warning, windowSticker }: VinResponse): void {
    assert.equal(vehicle?.make, 'FORD');
    assert.equal(windowSticker.available, null);
    assert.ok(warning);
  }

  void test('a label that one instance fetched is served by the other, byte for byte, after one request to the source', async () => {
    const { vin, sha256 } = await storeLabelBy(one);
    assert.equal((await lookup(two, vin)).windowSticker.available, true);
    assert.deepEqual(await sticker(two, vin), { status: 200, sha256 });
    assert.equal(requestsFor(vin), 1);
  });

  void test('200 lookups of a new VIN on two instances send one request to the source', async () => {
    const vin = newCar();
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, n) => lookup(n % 2 ? one : two, vin)),
    );
    assert.ok(responses.every(({ windowSticker }) => windowSticker.available === true));
    assert.equal(requestsFor(vin), 1);
  });

  /** Runs `body` while a server misbehaves, and waits until the instance is ready again. */
  async function withFault(
    proxy: FaultProxy,
    fault: Fault,
    body: (instance: Service) => Promise<void>,
  ): Promise<void> {
    const instance = instanceFor(fault);
    await proxy.set(fault);
    try {
      await body(instance);
      await readiness(instance, proxy === redis ? 200 : 503);
      assert.equal(await status(instance, '/healthz'), 200);
    } finally {
      await proxy.set('pass');
      await readiness(instance, 200);
      if (proxy === redis) await messagesArrive(instance);
    }
  }
  const instanceFor = (fault: Fault) => (fault === 'hang' || fault === 'slow' ? hasty : one);
  /** Until then an instance may still drop what it has in memory, because messages may have been lost. */
  async function messagesArrive({ runtime: { store } }: Service): Promise<void> {
    const received = new Set<string | null>();
    store.onReplaced((vin) => received.add(vin));
    while (!received.has('a message')) {
      const { redis: link } = store.coordination!;
      await link
        .runWithLongTimeout((client) => client.publish('monroney:label-replaced', 'a message'))
        .catch(() => {});
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }

  for (const fault of FAULTS) {
    void test(`PostgreSQL: ${fault}. Decodes and labels in memory are served, others are 503, never "none"; it recovers`, async () => {
      const cached = await storeLabelBy(instanceFor(fault));
      const remote = await storeLabelBy(two);
      const vin = newCar();
      await withFault(postgres, fault, async (instance) => {
        for (const unknown of [vin, remote.vin]) {
          assertDecodedOnly(await lookup(instance, unknown));
          assert.equal((await sticker(instance, unknown)).status, 503);
        }
        assert.deepEqual(await sticker(instance, cached.vin), { status: 200, sha256: cached.sha256 });
      });
      assert.equal(await digestFrom(instanceFor(fault), remote.vin), remote.sha256);
      await isFound(instanceFor(fault), vin);
    });

    void test(`S3: ${fault}. Lookups and cached labels are served, other labels are 503; it recovers`, async () => {
      const cached = await storeLabelBy(instanceFor(fault));
      const remote = await storeLabelBy(two);
      const vin = newCar();
      await withFault(s3, fault, async (instance) => {
        await isFound(instance, cached.vin);
        assert.deepEqual(await sticker(instance, cached.vin), { status: 200, sha256: cached.sha256 });
        await isFound(instance, remote.vin);
        assert.equal((await sticker(instance, remote.vin)).status, 503);
        assertDecodedOnly(await lookup(instance, vin));
      });
      assert.ok(requestsFor(vin) <= 1);
      assert.equal(await digestFrom(instanceFor(fault), remote.vin), remote.sha256);
      await isFound(instanceFor(fault), vin);
    });

    void test(`Redis: ${fault}. Everything is served; it recovers`, async () => {
      const { vin, sha256 } = await storeLabelBy(two);
      await withFault(redis, fault, async (instance) => {
        assert.equal(await digestFrom(instance, vin), sha256);
        await isFound(instance, newCar());
      });
      await isFound(instanceFor(fault), newCar());
    });
  }

  const backends: [string, FaultProxy, RegExp][] = [
    ['postgresql', postgres, /PostgreSQL: /],
    ['redis', redis, /redis: /],
    ['s3', s3, /The label bucket: /],
  ];
  for (const [backend, proxy, pattern] of backends) {
    void test(`${backend}: the metric shows an outage, and the log has one line when it starts and one when it ends`, async () => {
      const becomes = (up: 0 | 1) =>
        eventually(
          async () => {
            await status(one, '/readyz');
            await status(one, `/api/v1/vin/${newCar()}?sticker=false`);
            return one.runtime.metrics.text();
          },
          (text) => text.includes(`monroney_backend_up{backend="${backend}"} ${up}\n`),
        );
      await becomes(1);
      one.runtime.log.flush();
      const before = one.logs.length;
      const messages = () => {
        one.runtime.log.flush();
        return (
          one.logs
            .map((line) => (JSON.parse(line) as { message: string }).message)
            .slice(before)
            // A busy machine stalls the event loop.
            .filter((message) => message !== 'request' && message !== 'event loop stalled')
        );
      };
      const lines = () => messages().filter((message) => pattern.test(message)).length;
      await withFault(proxy, 'refuse', async () => {
        await becomes(0);
        await eventually(async () => lines(), Boolean);
      });
      await becomes(1);
      assert.equal(lines(), 2, messages().join('\n'));
      // Readiness, switches and lifecycles may log both changes too, each once.
      assert.equal(new Set(messages()).size, messages().length, messages().join('\n'));
    });
  }

  const reconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'outages'`;
  const setReadOnly = async (change: string) => {
    await query(servers.databaseUrl('postgres'), `ALTER DATABASE outages ${change}`);
    await query(servers.databaseUrl('postgres'), reconnect);
  };
  const unwritable: [string, () => unknown, () => unknown][] = [
    [
      'S3 responds 403 to uploads',
      () => (bucket.refuses = (method) => method === 'PUT'),
      () => (bucket.refuses = () => false),
    ],
    [
      'PostgreSQL is read-only',
      () => setReadOnly('SET default_transaction_read_only = on'),
      () => setReadOnly('RESET default_transaction_read_only'),
    ],
  ];
  for (const [failure, startFailure, endFailure] of unwritable) {
    void test(`${failure}: each car is requested at most once until it ends, and once after it`, async () => {
      await lookup(one, newCar());
      await startFailure();
      const vins = Array.from({ length: 10 }, newCar);
      for (let round = 0; round < 4; round++) {
        const codes = await Promise.all(vins.map((vin) => status(one, `/api/sticker/${vin}`)));
        assert.deepEqual(new Set(codes), new Set([503]));
      }
      await readiness(one, 503);
      // Those that were on their way when it began.
      for (const vin of vins) assert.ok(requestsFor(vin) <= 1);
      const late = Array.from({ length: 10 }, newCar);
      for (const vin of late) assert.equal(await status(one, `/api/sticker/${vin}`), 503);
      await endFailure();
      await readiness(one, 200);
      for (const vin of [...vins, ...late]) {
        await isFound(one, vin);
        await digestFrom(two, vin);
        assert.ok(requestsFor(vin) <= (late.includes(vin) ? 1 : 2));
      }
    });
  }

  void test('a label that another process replaced is served by both instances, which had the first in memory', async () => {
    const { vin } = await storeLabelBy(one);
    assert.equal(await status(two, `/api/sticker/${vin}`), 200);
    const label = (await two.runtime.store.find(vin)).label!;
    await openBucket(direct.S3_URL).remove(pdfName(label));
    const command = await servers.open(direct);
    await command.markDamaged(label);
    const replaced = await command.addLabel(newLabel(vin), pdfOf(vin));
    assert.notEqual(replaced.sha256, label.sha256);
    for (const service of [one, two])
      await eventually(
        () => sticker(service, vin),
        ({ sha256 }) => sha256 === replaced.sha256,
      );
  });

  /* oxlint-disable tests/no-clock -- PostgreSQL has the real time. */
  void test('outcomes expire at the same time for instances with wrong clocks', async (t) => {
    const withWrongClock = await servers.open(direct);
    const withRightClock = two.runtime.store;
    const HOUR_MS = 3_600_000;
    const missOf = (vin: string, at: number) =>
      ({ vin, source: 'ford', kind: 'failed', why: 'timeout', at, until: at + HOUR_MS }) as const;
    const lasts = (until: number | undefined) => (until ?? 0) - Date.now();
    for (const skewMs of [HOUR_MS, -HOUR_MS]) {
      const [vin, other] = [freshVin(), freshVin()];
      await withRightClock.addMiss(missOf(vin, Date.now()));
      const clock = t.mock.method(Date, 'now', () =>
        Math.round(performance.timeOrigin + performance.now() + skewMs),
      );
      const seen = lasts((await withWrongClock.find(vin)).miss?.until);
      await withWrongClock.addMiss(missOf(other, Date.now()));
      clock.mock.restore();
      for (const ms of [seen, lasts((await withRightClock.find(other)).miss?.until)])
        assert.ok(Math.abs(ms - HOUR_MS) < HOUR_MS / 2, `${ms} ms`);
    }
  });

  /* oxlint-enable tests/no-clock */
  void test('an instance that starts during a migration listens at once and becomes ready afterwards', async () => {
    const env = { ...direct, DATABASE_URL: await servers.database('locked') };
    const holder = new pg.Client({ connectionString: env.DATABASE_URL });
    await holder.connect();
    await holder.query('SELECT pg_advisory_lock($1)', [0x4d_4f_4e_52]);
    const service = await servers.service(env, {});
    assert.equal(await status(service, '/healthz'), 200);
    assert.equal(await status(service, '/readyz'), 503);
    assertDecodedOnly(await lookup(service, newCar()));
    await holder.end();
    await readiness(service, 200);
    await isFound(service, newCar());
  });

  void test('an instance that starts while all servers are down becomes ready when they are back', async () => {
    await servers.database('late');
    await Promise.all([postgres, redis, s3].map((proxy) => proxy.set('refuse')));
    const late = await servers.service(throughProxies('late'));
    assertDecodedOnly(await lookup(late, newCar()));
    assert.equal(await status(late, '/readyz'), 503);
    await Promise.all([postgres, redis, s3].map((proxy) => proxy.set('pass')));
    for (const service of [late, one, hasty]) await readiness(service, 200);
    await eventually(async () => late.runtime.store.coordination!.redis.up, Boolean);
    await isFound(late, newCar());
  });

  void test('a running instance reports an older schema at /readyz and asks no source', async () => {
    const env = { ...direct, DATABASE_URL: await servers.database('older') };
    const service = await servers.service(env);
    await readiness(service, 200);
    await query(env.DATABASE_URL, 'UPDATE schema_version SET version = version - 1');
    const vin = newCar();
    await readiness(service, 503);
    assertDecodedOnly(await lookup(service, vin));
    assert.equal(requestsFor(vin), 0);
    await query(env.DATABASE_URL, 'UPDATE schema_version SET version = version + 1');
    await readiness(service, 200);
    await isFound(service, vin);
  });

  void test('a contact forgotten while an instance is disconnected does not come back with buffered counts', async () => {
    const contact = 'forget@example.org';
    await withFault(postgres, 'refuse', async () => {
      await one.get(`/api/v1/vin/${newCar()}?sticker=false`, { headers: { 'x-contact': contact } });
      await one.runtime.contacts.flush();
      assert.equal(await two.runtime.store.contacts.forget(contact), 0);
    });
    await one.runtime.contacts.flush();
    const uses = await two.runtime.store.contacts.uses('2000-01-01');
    assert.deepEqual(
      uses.filter((use) => use.contact === contact),
      [],
    );
  });
}
