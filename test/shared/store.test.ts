import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { createLog, silentLog } from '../../src/lib/log.ts';
import { copyStore } from '../../src/store/copy.ts';
import { openStore } from '../../src/store/index.ts';
import { pdfName, rowName } from '../../src/store/label-bytes.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { migrate } from '../../src/store/shared/migrations.ts';
import type { HeldLabel } from '../../src/store/store.ts';
import { storeContract } from '../../src/store/store-contract-tests.ts';
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

  async function query(connectionString: string, sql: string): Promise<void> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  }

  storeContract('shared store', async () => {
    const shared = await newUrls();
    const open = () => openStore({ ...shared, dataDir: newFolder() });
    const opened = {
      store: await open(),
      reopen: open,
      deleteBytes: (label: HeldLabel) => openBucket(shared.s3Url).remove(pdfName(label)),
      deleteRow: (vin: string) => query(shared.databaseUrl, `DELETE FROM vins WHERE vin = '${vin}'`),
      cleanUp: () => opened.store.close(),
    };
    return opened;
  });

  void test('eight instances that start at once migrate an empty database once', async () => {
    const { databaseUrl } = await newUrls();
    const lines: string[] = [];
    const log = createLog('info', (text) => lines.push(text));
    await Promise.all(Array.from({ length: 8 }, () => migrate(databaseUrl, log)));
    log.flush();
    assert.equal(lines.join('').match(/migrated the database/g)?.length, 1);
  });

  void test('a database of a version before 1.0 is refused and not changed', async () => {
    const { databaseUrl } = await newUrls();
    await query(
      databaseUrl,
      'CREATE TABLE schema_version (version integer); INSERT INTO schema_version VALUES (7)',
    );
    await assert.rejects(migrate(databaseUrl, silentLog), /a version before 1\.0 \(schema 7\)/);
    await assert.rejects(query(databaseUrl, 'SELECT FROM vins'), /does not exist/);
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
      Array.from({ length: 8 }, (_, n) => stores[n % 2]!.addLabel(newLabel(vin), pdfOf(vin))),
    );
    assert.equal(new Set(labels.map((label) => label.sha256)).size, 1);
    for (const store of stores) assert.equal(sha256Of(await store.pdf(labels[0]!)), labels[0]!.sha256);
    await stores[0]!.setSwitch({ source: 'kia', state: 'off', reason: null, since: 1 });
    assert.equal((await stores[1]!.switches())[0]?.state, 'off');
    for (const store of stores) await store.close();
  });

  void test('bytes that do not match their SHA-256 are never served', async () => {
    const shared = await newUrls();
    const bucket = openBucket(shared.s3Url);
    const store = await openStore({ ...shared, dataDir: newFolder() });
    const label = await store.addLabel(newLabel(freshVin()), Buffer.from('promised'));
    const bytes = Buffer.from('damaged!');
    await bucket.put(pdfName(label), bytes, sha256Of(bytes), 'application/pdf');
    await assert.rejects(store.pdf(label), /corrupted/);
    assert.equal(await store.checkBytes(label), 'corrupted');
    await assert.rejects(async () => {
      for await (const _ of await store.pdfStream(label, 0, label.bytes - 1));
    }, /corrupted/);
    await store.close();
  });

  void test('a withdrawal survives restoring an older backup of the database or the bucket', async (t) => {
    const shared = await newUrls();
    const [vin, other] = [freshVin(), freshVin()];
    const bucket = openBucket(shared.s3Url);
    const first = await openStore({ ...shared, dataDir: newFolder() });
    t.after(() => first.close());
    const pdf = pdfOf(vin);
    const label = await first.addLabel(newLabel(vin), pdf);
    await first.addLabel(newLabel(other), pdfOf(other));
    const copy = await bucket.get(rowName(vin));
    await first.withdraw({ vin, reason: 'asked for', at: 3 });

    // First the bucket has the label and the copy of its row again, then the database lacks the withdrawal, too.
    const putBack = async () => {
      await bucket.put(pdfName(label), pdf, label.sha256, 'application/pdf');
      await bucket.put(rowName(vin), copy, sha256Of(copy), 'application/json');
    };
    await putBack();
    // Other tests put withdrawals in the same bucket.
    assert.ok((await first.rebuild(() => {})).withdrawn >= 1);
    assert.equal(await bucket.size(pdfName(label)), null);
    assert.equal(await bucket.size(rowName(vin)), null);

    await putBack();
    await query(shared.databaseUrl, `DELETE FROM vins WHERE vin = '${vin}'`);
    const second = await openStore({ ...shared, dataDir: newFolder() });
    t.after(() => second.close());
    assert.ok((await second.rebuild(() => {})).withdrawn >= 1);
    for (const store of [first, second]) {
      const { label: reappeared, withdrawal } = await store.find(vin);
      assert.deepEqual([reappeared, withdrawal?.reason], [null, 'asked for']);
      assert.ok((await store.find(other)).label);
    }
    assert.equal(await bucket.size(pdfName(label)), null);
  });

  void test('an embedded store moves into the shared one and back, byte for byte', async () => {
    const from = await openStore({ dataDir: newFolder(), log: silentLog });
    const shared = await openStore({ ...(await newUrls()), dataDir: newFolder() });
    const back = await openStore({ dataDir: newFolder(), log: silentLog });
    const vins = Array.from({ length: 40 }, freshVin);
    for (const vin of vins) await from.addLabel(newLabel(vin), pdfOf(vin));
    await from.contacts.add([{ contact: 'a.example', day: '2026-11-15', route: '/mcp', count: 3 }]);
    assert.equal((await copyStore(from, shared)).copied, 40);
    assert.equal((await copyStore(from, shared)).present, 40);
    assert.equal((await copyStore(shared, back)).copied, 40);
    assert.deepEqual(await back.labels(null, 100), await from.labels(null, 100));
    for (const label of await back.labels(null, 100))
      assert.equal(sha256Of(await back.pdf(label)), label.sha256);
    assert.deepEqual(await back.contacts.uses('0'), await from.contacts.uses('0'));
    for (const store of [from, shared, back]) await store.close();
  });
}
