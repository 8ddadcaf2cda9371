import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { openStore } from '../../src/store/index.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/testing.ts';
import { LabelCorrupted, StoreUnavailable } from '../../src/store/store.ts';
import { startService } from '../service.ts';
import { startServers, withoutServers } from './servers.ts';
import { s3Proxy } from './s3-proxy.ts';

/** Labels damaged during upload, during download, and in the bucket. */

const skip = withoutServers();
if (skip) void test('damaged labels', { skip });
else {
  const servers = await startServers();
  const root = mkdtempSync(join(tmpdir(), 'monroney-damaged-'));
  const proxy = await s3Proxy(servers.s3.port);
  const databaseUrl = await servers.database('damaged');
  const open = (folder: string, port: number) =>
    openStore({
      dataDir: join(root, folder),
      databaseUrl,
      redisUrl: servers.redisUrl(),
      s3Url: servers.s3Url(port),
      log: silentLog,
    });
  /** The store under test uses the bucket through the proxy, the other one directly. */
  const store = await open('one', proxy.port);
  const direct = await open('two', servers.s3.port);
  after(async () => {
    await Promise.all([store.close(), direct.close()]);
    await proxy.stop();
    await servers.stop();
    rmSync(root, { recursive: true });
  });
  beforeEach(() => {
    proxy.damage = 'nothing';
    proxy.checksHashes = false;
  });

  for (const checksHashes of [false, true]) {
    const server = checksHashes ? 'rejects' : 'accepts';
    void test(`an upload damaged in transit never becomes a stored label in a bucket that ${server} it`, async () => {
      const vin = freshVin();
      const pdf = pdfOf(vin);
      proxy.damage = 'up';
      proxy.checksHashes = checksHashes;
      const refusedBefore = proxy.refused;
      await assert.rejects(store.addLabel(newLabel(vin), pdf), StoreUnavailable);
      // Often enough to open a breaker that counted these: the bucket responds, so it must not.
      await assert.rejects(store.addLabel(newLabel(vin), pdf), StoreUnavailable);
      assert.equal(proxy.refused > refusedBefore, checksHashes);
      assert.equal((await store.find(vin)).label, null);
      assert.equal((await direct.find(vin)).label, null);
      proxy.damage = 'nothing';
      const stored = await store.addLabel(newLabel(vin), pdf);
      assert.ok(pdf.equals(await direct.pdf(stored)));
    });
  }

  void test('a damaged upload is sent again, so the source gets no second request', async () => {
    for (const checksHashes of [false, true]) {
      const vin = freshVin();
      const pdf = pdfOf(vin);
      proxy.damage = 'up-once';
      proxy.checksHashes = checksHashes;
      const stored = await store.addLabel(newLabel(vin), pdf);
      assert.ok(pdf.equals(await direct.pdf(stored)));
    }
  });

  void test('a label damaged during download is read again', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const label = await direct.addLabel(newLabel(vin), pdf);
    proxy.damage = 'down-once';
    assert.ok(pdf.equals(await store.pdf(label)));
    assert.equal(proxy.damage, 'nothing', 'it was damaged the first time');
  });

  void test('a label that arrives damaged every time is a store error: not served, not discarded', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const label = await direct.addLabel(newLabel(vin), pdf);
    proxy.damage = 'down';
    await assert.rejects(store.pdf(label), LabelCorrupted);
    proxy.damage = 'nothing';
    assert.ok(pdf.equals(await store.pdf(label)));
    assert.deepEqual((await store.find(vin)).label, label);
  });

  void test('the service returns 503 for a damaged label, and the label once it is intact', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    await direct.addLabel(newLabel(vin), pdf);
    const service = await startService({
      DATABASE_URL: databaseUrl,
      REDIS_URL: servers.redisUrl(),
      S3_URL: servers.s3Url(proxy.port),
      SOURCES_OFF: 'ford',
    });
    try {
      proxy.damage = 'down';
      const refused = await service.get(`/api/sticker/${vin}`);
      assert.equal(refused.status, 503);
      assert.ok(refused.headers.has('retry-after'));
      assert.equal(
        (await service.get(`/api/sticker/${vin}`, { headers: { range: 'bytes=0-9' } })).status,
        503,
      );
      const { windowSticker } = await service.json<VinResponse>(`/api/v1/vin/${vin}`);
      assert.equal(windowSticker.available, null, 'unknown, not "none"');
      proxy.damage = 'nothing';
      const served = await service.get(`/api/sticker/${vin}`);
      assert.ok(pdf.equals(Buffer.from(await served.arrayBuffer())));
    } finally {
      await service.close();
    }
  });

  void test('a streamed label is cut short if it is damaged', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin, 900_000);
    const label = await direct.addLabel(newLabel(vin), pdf);
    const received = async () => {
      const chunks: Buffer[] = [];
      const stream = await store.pdfStream(label, 0, pdf.length - 1);
      const error = await (async () => {
        for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
        return null;
      })().catch((thrown: unknown) => thrown);
      return { bytes: Buffer.concat(chunks), error };
    };
    proxy.damage = 'down';
    const damaged = await received();
    assert.ok(damaged.error instanceof LabelCorrupted);
    assert.ok(damaged.bytes.length < pdf.length);
    proxy.damage = 'nothing';
    const intact = await received();
    assert.equal(intact.error, null);
    assert.equal(sha256Of(intact.bytes), label.sha256);
  });
}
