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
  const far = await open('two');
  after(async () => {
    await Promise.all([store.close(), far.close()]);
    await stop();
    await servers.stop();
    rmSync(root, { recursive: true });
  });

  /** A label in the cache of `store`, and one in the cache of `far`. */
  async function twoLabels() {
    const [near, away] = [freshVin(), freshVin()];
    const nearPdf = pdfOf(near);
    const awayPdf = pdfOf(away);
    const held = await store.keep(newLabel(near), nearPdf);
    const heldAway = await far.keep(newLabel(away), awayPdf);
    return { held, nearPdf, heldAway, awayPdf };
  }

  /** Tries for up to 15 seconds: recovery must not need a restart. */
  async function recovers(works: () => Promise<unknown>): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        await works();
        return;
      } catch (error) {
        if (tries === 75 || !(error instanceof StoreUnavailable)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  const unavailable = (work: () => unknown) => assert.rejects(async () => await work(), StoreUnavailable);
  const missOf = (vin: string) => {
    const at = Date.now();
    return { vin, source: 'ford', kind: 'none', why: 'not-released', at, until: at + 60_000 } as const;
  };

  for (const fault of FAULTS) {
    void test(`PostgreSQL: ${fault}. Stored labels are served, others are unknown, never none; it recovers`, async () => {
      const { held, nearPdf, heldAway, awayPdf } = await twoLabels();
      await postgres.set(fault);
      assert.deepEqual(await store.label(held.vin), held);
      assert.deepEqual(await store.label(heldAway.vin), heldAway);
      await unavailable(() => store.label(freshVin()));
      await unavailable(() => store.miss(held.vin));
      await unavailable(() => store.keepMiss(missOf(freshVin())));
      await unavailable(() => store.ready());
      const vin = freshVin();
      const pdf = pdfOf(vin);
      await unavailable(() => store.keep(newLabel(vin), pdf));
      await store.countSourceRequest('ford', Date.now(), 'label', 5);
      assert.ok(nearPdf.equals(await store.pdf(held.sha256)));
      assert.ok(awayPdf.equals(await store.pdf(heldAway.sha256)));
      await postgres.set('pass');
      await recovers(async () => store.ready());
      assert.deepEqual(await store.label(held.vin), held);
      assert.equal(await store.label(vin), null);
      await store.keep(newLabel(vin), pdf);
      assert.ok(await far.label(vin));
    });

    void test(`S3: ${fault}. Rows and cached labels are served, other PDFs are unavailable, never gone; it recovers`, async () => {
      const { held, nearPdf, heldAway, awayPdf } = await twoLabels();
      await s3.set(fault);
      assert.deepEqual(await store.label(heldAway.vin), heldAway);
      assert.ok(nearPdf.equals(await store.pdf(held.sha256)));
      await unavailable(() => store.pdf(heldAway.sha256));
      await unavailable(() => store.pdfStream(heldAway.sha256, 0, 100));
      await unavailable(() => store.ready());
      const vin = freshVin();
      await unavailable(() => store.keep(newLabel(vin), pdfOf(vin)));
      assert.equal(await store.label(vin), null);
      await s3.set('pass');
      await recovers(async () => store.ready());
      assert.ok(awayPdf.equals(await store.pdf(heldAway.sha256)));
      await store.keep(newLabel(vin), pdfOf(vin));
    });

    void test(`Redis: ${fault}. Only the coordination between instances is missing; it recovers`, async () => {
      const { held, nearPdf } = await twoLabels();
      await redis.set(fault);
      assert.deepEqual(await store.label(held.vin), held);
      assert.ok(nearPdf.equals(await store.pdf(held.sha256)));
      await store.ready();
      const works = await Promise.all(
        Array.from({ length: 5 }, () => store.coordination!.singleFlight.once('faulty', async () => ({}))),
      );
      assert.equal(new Set(works).size, 1, 'one instance still sends one request');
      await redis.set('pass');
      await recovers(() => store.coordination!.redis.runWithLongTimeout((client) => client.ping()));
      assert.equal(await agree(store, far), 1);
    });
  }

  void test('an instance that starts while all servers are down becomes ready when they are back', async () => {
    await servers.database('late');
    await Promise.all([postgres, redis, s3].map((each) => each.set('refuse')));
    const late = await openStore({
      dataDir: join(root, 'late'),
      databaseUrl: servers.databaseUrl('late', postgres.port),
      redisUrl: servers.redisUrl(redis.port),
      s3Url: servers.s3Url(s3.port),
      log: silentLog,
    });
    await unavailable(() => late.ready());
    await unavailable(() => late.label(freshVin()));
    await Promise.all([postgres, redis, s3].map((each) => each.set('pass')));
    await recovers(() => late.ready());
    const vin = freshVin();
    await late.keep(newLabel(vin), pdfOf(vin));
    assert.ok(await late.label(vin));
    await recovers(() => late.coordination!.redis.run((client) => client.ping()));
    await late.close();
  });

  /** How many instances did the work at the same time. */
  async function agree(...stores: Store[]): Promise<number> {
    await recovers(() => far.coordination!.redis.runWithLongTimeout((client) => client.ping()));
    let maxRunning = 0;
    let running = 0;
    await Promise.all(
      stores.map((each) =>
        each.coordination!.singleFlight.once('agreed', async () => {
          maxRunning = Math.max(maxRunning, ++running);
          await new Promise((resolve) => setTimeout(resolve, 50));
          running--;
        }),
      ),
    );
    return maxRunning;
  }
}
