import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { pdfName, rowName } from '../../src/store/label-bytes.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import type { Store } from '../../src/store/store.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/testing.ts';
import { startServers, withoutServers } from './servers.ts';

/** `rebuild` on a bucket that several instances and databases use. */

const skip = withoutServers();
if (skip) void test('rebuilding the shared store', { skip });
else {
  const servers = await startServers();
  const bucket = openBucket(servers.s3Url());
  const stores: Store[] = [];
  after(async () => {
    await Promise.all(stores.map((store) => store.close()));
    await servers.stop();
  });
  async function open(databaseUrl: string): Promise<Store> {
    const urls = { databaseUrl, redisUrl: servers.redisUrl(), s3Url: servers.s3Url() };
    const store = await openStore({ ...urls, dataDir: '', log: silentLog });
    stores.push(store);
    return store;
  }
  const databaseUrl = await servers.database('rebuild');
  const store = await open(databaseUrl);

  void test('a missing file beside a label is written again, and a PDF that nothing describes stays', async () => {
    const vin = freshVin();
    const label = await store.addLabel(newLabel(vin), pdfOf(vin));
    await bucket.remove(rowName(vin));
    const pdf = pdfOf(freshVin());
    const unknown = pdfName({ vin: freshVin(), sha256: sha256Of(pdf) });
    await bucket.put(unknown, pdf, sha256Of(pdf), 'application/pdf');
    const rebuilt = await store.rebuild(() => {});
    assert.deepEqual([rebuilt.written, rebuilt.unknown], [1, 1]);
    assert.deepEqual(JSON.parse((await bucket.get(rowName(vin))).toString()), label);
    assert.equal(await bucket.size(unknown), pdf.length);
  });

  void test('labels stored while instances rebuild are intact', async () => {
    const other = await open(databaseUrl);
    const stopping = new AbortController();
    let runs = 0;
    const rebuilding = (async () => {
      while (!stopping.signal.aborted) {
        await store.rebuild(() => {});
        runs++;
      }
    })();
    const byLane = await Promise.all(
      Array.from({ length: 8 }, async (_, lane) => {
        const labels = [];
        for (let n = 0; n < 10; n++) {
          const vin = freshVin();
          labels.push(await [store, other][lane % 2]!.addLabel(newLabel(vin), pdfOf(vin)));
        }
        return labels;
      }),
    );
    stopping.abort();
    await rebuilding;
    assert.ok(runs > 0);
    for (const label of byLane.flat()) {
      assert.equal(await bucket.size(pdfName(label)), label.bytes);
      assert.deepEqual((await other.find(label.vin)).label, label);
    }
  });

  void test('an empty database gets all rows from the bucket, except those whose bytes are lost', async () => {
    const rows = await store.labels(null, 1000);
    const empty = await open(await servers.database('empty'));
    await bucket.remove(pdfName(rows[0]!));
    const { added, missing } = await empty.rebuild(() => {});
    assert.deepEqual([added, missing], [rows.length - 1, 1]);
    assert.deepEqual(await empty.labels(null, 1000), rows.slice(1));
    assert.ok(await bucket.get(rowName(rows[0]!.vin)), 'its bytes may come back');
  });
}
