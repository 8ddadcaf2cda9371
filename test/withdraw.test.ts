import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { TEMPLATES } from '../src/http/routes.ts';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { sources } from '../src/makers/index.ts';
import { PAGE_TEMPLATES } from '../src/pages/index.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { admin } from './in-process.ts';
import { eventually, folderWithStore, temporaryFolder, storeIn } from './operator.ts';
import { freshIp, startService } from './service.ts';
import { pdfName, rowName } from '../src/store/label-bytes.ts';

/** The operator withdraws a label with a store of its own while the service serves it. */

const kia = sources.find(({ id }) => id === 'kia')!.example;
const get = (url: string) => fetch(url, { headers: { 'x-forwarded-for': freshIp() } });

test('a withdrawn label is gone from every URL, and stays gone after a restore and a rebuild', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const dataDir = temporaryFolder(t);
  const env = { DATA_DIR: dataDir, TRUSTED_PROXIES: '127.0.0.1,::1' };
  const outside = { ...env, SOURCE_ORIGIN: simulator.origin, SOURCE_PACE_MS: '0' };
  const first = await startService(outside);
  const urls = (origin: string) => [
    `${origin}/api/sticker/${kia}`,
    `${origin}/api/sticker/${kia}/preview`,
    `${origin}/api/v1/vin/${kia}/label`,
    `${origin}/window-sticker/${kia}`,
    `${origin}/window-sticker/${kia}/picture`,
  ];
  const statuses = async (origin: string) =>
    Promise.all(
      urls(origin).map(async (url) => {
        const response = await get(url);
        await response.arrayBuffer();
        return response.status;
      }),
    );
  assert.equal((await get(urls(first.origin)[0]!)).status, 200);
  assert.deepEqual(await statuses(first.origin), [200, 200, 200, 200, 200]);

  // A backup from before the withdrawal: the label's file and its row.
  const store = await storeIn(dataDir);
  const label = (await store.find(kia)).label!;
  await store.close();
  const files = [pdfName(label), rowName(kia)].map((name) => path.join(dataDir, name));
  const backup = files.map((file) => readFileSync(file));

  const withdrawn = await admin(env, 'withdraw', kia.toLowerCase(), '--reason', 'asked by the owner');
  assert.equal(withdrawn.code, 0, withdrawn.err);
  assert.match(withdrawn.out, /Its label was deleted/);
  // Every URL about the VIN, and the query strings that our pages use.
  const printed = withdrawn.out.split('\n').map((line) => line.trim());
  const about = [...TEMPLATES, ...PAGE_TEMPLATES].filter((template) => /^\/(?!vpic).*\{vin\}/.test(template));
  for (const template of about)
    assert.ok(
      printed.some((line) => line.endsWith(template.replace('{vin}', kia))),
      template,
    );
  for (const query of ['?download=1', '/preview?width=640', '/picture?width=1920'])
    assert.ok(
      printed.some((line) => line.endsWith(query)),
      query,
    );
  // One URL until it is gone, which takes seconds, then all of them.
  await eventually(
    async () => (await get(urls(first.origin)[0]!)).status,
    (status) => status === 451,
  );
  await eventually(
    () => statuses(first.origin),
    (codes) => codes.every((status) => status === 451),
  );
  const problem = (await (await get(urls(first.origin)[0]!)).json()) as Record<string, unknown>;
  assert.equal(problem['reason'], 'withdrawn');
  assert.match(String(problem['detail']), /withdrawn on .* Reason: asked by the owner\./);
  const { windowSticker, vehicle } = (await (
    await get(`${first.origin}/api/v1/vin/${kia}`)
  ).json()) as VinResponse;
  assert.equal(vehicle?.make, 'KIA');
  assert.deepEqual([windowSticker.available, windowSticker.pdf, windowSticker.bytes], [false, null, null]);
  assert.equal(windowSticker.reason, 'withdrawn');
  assert.match(windowSticker.note!, /asked by the owner/);
  assert.ok(!files.some((file) => existsSync(file)));
  await first.close();

  const listed = await admin(env, 'withdraw', '--list');
  assert.match(listed.out, new RegExp(`^${kia}  \\d{4}-\\d\\d-\\d\\d  asked by the owner$`, 'm'));

  // The database is lost, and the files are restored from the older backup.
  for (const end of ['', '-wal', '-shm']) rmSync(path.join(dataDir, `labels.sqlite${end}`), { force: true });
  for (const [index, file] of files.entries()) writeFileSync(file, backup[index]!);
  const rebuilt = await admin(env, 'rebuild');
  assert.equal(rebuilt.code, 0, rebuilt.err);
  assert.match(rebuilt.out, /^0 rows rebuilt/);
  assert.ok(!files.some((file) => existsSync(file)));
  const restarted = await startService(outside);
  t.after(() => restarted.close());
  assert.deepEqual(await statuses(restarted.origin), [451, 451, 451, 451, 451]);
});

test('restoring a database from before the withdrawal does not bring the label back', async (t) => {
  const dataDir = temporaryFolder(t);
  const env = { DATA_DIR: dataDir };
  const database = path.join(dataDir, 'labels.sqlite');
  let store = await storeIn(dataDir);
  const label = {
    vin: kia,
    make: 'KIA',
    source: 'kia',
    host: 'a.example',
    fetched: 1,
    paint: null,
    reader: null,
  };
  const added = await store.addLabel(label, Buffer.from(`%PDF-1.4 ${kia}`));
  await store.close();
  copyFileSync(database, `${database}.backup`);
  assert.equal((await admin(env, 'withdraw', kia, '--reason', 'x')).code, 0);
  for (const end of ['-wal', '-shm']) rmSync(database + end, { force: true });
  copyFileSync(`${database}.backup`, database);
  store = await storeIn(dataDir);
  t.after(() => store.close());
  assert.equal((await store.find(kia)).label, null);
  assert.equal((await store.find(kia)).withdrawal?.reason, 'x');
  await assert.rejects(store.pdf(added));
});

test('withdraw needs a VIN and a reason', async (t) => {
  const env = { DATA_DIR: await folderWithStore(t) };
  const cases: [string[], RegExp][] = [
    [['withdraw'], /^Usage:/m],
    [['withdraw', kia], /Give a reason/],
    [['withdraw', 'KIA', '--reason', 'x'], /"KIA" isn't a VIN/],
    [['withdraw', kia, '--list'], /^Usage:/m],
  ];
  for (const [args, message] of cases) {
    const { code, err } = await admin(env, ...args);
    assert.equal(code, 2, args.join(' '));
    assert.match(err, message);
  }
});
