import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { newVin } from '../operator.ts';
import { startService, type Service } from '../service.ts';
import { type Fault, FAULTS, type FaultProxy, proxiesFor } from './fault-proxy.ts';
import { startServers, withoutServers } from './servers.ts';

/** What clients get while PostgreSQL, Redis or S3 misbehaves: the table in docs/operations.md. */

const skip = withoutServers();
if (skip) void test('the service on the shared store', { skip });
else {
  const servers = await startServers();
  const simulator = await startSimulator();
  await servers.database('service');
  const { postgres, redis, s3, ...proxies } = await proxiesFor(servers, 'service');
  const env = {
    SOURCE_ORIGIN: simulator.origin,
    ...proxies.env,
  };
  const one = await startService(env);
  const two = await startService(env);
  after(async () => {
    await Promise.all([one.close(), two.close(), simulator.close()]);
    await proxies.stop();
    await servers.stop();
  });

  const lookup = (service: Service, vin: string) => service.json<VinResponse>(`/api/v1/vin/${vin}`);
  const requestsFor = (vin: string) => simulator.requests.filter((request) => request.vin === vin).length;
  async function sticker(service: Service, vin: string): Promise<{ status: number; sha256: string | null }> {
    const response = await service.get(`/api/sticker/${vin}`);
    const body = Buffer.from(await response.arrayBuffer());
    const sha256 = response.ok ? createHash('sha256').update(body).digest('hex') : null;
    return { status: response.status, sha256 };
  }
  async function storeLabelBy(instance: Service): Promise<{ vin: string; sha256: string }> {
    const vin = newVin('ford');
    const response = await lookup(instance, vin);
    assert.equal(
      response.windowSticker.available,
      true,
      `${response.warning} ${instance.logs.slice(-3).join(' ')}`,
    );
    const { sha256 } = await sticker(instance, vin);
    return { vin, sha256: sha256! };
  }
  /** Readiness is cached for a second, so wait for the change. */
  async function readiness(service: Service, status: number): Promise<void> {
    for (let attempt = 0; attempt < 75; attempt++) {
      if ((await service.get('/readyz')).status === status) return;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    assert.fail(`/readyz did not become ${status} without a restart`);
  }
  /** Runs `body` while a server misbehaves, and waits until both instances are ready again. */
  async function withFault(proxy: FaultProxy, fault: Fault, body: () => Promise<void>): Promise<void> {
    await proxy.set(fault);
    try {
      await body();
      const state = proxy === redis ? 200 : 503;
      await Promise.all([readiness(one, state), readiness(two, state)]);
      assert.equal((await one.get('/healthz')).status, 200);
    } finally {
      await proxy.set('pass');
      await Promise.all([readiness(one, 200), readiness(two, 200)]);
      if (proxy === redis) await Promise.all([messagesArrive(one), messagesArrive(two)]);
    }
  }
  /** Until then an instance may still drop what it has in memory, because messages may have been lost. */
  async function messagesArrive({ runtime: { store } }: Service): Promise<void> {
    const received = new Set<string | null>();
    store.onReplaced((vin) => received.add(vin));
    while (!received.has('a message')) {
      const { redis: link } = store.coordination!;
      const publish = link.runWithLongTimeout((client) =>
        client.publish('monroney:label-replaced', 'a message'),
      );
      await publish.catch(() => {});
      await new Promise((resolve) => void setImmediate(resolve));
    }
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
    const vin = newVin('ford');
    const responses = await Promise.all(
      Array.from({ length: 200 }, (_, n) => lookup(n % 2 ? one : two, vin)),
    );
    assert.ok(responses.every(({ windowSticker }) => windowSticker.available === true));
    assert.equal(requestsFor(vin), 1);
  });

  for (const fault of FAULTS) {
    void test(`PostgreSQL: ${fault}. Decodes and labels in memory are served, others are 503, never "none"; it recovers`, async () => {
      const cached = await storeLabelBy(one);
      const remote = await storeLabelBy(two);
      const vin = newVin('ford');
      await withFault(postgres, fault, async () => {
        for (const unknown of [vin, remote.vin]) {
          assertDecodedOnly(await lookup(one, unknown));
          assert.equal((await sticker(one, unknown)).status, 503);
        }
        assert.deepEqual(await sticker(one, cached.vin), { status: 200, sha256: cached.sha256 });
      });
      assert.deepEqual(await sticker(one, remote.vin), { status: 200, sha256: remote.sha256 });
      assert.equal((await lookup(one, vin)).windowSticker.available, true);
    });

    void test(`S3: ${fault}. Lookups and cached labels are served, other labels are 503; it recovers`, async () => {
      const cached = await storeLabelBy(one);
      const remote = await storeLabelBy(two);
      const vin = newVin('ford');
      await withFault(s3, fault, async () => {
        assert.equal((await lookup(one, cached.vin)).windowSticker.available, true);
        assert.deepEqual(await sticker(one, cached.vin), { status: 200, sha256: cached.sha256 });
        assert.equal((await lookup(one, remote.vin)).windowSticker.available, true);
        assert.equal((await sticker(one, remote.vin)).status, 503);
        // A label that came in the first second is served from memory.
        const response = await lookup(one, vin);
        if (response.windowSticker.available !== true) assertDecodedOnly(response);
      });
      assert.ok(requestsFor(vin) <= 1);
      assert.deepEqual(await sticker(one, remote.vin), { status: 200, sha256: remote.sha256 });
      assert.equal((await lookup(one, vin)).windowSticker.available, true);
    });

    void test(`Redis: ${fault}. Everything is served; it recovers`, async () => {
      const { vin, sha256 } = await storeLabelBy(two);
      await withFault(redis, fault, async () => {
        assert.deepEqual(await sticker(one, vin), { status: 200, sha256 });
        assert.equal((await lookup(one, newVin('ford'))).windowSticker.available, true);
      });
      assert.equal((await lookup(two, newVin('ford'))).windowSticker.available, true);
    });
  }
}
