import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/testing.ts';
import type { Store } from '../../src/store/store.ts';
import { startServers, withoutServers } from './servers.ts';

/** Objects that killed instances leave in the bucket, and when they may be removed. */

/** A minute from now, so that every object is old enough. */
const ANY_AGE = -60_000;

const skip = withoutServers();
if (skip) void test('leftover objects in the bucket', { skip });
else {
  const servers = await startServers();
  const root = mkdtempSync(join(tmpdir(), 'monroney-reconcile-'));
  const bucket = openBucket(servers.s3Url());
  const stores: Store[] = [];
  let folders = 0;
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await servers.stop();
    rmSync(root, { recursive: true });
  });
  async function open(databaseUrl: string, s3Url = servers.s3Url()): Promise<Store> {
    const dataDir = join(root, String(++folders));
    const store = await openStore({
      dataDir,
      databaseUrl,
      redisUrl: servers.redisUrl(),
      s3Url,
      log: silentLog,
    });
    stores.push(store);
    return store;
  }
  const databaseUrl = await servers.database('reconcile');
  const store = await open(databaseUrl);
  const { reconcile } = store.coordination!;

  /** An object without a row: intact (its row may be lost) or damaged. */
  async function addOrphan(to = bucket, isIntact = true): Promise<string> {
    const pdf = pdfOf(freshVin());
    const sha256 = sha256Of(pdf);
    const stored = isIntact ? pdf : pdf.subarray(0, 100);
    await to.put(`labels/${sha256}.pdf`, stored, sha256Of(stored), 'application/pdf');
    await to.put(`previews/${sha256}-640.webp`, pdf, sha256, 'image/webp');
    return `labels/${sha256}.pdf`;
  }

  void test('damaged objects without a row are removed once they are old enough; stored and intact ones never', async () => {
    const vin = freshVin();
    const label = await store.addLabel(newLabel(vin), pdfOf(vin));
    const orphan = await addOrphan(bucket, false);
    const intact = await addOrphan();
    assert.equal((await reconcile({ repair: true })).orphans, 0, 'an instance may still be storing it');
    assert.notEqual(await bucket.size(orphan), null);
    const preview = await reconcile({ repair: false, olderThanMs: ANY_AGE });
    assert.deepEqual([preview.orphans, preview.removed], [4, 0]);
    assert.notEqual(await bucket.size(orphan), null);
    assert.equal(
      (await reconcile({ repair: true, olderThanMs: ANY_AGE })).removed,
      3,
      'two previews and the damaged object',
    );
    assert.equal(await bucket.size(orphan), null);
    assert.equal(await bucket.size(`labels/${label.sha256}.pdf`), label.bytes);
    assert.equal((await reconcile({ repair: true, olderThanMs: ANY_AGE })).orphans, 1);
    assert.notEqual(await bucket.size(intact), null);
  });

  void test('a missing or outdated copy of a row is written again', async () => {
    const vin = freshVin();
    const label = await store.addLabel(newLabel(vin), pdfOf(vin));
    const key = `rows/${vin}.json`;
    const copy = await bucket.get(key);
    await bucket.remove(key);
    assert.equal((await reconcile({ repair: true })).wrongCopies, 1);
    assert.deepEqual(JSON.parse((await bucket.get(key)).toString()), label);
    const wrong = Buffer.from(JSON.stringify({ ...label, sha256: '0'.repeat(64) }));
    await bucket.put(key, wrong, sha256Of(wrong), 'application/json');
    assert.equal((await reconcile({ repair: true })).wrongCopies, 1);
    assert.ok(copy.equals(await bucket.get(key)));
    assert.equal((await reconcile({ repair: false })).wrongCopies, 0);
  });

  void test('labels stored while bucket and database are reconciled are intact', async () => {
    const other = await open(databaseUrl);
    const stopping = new AbortController();
    let runs = 0;
    const reconciler = (async () => {
      while (!stopping.signal.aborted) {
        await reconcile({ repair: true, olderThanMs: ANY_AGE });
        runs++;
      }
    })();
    const storedByLane = await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        const labels = [];
        for (let n = 0; n < 15; n++) {
          const vin = freshVin();
          labels.push(await [store, other][lane % 2]!.keep(newLabel(vin), pdfOf(vin)));
        }
        return labels;
      }),
    );
    stopping.abort();
    await reconciler;
    const all = storedByLane.flat();
    assert.ok(all.length === 120 && runs > 0, `${all.length} kept, ${runs} runs`);
    for (const { sha256, bytes } of all) assert.equal(await bucket.size(`labels/${sha256}.pdf`), bytes);
  });

  void test('a database restored from an older backup gets its missing rows from the bucket', async () => {
    const rows = await store.labels(null, 1000);
    assert.ok(rows.length > 3);
    const older = await open(await servers.database('older'));
    const lost = rows[0]!;
    await bucket.remove(`labels/${lost.sha256}.pdf`);
    const result = await older.coordination!.reconcile({ repair: true, olderThanMs: ANY_AGE });
    assert.equal(result.restored, rows.length - 1);
    assert.deepEqual(await older.labels(null, 1000), rows.slice(1));
    assert.equal((await older.counts()).labels, rows.length - 1);
    assert.ok(await bucket.get(`rows/${lost.vin}.json`), 'its bytes may come back');
  });

  void test('nothing is removed if the database lacks most objects, because it is probably the wrong one', async () => {
    const s3Url = servers.s3Url(undefined, 'spare');
    const spare = openBucket(s3Url);
    const wrong = await open(await servers.database('wrong'), s3Url);
    const keys = [];
    for (let n = 0; n < 17; n++) keys.push(await addOrphan(spare));
    const result = await wrong.coordination!.reconcile({ repair: true, olderThanMs: ANY_AGE });
    assert.deepEqual([result.orphans, result.removed, result.isPlausible], [34, 0, false]);
    for (const key of keys) assert.notEqual(await spare.size(key), null);
  });
}
