import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { freshVin, newLabel, pdfOf } from '../../src/store/testing.ts';
import { type Store, StoreUnavailable } from '../../src/store/store.ts';
import { FAULTS, proxiesFor } from './fault-proxy.ts';
import { startServers, withoutServers } from './servers.ts';

const skip = withoutServers();
if (skip) void test('faults of the servers behind the shared store', { skip });
else {
  const servers = await startServers();
  await servers.database('faults');
  const { postgres, redis, s3, env, stop } = await proxiesFor(servers, 'faults');
  const root = mkdtempSync(join(tmpdir(), 'monroney-faults-'));
  const open = (folder: string) =>
    openStore({
      dataDir: join(root, folder),
      databaseUrl: env.DATABASE_URL,
      redisUrl: env.REDIS_URL,
      s3Url: env.S3_URL,
      log: silentLog,
    });
  const store = await open('one');
  const otherStore = await open('two');
  after(async () => {
    await Promise.all([store.close(), otherStore.close()]);
    await stop();
    await servers.stop();
    rmSync(root, { recursive: true });
  });

  async function storedLabel() {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    return { label: await store.addLabel(newLabel(vin), pdf), stored: pdf };
  }

  /** Tries for up to 15 seconds: recovery must not need a restart. */
  async function retryUntilAvailable(results: () => Promise<unknown>): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await results();
        return;
      } catch (error) {
        if (attempt === 75 || !(error instanceof StoreUnavailable)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  const assertUnavailable = (work: () => unknown) =>
    assert.rejects(async () => await work(), StoreUnavailable);
  const missOf = (vin: string) => {
    const at = Date.now();
    return { vin, source: 'ford', kind: 'none', why: 'not-released', at, until: at + 60_000 } as const;
  };

  for (const fault of FAULTS) {
    void test(`PostgreSQL: ${fault}. Everything is unknown, never none, and bytes are served; it recovers`, async () => {
      const { label, stored } = await storedLabel();
      await postgres.set(fault);
      await assertUnavailable(() => store.find(label.vin));
      await assertUnavailable(() => store.find(freshVin()));
      await assertUnavailable(() => store.addMiss(missOf(freshVin())));
      await assertUnavailable(() => store.ready());
      const vin = freshVin();
      const pdf = pdfOf(vin);
      await assertUnavailable(() => store.addLabel(newLabel(vin), pdf));
      assert.ok(stored.equals(await store.pdf(label)));
      await postgres.set('pass');
      await retryUntilAvailable(async () => store.ready());
      assert.deepEqual((await store.find(label.vin)).label, label);
      assert.equal((await store.find(vin)).label, null);
      await store.addLabel(newLabel(vin), pdf);
      assert.ok((await otherStore.find(vin)).label);
    });

    void test(`S3: ${fault}. Rows are served, PDFs are unavailable, never gone; it recovers`, async () => {
      const { label, stored } = await storedLabel();
      await s3.set(fault);
      assert.deepEqual((await store.find(label.vin)).label, label);
      await assertUnavailable(() => store.pdf(label));
      await assertUnavailable(() => store.pdfStream(label, 0, 100));
      await assertUnavailable(() => store.pdf(label));
      await assertUnavailable(() => store.ready());
      const vin = freshVin();
      await assertUnavailable(() => store.addLabel(newLabel(vin), pdfOf(vin)));
      assert.equal((await store.find(vin)).label, null);
      await s3.set('pass');
      await retryUntilAvailable(async () => store.ready());
      assert.ok(stored.equals(await store.pdf(label)));
      await store.addLabel(newLabel(vin), pdfOf(vin));
    });

    void test(`Redis: ${fault}. Only the coordination between instances is missing; it recovers`, async () => {
      const { label, stored } = await storedLabel();
      await redis.set(fault);
      assert.deepEqual((await store.find(label.vin)).label, label);
      assert.ok(stored.equals(await store.pdf(label)));
      await store.ready();
      const results = await Promise.all(
        Array.from({ length: 5 }, () => store.coordination!.singleFlight.once('faulty', async () => ({}))),
      );
      assert.equal(new Set(results).size, 1, 'one instance still sends one request');
      await redis.set('pass');
      await retryUntilAvailable(() =>
        store.coordination!.redis.runWithLongTimeout((client) => client.ping()),
      );
      assert.equal(await countConcurrentRuns(store, otherStore), 1);
    });
  }

  void test('an instance that starts while all servers are down becomes ready when they are back', async () => {
    await servers.database('late');
    await Promise.all([postgres, redis, s3].map((proxy) => proxy.set('refuse')));
    const late = await openStore({
      dataDir: join(root, 'late'),
      databaseUrl: servers.databaseUrl('late', postgres.port),
      redisUrl: servers.redisUrl(redis.port),
      s3Url: servers.s3Url(s3.port),
      log: silentLog,
    });
    await assertUnavailable(() => late.ready());
    await assertUnavailable(() => late.find(freshVin()));
    await Promise.all([postgres, redis, s3].map((proxy) => proxy.set('pass')));
    await retryUntilAvailable(() => late.ready());
    const vin = freshVin();
    await late.addLabel(newLabel(vin), pdfOf(vin));
    assert.ok((await late.find(vin)).label);
    await retryUntilAvailable(() => late.coordination!.redis.run((client) => client.ping()));
    await late.close();
  });

  /** How many instances did the work at the same time. */
  async function countConcurrentRuns(...stores: Store[]): Promise<number> {
    await retryUntilAvailable(() =>
      otherStore.coordination!.redis.runWithLongTimeout((client) => client.ping()),
    );
    let maxRunning = 0;
    let running = 0;
    await Promise.all(
      stores.map((proxy) =>
        proxy.coordination!.singleFlight.once('agreed', async () => {
          maxRunning = Math.max(maxRunning, ++running);
          await new Promise((resolve) => setTimeout(resolve, 50));
          running--;
        }),
      ),
    );
    return maxRunning;
  }
}
