import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { openStore } from '../../src/store/index.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/store-contract.ts';
import { LabelCorrupted, StoreUnavailable } from '../../src/store/store.ts';
import { startService } from '../service.ts';
import { startServers, withoutServers } from './servers.ts';
import { s3Proxy } from './s3-proxy.ts';

/** Bytes harmed on their way to the bucket, on their way back, and where they lie. */

const skip = withoutServers();
if (skip) void test('harmed bytes', { skip });
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
  /** The store under test speaks to the bucket through the proxy, the other one does not. */
  const store = await open('one', proxy.port);
  const well = await open('two', servers.s3.port);
  after(async () => {
    await Promise.all([store.close(), well.close()]);
    await proxy.stop();
    await servers.stop();
    rmSync(root, { recursive: true });
  });
  beforeEach(() => {
    proxy.harm = 'nothing';
    proxy.compares = false;
  });

  for (const compares of [false, true]) {
    const server = compares ? 'refuses' : 'swallows';
    void test(`an upload harmed on its way never becomes a held label at a bucket that ${server} it`, async () => {
      const vin = freshVin();
      const pdf = pdfOf(vin);
      proxy.harm = 'up';
      proxy.compares = compares;
      const refusedBefore = proxy.refused;
      await assert.rejects(store.keep(newLabel(vin), pdf), StoreUnavailable);
      // Often enough to open a breaker that counted these: the bucket responds, so it must not.
      await assert.rejects(store.keep(newLabel(vin), pdf), StoreUnavailable);
      assert.equal(proxy.refused > refusedBefore, compares);
      assert.equal(await store.label(vin), null);
      assert.equal(await well.label(vin), null);
      proxy.harm = 'nothing';
      const kept = await store.keep(newLabel(vin), pdf);
      assert.ok(pdf.equals(await well.pdf(kept.sha256)));
    });
  }

  void test('an upload harmed once is sent again, so the source is not asked a second time', async () => {
    for (const compares of [false, true]) {
      const vin = freshVin();
      const pdf = pdfOf(vin);
      proxy.harm = 'up-once';
      proxy.compares = compares;
      const kept = await store.keep(newLabel(vin), pdf);
      assert.ok(pdf.equals(await well.pdf(kept.sha256)));
    }
  });

  void test('a label harmed on its way from the bucket is read once more', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const { sha256 } = await well.keep(newLabel(vin), pdf);
    proxy.harm = 'down-once';
    assert.ok(pdf.equals(await store.pdf(sha256)));
    assert.equal(proxy.harm, 'nothing', 'it was harmed the first time');
  });

  void test('a label that comes harmed every time is trouble of the store: not served, not cached, not let go of', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const { sha256 } = await well.keep(newLabel(vin), pdf);
    proxy.harm = 'down';
    await assert.rejects(store.pdf(sha256), LabelCorrupted);
    assert.ok(!readdirSync(join(root, 'one', 'cache')).includes(`${sha256}.pdf`));
    proxy.harm = 'nothing';
    assert.ok(pdf.equals(await store.pdf(sha256)));
    assert.equal((await store.label(vin))?.sha256, sha256);
  });

  void test('users of the service are told 503 for a label that comes harmed, and get it when it comes whole', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    await well.keep(newLabel(vin), pdf);
    const service = await startService({
      DATABASE_URL: databaseUrl,
      REDIS_URL: servers.redisUrl(),
      S3_URL: servers.s3Url(proxy.port),
      SOURCES_OFF: 'ford',
    });
    try {
      proxy.harm = 'down';
      const refused = await service.get(`/api/sticker/${vin}`);
      assert.equal(refused.status, 503);
      assert.ok(refused.headers.has('retry-after'));
      assert.equal(
        (await service.get(`/api/sticker/${vin}`, { headers: { range: 'bytes=0-9' } })).status,
        503,
      );
      const { windowSticker } = await service.json<VinResponse>(`/api/v1/vin/${vin}`);
      assert.equal(windowSticker.available, null, 'not "none", and not what cannot be served');
      proxy.harm = 'nothing';
      const served = await service.get(`/api/sticker/${vin}`);
      assert.ok(pdf.equals(Buffer.from(await served.arrayBuffer())));
    } finally {
      await service.close();
    }
  });

  void test('a whole label that is streamed ends before its end when it is harmed', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin, 900_000);
    const { sha256 } = await well.keep(newLabel(vin), pdf);
    const received = async () => {
      const parts: Buffer[] = [];
      const stream = await store.pdfStream(sha256, 0, pdf.length - 1);
      const error = await (async () => {
        for await (const part of stream as AsyncIterable<Buffer>) parts.push(part);
        return null;
      })().catch((thrown: unknown) => thrown);
      return { bytes: Buffer.concat(parts), error };
    };
    proxy.harm = 'down';
    const harmed = await received();
    assert.ok(harmed.error instanceof LabelCorrupted);
    assert.ok(harmed.bytes.length < pdf.length);
    proxy.harm = 'nothing';
    const whole = await received();
    assert.equal(whole.error, null);
    assert.equal(sha256Of(whole.bytes), sha256);
  });
}
