import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { checkDigit } from '@monroney/vin';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { sources } from '../../src/makers/index.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { startService, type Service } from '../service.ts';
import { type Fault, FAULTS, type FaultProxy, faultProxy } from './fault-proxy.ts';
import { startServers, withoutServers } from './servers.ts';

/** What users of the whole service see while a server behind it misbehaves: the table in docs/operations.md. */

const skip = withoutServers();
if (skip) void test('the service on the shared store', { skip });
else {
  const servers = await startServers();
  const simulator = await startSimulator();
  const [postgres, redis, s3] = await Promise.all([
    faultProxy(servers.postgres.port),
    faultProxy(servers.redis.port),
    faultProxy(servers.s3.port),
  ]);
  await servers.database('service');
  const env = {
    SOURCE_ORIGIN: simulator.origin,
    DATABASE_URL: servers.databaseUrl('service', postgres.port),
    REDIS_URL: servers.redisUrl(redis.port),
    S3_URL: servers.s3Url(s3.port),
  };
  const one = await startService(env);
  const two = await startService(env);
  after(async () => {
    await Promise.all([one.close(), two.close(), simulator.close()]);
    await Promise.all([postgres.stop(), redis.stop(), s3.stop()]);
    await servers.stop();
  });

  let serial = 100_000;
  /** A car of Ford's that nobody has asked for yet. */
  function newCar(): string {
    const { example } = sources.find((source) => source.id === 'ford')!;
    const vin = example.slice(0, -5) + String(++serial).slice(-5);
    return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
  }

  const lookup = (service: Service, vin: string) => service.json<VinResponse>(`/api/v1/vin/${vin}`);
  const asked = (vin: string) => simulator.requests.filter((request) => request.vin === vin).length;
  async function sticker(service: Service, vin: string): Promise<{ status: number; sha256: string | null }> {
    const response = await service.get(`/api/sticker/${vin}`);
    const body = Buffer.from(await response.arrayBuffer());
    const sha256 = response.ok ? createHash('sha256').update(body).digest('hex') : null;
    return { status: response.status, sha256 };
  }
  async function held(by: Service): Promise<{ vin: string; sha256: string }> {
    const vin = newCar();
    const said = await lookup(by, vin);
    assert.equal(said.windowSticker.available, true, `${said.warning} ${by.logs.slice(-3).join(' ')}`);
    const { sha256 } = await sticker(by, vin);
    return { vin, sha256: sha256! };
  }
  /** A good state is believed for a second, so wait for the change. */
  async function readiness(service: Service, status: number): Promise<void> {
    for (let tries = 0; tries < 75; tries++) {
      if ((await service.get('/readyz')).status === status) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.fail(`/readyz did not become ${status} without a restart`);
  }
  /** Runs `body` while a server misbehaves, and sees both instances well afterwards. */
  async function during(proxy: FaultProxy, fault: Fault, body: () => Promise<void>): Promise<void> {
    await proxy.set(fault);
    try {
      await body();
      const state = proxy === redis ? 200 : 503;
      await Promise.all([readiness(one, state), readiness(two, state)]);
      assert.equal((await one.get('/healthz')).status, 200);
    } finally {
      await proxy.set('pass');
      await Promise.all([readiness(one, 200), readiness(two, 200)]);
    }
  }

  /** The decode is there, and nothing is said of the label that might not be true. */
  function decodedOnly({ vehicle, warning, windowSticker }: VinResponse): void {
    assert.equal(vehicle?.make, 'FORD');
    assert.equal(windowSticker.available, null);
    assert.ok(warning);
  }

  void test('what one instance fetched the other serves, byte for byte, and the source was asked once', async () => {
    const { vin, sha256 } = await held(one);
    assert.equal((await lookup(two, vin)).windowSticker.available, true);
    assert.deepEqual(await sticker(two, vin), { status: 200, sha256 });
    assert.equal(asked(vin), 1);
  });

  void test('200 askers on two instances of a VIN nobody holds: one request at the source', async () => {
    const vin = newCar();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => lookup(n % 2 ? one : two, vin)));
    assert.ok(answers.every(({ windowSticker }) => windowSticker.available === true));
    assert.equal(asked(vin), 1);
  });

  for (const fault of FAULTS) {
    void test(`PostgreSQL: ${fault}. Decodes and held labels answer; nobody is told "none"; it heals`, async () => {
      const near = await held(one);
      const away = await held(two);
      const vin = newCar();
      await during(postgres, fault, async () => {
        decodedOnly(await lookup(one, vin));
        assert.equal((await sticker(one, vin)).status, 503);
        for (const each of [near, away]) {
          assert.equal((await lookup(one, each.vin)).windowSticker.available, true);
          assert.deepEqual(await sticker(one, each.vin), { status: 200, sha256: each.sha256 });
        }
      });
      assert.equal((await lookup(one, vin)).windowSticker.available, true);
    });

    void test(`S3: ${fault}. Lookups answer, labels in the cache are served, others are 503; it heals`, async () => {
      const near = await held(one);
      const away = await held(two);
      const vin = newCar();
      await during(s3, fault, async () => {
        assert.equal((await lookup(one, near.vin)).windowSticker.available, true);
        assert.deepEqual(await sticker(one, near.vin), { status: 200, sha256: near.sha256 });
        assert.equal((await lookup(one, away.vin)).windowSticker.available, true);
        assert.equal((await sticker(one, away.vin)).status, 503);
        // What came in the first second is served from memory.
        const said = await lookup(one, vin);
        if (said.windowSticker.available !== true) decodedOnly(said);
      });
      assert.ok(asked(vin) <= 1);
      assert.deepEqual(await sticker(one, away.vin), { status: 200, sha256: away.sha256 });
      assert.equal((await lookup(one, vin)).windowSticker.available, true);
    });

    void test(`Redis: ${fault}. Everything answers; it heals`, async () => {
      const { vin, sha256 } = await held(two);
      await during(redis, fault, async () => {
        assert.deepEqual(await sticker(one, vin), { status: 200, sha256 });
        assert.equal((await lookup(one, newCar())).windowSticker.available, true);
      });
      assert.equal((await lookup(two, newCar())).windowSticker.available, true);
    });
  }
}
