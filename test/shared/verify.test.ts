import assert from 'node:assert/strict';
import { beforeEach, test, type TestContext } from 'node:test';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { openBucket } from '../../src/store/shared/bucket.ts';
import { newLabel, pdfOf } from '../../src/store/testing.ts';
import { admin, temporaryFolder } from '../operator.ts';
import { s3Proxy } from './s3-proxy.ts';
import { startSuite } from './servers.ts';
import { pdfName } from '../../src/store/label-bytes.ts';

/** `admin verify --repair` with a bucket that wrongly reports objects as missing. */

const servers = await startSuite('admin verify --repair');
if (servers) {
  const proxy = await s3Proxy(servers.s3.port);
  servers.defer(() => proxy.stop());
  const direct = await servers.env('verify');
  const service = await servers.service({ ...direct, SOURCES_OFF: 'ford' });
  const { store } = service.runtime;
  const bucket = openBucket(direct.S3_URL);
  const repair = (t: TestContext, S3_URL = servers.s3Url(proxy.port)) =>
    admin(t, { ...direct, S3_URL, DATA_DIR: temporaryFolder(t) }, 'verify', '--repair');
  beforeEach(() => {
    proxy.hides = () => false;
    proxy.deleted = [];
  });

  const vins = ['1FTFW1E80PFA00001', '1FTFW1E80PFA00002', '1FTFW1E80PFA00003', '1FTFW1E80PFA00004'];
  const stored = await Promise.all(vins.map((vin) => store.addLabel(newLabel(vin), pdfOf(vin))));

  async function assertAllServed(): Promise<void> {
    for (const { vin, bytes } of stored) {
      const { windowSticker } = await service.json<VinResponse>(`/api/v1/vin/${vin}`);
      assert.deepEqual([windowSticker.available, windowSticker.bytes], [true, bytes], vin);
      assert.equal((await service.get(`/api/sticker/${vin}`)).status, 200);
    }
  }

  void test('objects missing at first are checked again: nothing is marked or deleted', async (t) => {
    const hidden = new Set<string>();
    proxy.hides = (method, key) =>
      method === 'GET' && key.startsWith('labels/') && !hidden.has(key) && !!hidden.add(key);
    const result = await repair(t);
    assert.equal(result.code, 0, result.out + result.err);
    assert.match(result.out, /^4 labels are intact, 0 are not\.$/m);
    assert.equal(hidden.size, 4);
    assert.deepEqual(proxy.deleted, []);
    assert.ok((await store.labels(null, 10)).every((label) => !label.damaged));
    await assertAllServed();
  });

  void test('contradictory responses of the bucket change nothing', async (t) => {
    proxy.hides = (method, key) => method !== 'LIST' && key.startsWith('labels/');
    const result = await repair(t);
    assert.equal(result.code, 1);
    assert.match(result.out, /checks disagree/);
    assert.deepEqual(proxy.deleted, []);
    assert.ok((await store.labels(null, 10)).every((label) => !label.damaged));
    await assertAllServed();
  });

  void test('if the bucket hides everything, rows and objects stay, and labels are served once they reappear', async (t) => {
    proxy.hides = (method, key) => method !== 'PUT' && key !== '';
    const result = await repair(t);
    assert.equal(result.code, 0, result.out + result.err);
    assert.match(result.out, /the bytes are missing; the next lookup fetches it again/);
    assert.deepEqual(proxy.deleted, []);
    for (const label of stored) assert.equal(await bucket.size(pdfName(label)), label.bytes);
    await assertAllServed();
    for (const label of stored) assert.deepEqual((await store.find(label.vin)).label, label);
    assert.deepEqual(await store.labels(null, 10), stored, 'no label is marked as damaged');
  });

  void test('a lost label of a source that is off is 503, never "none"', async (t) => {
    const [lost] = stored as [(typeof stored)[0]];
    await bucket.remove(pdfName(lost));
    const result = await repair(t, direct.S3_URL);
    assert.equal(result.code, 0, result.out + result.err);
    const other = await servers.service({ ...direct, SOURCES_OFF: 'ford' });
    const { windowSticker } = await other.json<VinResponse>(`/api/v1/vin/${lost.vin}`);
    assert.equal(windowSticker.available, null);
    assert.equal((await other.get(`/api/sticker/${lost.vin}`)).status, 503);
    assert.equal((await store.labels(null, 10)).length, 4, 'its row is kept');
    await store.addLabel(newLabel(lost.vin), pdfOf(lost.vin));
    assert.equal((await other.json<VinResponse>(`/api/v1/vin/${lost.vin}`)).windowSticker.available, true);
  });
}
