import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../../src/store/testing.ts';
import type { Store } from '../../src/store/store.ts';
import { admin, startCommand } from '../operator.ts';
import { s3Proxy } from './s3-proxy.ts';
import { query, startSuite } from './servers.ts';
import { pdfName } from '../../src/store/label-bytes.ts';

/** Moving from one store to the other and back, with each command killed once. */

const LABELS = 150;

const servers = await startSuite('moving between stores');
if (servers) {
  const root = mkdtempSync(join(tmpdir(), 'monroney-moving-'));
  servers.defer(() => rmSync(root, { recursive: true }));
  const sharedEnv = await servers.env('moving');
  const bucket = await s3Proxy(servers.s3.port);
  servers.defer(() => bucket.stop());
  const env = { ...sharedEnv, S3_URL: servers.s3Url(bucket.port), DATA_DIR: join(root, 'operator') };
  /** Runs a command, and kills it while the bucket doesn't respond to its twentieth request for the bytes of a label. */
  async function killWhileCopying(t: TestContext, to: Store, ...args: string[]): Promise<void> {
    const { promise: isStuck, resolve: stuck } = Promise.withResolvers<void>();
    let requests = 0;
    bucket.responds = (_, key) => {
      const isIgnored = key.endsWith('.pdf') && ++requests >= 20;
      if (isIgnored) stuck();
      return isIgnored;
    };
    const { child, ended } = startCommand(t, ['admin', ...args], env);
    await isStuck;
    child.kill('SIGKILL');
    await ended;
    bucket.responds = () => false;
    const { labels } = await to.counts();
    assert.ok(labels > 0 && labels < LABELS - 1, `${labels} were copied`);
  }
  const copiedAndPresent = (out: string) =>
    /^Copied (\d+) labels, (\d+) already existed\./.exec(out)!.slice(1).map(Number) as [number, number];

  void test('a command that finds no store in the database creates none, and each names the store without its passwords', async (t) => {
    const url = new URL(await servers.database('empty'));
    url.password = 'secret';
    const shared = { ...env, DATABASE_URL: url.href };
    const name = `PostgreSQL at 127.0.0.1:${url.port}/empty, S3 at 127.0.0.1:${bucket.port}/labels`;
    const withdraw = ['withdraw', freshVin(), '--reason', 'a test'];
    for (const args of [withdraw, ['labels'], ['export', join(root, 'exported')], ['backup', root]]) {
      const { code, out, err } = await admin(t, shared, ...args);
      assert.deepEqual([code, out], [1, ''], args[0]);
      assert.ok(err.startsWith(`There is no store in ${name}. `), err);
    }
    await assert.rejects(query(url.href, 'SELECT * FROM schema_version'), /does not exist/);

    const migrated = await admin(t, shared, 'migrate');
    assert.deepEqual([migrated.code, migrated.err], [0, `Store: ${name}\n`]);
    assert.equal((await admin(t, shared, 'labels')).code, 0);
    const nowhere = join(root, 'nowhere');
    const imported = await admin(t, shared, 'import', nowhere);
    assert.deepEqual(
      [imported.code, imported.out, imported.err],
      [1, '', `Store: ${name}\nThere is no store in ${nowhere}.\n`],
    );
    assert.ok(!existsSync(nowhere));
  });

  void test('migrate, import and export continue after they were killed, and name damaged labels', async (t) => {
    const migrated = await admin(t, env, 'migrate');
    assert.deepEqual([migrated.code, migrated.out], [0, 'The shared store is up to date.\n'], migrated.err);

    const folder = join(root, 'from');
    const from = await openStore({ dataDir: folder, log: silentLog });
    const vins = Array.from({ length: LABELS }, freshVin);
    for (const vin of vins) await from.addLabel(newLabel(vin), pdfOf(vin));
    const damaged = (await from.find(vins.at(-1)!)).label!;
    writeFileSync(join(folder, pdfName(damaged)), Buffer.alloc(damaged.bytes));

    const shared = await servers.open(sharedEnv);
    await killWhileCopying(t, shared, 'import', folder);
    const imported = await admin(t, env, 'import', folder);
    assert.equal(imported.code, 1, imported.err);
    const [copied, present] = copiedAndPresent(imported.out);
    assert.ok(present > 0, imported.out);
    assert.equal(copied + present, LABELS - 1);
    assert.ok(imported.out.includes(`${damaged.vin}  its bytes are missing or corrupted`));

    const back = join(root, 'back');
    const to = await openStore({ dataDir: back, log: silentLog, exclusive: false });
    await killWhileCopying(t, to, 'export', back);
    const exported = await admin(t, env, 'export', back);
    assert.equal(exported.code, 0, exported.out);
    assert.ok(copiedAndPresent(exported.out)[1] > 0);
    for (const vin of vins.slice(0, -1)) {
      const label = (await to.find(vin)).label!;
      assert.deepEqual(label, (await from.find(vin)).label);
      assert.equal(sha256Of(await to.pdf(label)), label.sha256);
    }
    for (const store of [from, to]) await store.close();
  });
}
