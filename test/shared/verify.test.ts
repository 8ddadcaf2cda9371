import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { openStore } from '../../src/store/index.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { newLabel, pdfOf, sha256Of } from '../../src/store/store-contract.ts';
import { silentLog } from '../../src/lib/log.ts';
import { admin, folder } from '../operator.ts';
import { startService } from '../service.ts';
import { s3Proxy } from './s3-proxy.ts';
import { startServers, withoutServers } from './servers.ts';

/** `admin verify --repair` against a bucket that is wrong about what it has. */

const skip = withoutServers();
if (skip) void test('a repair deletes no label', { skip });
else {
  const servers = await startServers();
  const proxy = await s3Proxy(servers.s3.port);
  const databaseUrl = await servers.database('verify');
  const direct = { DATABASE_URL: databaseUrl, REDIS_URL: servers.redisUrl(), S3_URL: servers.s3Url() };
  const throughProxy = { ...direct, S3_URL: servers.s3Url(proxy.port) };
  const service = await startService({ ...direct, SOURCES_OFF: 'ford' });
  const { store } = service.runtime;
  const bucket = openBucket(direct.S3_URL);
  after(async () => {
    await service.close();
    await proxy.stop();
    await servers.stop();
  });
  beforeEach(() => {
    proxy.hides = () => false;
    proxy.deleted = [];
  });

  const vins = ['1FTFW1E80PFA00001', '1FTFW1E80PFA00002', '1FTFW1E80PFA00003', '1FTFW1E80PFA00004'];
  const kept = await Promise.all(vins.map((vin) => store.keep(newLabel(vin), pdfOf(vin))));
  const keyOf = ({ sha256 }: { sha256: string }) => `labels/${sha256}.pdf`;

  async function allServed(): Promise<void> {
    for (const { vin, bytes } of kept) {
      const { windowSticker } = await service.json<VinResponse>(`/api/v1/vin/${vin}`);
      assert.deepEqual([windowSticker.available, windowSticker.bytes], [true, bytes], vin);
      assert.equal((await service.get(`/api/sticker/${vin}`)).status, 200);
    }
  }

  void test('objects that are missing once are looked for again: nothing is marked, nothing deleted', async (t) => {
    const lied = new Set<string>();
    proxy.hides = (method, key) =>
      method === 'GET' && key.startsWith('labels/') && !lied.has(key) && !!lied.add(key);
    const ended = await admin(t, { ...throughProxy, DATA_DIR: folder(t) }, 'verify', '--repair');
    assert.equal(ended.code, 0, ended.out + ended.err);
    assert.match(ended.out, /^4 labels are whole, 0 are not\.$/m);
    assert.equal(lied.size, 4);
    assert.deepEqual(proxy.deleted, []);
    assert.ok((await store.labels(null, 10)).every((label) => !label.damaged));
    await allServed();
  });

  void test('a bucket that contradicts itself is not believed', async (t) => {
    proxy.hides = (method, key) => method !== 'LIST' && key.startsWith('labels/');
    const ended = await admin(t, { ...throughProxy, DATA_DIR: folder(t) }, 'verify', '--repair');
    assert.equal(ended.code, 1);
    assert.match(ended.out, /contradictory answers/);
    assert.deepEqual(proxy.deleted, []);
    assert.ok((await store.labels(null, 10)).every((label) => !label.damaged));
    await allServed();
  });

  void test('a bucket that hides everything all the time: rows and objects stay, and labels are served when they are back', async (t) => {
    proxy.hides = (method, key) => method !== 'PUT' && key !== '';
    const ended = await admin(t, { ...throughProxy, DATA_DIR: folder(t) }, 'verify', '--repair');
    assert.equal(ended.code, 0, ended.out + ended.err);
    assert.match(ended.out, /the bytes are missing; the next lookup fetches it again/);
    assert.deepEqual(proxy.deleted, []);
    assert.ok((await store.labels(null, 10)).every((label) => label.damaged));
    for (const label of kept) assert.equal(await bucket.size(keyOf(label)), label.bytes);
    await allServed();
    for (const label of kept) assert.deepEqual(await store.label(label.vin), label);
    assert.deepEqual(await store.labels(null, 10), kept, 'the marks are gone');
  });

  void test('a label that is really lost, at a source that is off: 503, never "none"', async (t) => {
    const [lost] = kept as [(typeof kept)[0]];
    await bucket.remove(keyOf(lost));
    const ended = await admin(t, { ...direct, DATA_DIR: folder(t) }, 'verify', '--repair');
    assert.equal(ended.code, 0, ended.out + ended.err);
    const other = await startService({ ...direct, SOURCES_OFF: 'ford' });
    t.after(() => other.close());
    const { windowSticker } = await other.json<VinResponse>(`/api/v1/vin/${lost.vin}`);
    assert.equal(windowSticker.available, null);
    assert.equal((await other.get(`/api/sticker/${lost.vin}`)).status, 503);
    assert.equal((await store.labels(null, 10)).length, 4, 'its row is kept');
    await store.keep(newLabel(lost.vin), pdfOf(lost.vin));
    assert.equal((await other.json<VinResponse>(`/api/v1/vin/${lost.vin}`)).windowSticker.available, true);
  });

  void test('wrong bytes are marked and left; the same label kept again replaces them', async (t) => {
    const [, wrong] = kept as [(typeof kept)[0], (typeof kept)[0]];
    const admins = await openStore({
      dataDir: folder(t),
      databaseUrl,
      redisUrl: direct.REDIS_URL,
      s3Url: direct.S3_URL,
      log: silentLog,
    });
    t.after(() => admins.close());
    const whole = await bucket.get(keyOf(wrong));
    const harmed = Buffer.from(whole);
    harmed[100]! ^= 1;
    await bucket.put(keyOf(wrong), harmed, sha256Of(harmed), 'application/pdf');
    const ended = await admin(t, { ...throughProxy, DATA_DIR: folder(t) }, 'verify', '--repair');
    assert.match(
      ended.out,
      new RegExp(`${wrong.vin} .*the bytes have changed; the next lookup fetches it again`),
    );
    assert.deepEqual(proxy.deleted, []);
    assert.equal((await admins.label(wrong.vin))?.damaged, true);
    assert.equal((await admins.keep(newLabel(wrong.vin), whole)).sha256, wrong.sha256);
    assert.equal((await admins.label(wrong.vin))?.damaged, undefined);
    assert.ok(whole.equals(await bucket.get(keyOf(wrong))));
  });
}
