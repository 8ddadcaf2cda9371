import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { silentLog } from '../../src/lib/log.ts';
import { copyStore } from '../../src/store/copy.ts';
import { openStore } from '../../src/store/index.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { migrate } from '../../src/store/shared/migrations.ts';
import { openShared } from '../../src/store/shared/open.ts';
import type { HeldLabel } from '../../src/store/store.ts';
import { storeContract } from '../../src/store/store-contract.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/testing.ts';
import { startServers, withoutServers } from './servers.ts';

const skip = withoutServers();
if (skip) void test('the shared store', { skip });
else {
  const root = mkdtempSync(join(tmpdir(), 'monroney-shared-'));
  const servers = await startServers();
  let databases = 0;
  after(async () => {
    await servers.stop();
    rmSync(root, { recursive: true });
  });

  const newUrls = async () => ({
    databaseUrl: await servers.database(`store_${++databases}`),
    redisUrl: servers.redisUrl(),
    s3Url: servers.s3Url(),
    log: silentLog,
  });
  let folders = 0;
  const newFolder = () => join(root, String(++folders));

  storeContract('shared store', async () => {
    const shared = await newUrls();
    const open = () => openStore({ ...shared, dataDir: newFolder() });
    const opened = {
      store: await open(),
      reopen: open,
      deleteBytes: async (sha256: string) => {
        await openBucket(shared.s3Url).remove(`labels/${sha256}.pdf`);
        rmSync(join(root, String(folders), 'cache', `${sha256}.pdf`));
      },
      cleanUp: () => opened.store.close(),
    };
    return opened;
  });

  void test('eight instances that start at once migrate an empty database once', async () => {
    const { databaseUrl } = await newUrls();
    const results = await Promise.all(Array.from({ length: 8 }, () => migrate(databaseUrl, silentLog)));
    assert.equal(results.filter(({ from }) => from === 0).length, 1);
    assert.equal(new Set(results.map(({ to }) => to)).size, 1);
  });

  void test('a wrong bucket, key or database is an error at startup', async () => {
    const shared = await newUrls();
    const open = (wrong: Partial<typeof shared>) => openStore({ ...shared, ...wrong, dataDir: newFolder() });
    await assert.rejects(
      open({ s3Url: shared.s3Url.replace('/labels', '/nowhere') }),
      /S3_URL: there is no bucket "nowhere"/,
    );
    await assert.rejects(
      open({ s3Url: shared.s3Url.replace(':S3RVER@', ':wrong@') }),
      /S3_URL: .* refuses the bucket "labels" \(SignatureDoesNotMatch\)/,
    );
    await assert.rejects(open({ databaseUrl: servers.databaseUrl('nowhere') }), /does not exist/);
  });

  void test('one URL without the others is an error', async () => {
    const { databaseUrl } = await newUrls();
    await assert.rejects(openStore({ dataDir: newFolder(), databaseUrl, log: silentLog }), /together/);
  });

  void test('instances serve the labels of the others, and agree on one label if two store it at once', async () => {
    const shared = await newUrls();
    const stores = await Promise.all([1, 2].map(() => openStore({ ...shared, dataDir: newFolder() })));
    const vin = freshVin();
    const labels = await Promise.all(
      Array.from({ length: 8 }, (_, n) => stores[n % 2]!.keep(newLabel(vin), pdfOf(vin))),
    );
    assert.equal(new Set(labels.map((label) => label.sha256)).size, 1);
    for (const store of stores) assert.equal(sha256Of(await store.pdf(labels[0]!.sha256)), labels[0]!.sha256);
    await stores[0]!.setSwitch({ source: 'kia', state: 'off', reason: null, since: 1 });
    assert.equal((await stores[1]!.switches())[0]?.state, 'off');
    for (const store of stores) await store.close();
  });

  void test('the disk cache stays within its size limit and is reused after a restart', async () => {
    const shared = await newUrls();
    const dataDir = newFolder();
    const store = await openShared({ ...shared, dataDir, cacheBytes: 500_000 });
    const labels: HeldLabel[] = [];
    for (let n = 0; n < 10; n++) {
      const vin = freshVin();
      labels.push(await store.keep(newLabel(vin), pdfOf(vin, 100_000)));
    }
    await store.close();
    const reopened = await openShared({ ...shared, s3Url: servers.s3Url(1), dataDir, cacheBytes: 500_000 });
    const cached = await Promise.all(
      labels.map(({ sha256 }) => reopened.pdf(sha256).then(sha256Of, () => null)),
    );
    assert.equal(cached.filter((sha256) => sha256 !== null).length, 4);
    cached.forEach((sha256, n) => assert.ok(sha256 === null || sha256 === labels[n]!.sha256));
    await reopened.close();
  });

  void test('bytes that do not match their SHA-256 are never served', async () => {
    const shared = await newUrls();
    const bucket = openBucket(shared.s3Url);
    const promised = sha256Of(Buffer.from('promised'));
    const bytes = Buffer.from('damaged');
    await bucket.put(`labels/${promised}.pdf`, bytes, sha256Of(bytes), 'application/pdf');
    const store = await openStore({ ...shared, dataDir: newFolder() });
    await assert.rejects(store.pdf(promised), /corrupted/);
    await store.close();
  });

  void test('a withdrawal survives restoring an older backup of the database or the bucket', async (t) => {
    const shared = await newUrls();
    const [vin, other] = [freshVin(), freshVin()];
    const bucket = openBucket(shared.s3Url);
    const first = await openStore({ ...shared, dataDir: newFolder() });
    t.after(() => first.close());
    const pdf = pdfOf(vin);
    const label = await first.keep(newLabel(vin), pdf);
    await first.keep(newLabel(other), pdfOf(other));
    const copy = await bucket.get(`rows/${vin}.json`);
    await first.withdraw({ vin, reason: 'asked for', at: 3 });

    // First the bucket has the label and the copy of its row again, then the database lacks the withdrawal, too.
    const putBack = async () => {
      await bucket.put(`labels/${label.sha256}.pdf`, pdf, label.sha256, 'application/pdf');
      await bucket.put(`rows/${vin}.json`, copy, sha256Of(copy), 'application/json');
    };
    await putBack();
    // Other tests put withdrawals in the same bucket.
    assert.ok((await first.rebuild(() => {})).withdrawn >= 1);
    assert.equal(await bucket.size(`labels/${label.sha256}.pdf`), null);
    assert.equal(await bucket.size(`rows/${vin}.json`), null);

    await putBack();
    const client = new pg.Client({ connectionString: shared.databaseUrl });
    await client.connect();
    await client.query('DELETE FROM withdrawn');
    await client.end();
    const second = await openStore({ ...shared, dataDir: newFolder() });
    t.after(() => second.close());
    assert.ok((await second.rebuild(() => {})).withdrawn >= 1);
    for (const store of [first, second]) {
      assert.equal(await store.label(vin), null);
      assert.equal((await store.withdrawal(vin))?.reason, 'asked for');
      assert.ok(await store.label(other));
    }
    assert.equal(await bucket.size(`labels/${label.sha256}.pdf`), null);
  });

  void test('an embedded store moves into the shared one and back, byte for byte', async () => {
    const from = await openStore({ dataDir: newFolder(), log: silentLog });
    const shared = await openStore({ ...(await newUrls()), dataDir: newFolder() });
    const back = await openStore({ dataDir: newFolder(), log: silentLog });
    const vins = Array.from({ length: 40 }, freshVin);
    for (const vin of vins) await from.keep(newLabel(vin), pdfOf(vin));
    await from.contacts.add([{ contact: 'a.example', day: '2026-11-15', route: '/mcp', count: 3 }]);
    assert.equal((await copyStore(from, shared)).copied, 40);
    assert.equal((await copyStore(from, shared)).present, 40);
    assert.equal((await copyStore(shared, back)).copied, 40);
    assert.deepEqual(await back.labels(null, 100), await from.labels(null, 100));
    for (const { sha256 } of await back.labels(null, 100))
      assert.equal(sha256Of(await back.pdf(sha256)), sha256);
    assert.deepEqual(await back.contacts.uses('0'), await from.contacts.uses('0'));
    for (const store of [from, shared, back]) await store.close();
  });
}
