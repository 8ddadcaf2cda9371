// lane: service
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createLog, silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { LabelWithdrawn, type Store, StoreUnavailable } from '../store.ts';
import { folderOf, pdfName, withdrawalName } from '../label-bytes.ts';
import { damagePages, freshVin, newLabel, PAGE_BYTES, pdfOf, temporaryFolder } from '../testing.ts';

/** What an operator, a backup or a failing disk can do to the folder of a store. */

const open = (dataDir: string) => openStore({ dataDir, log: silentLog });

async function add(store: Store, count = 1): Promise<string[]> {
  const vins = Array.from({ length: count }, freshVin);
  for (const vin of vins) await store.addLabel(newLabel(vin), pdfOf(vin, 2000));
  return vins;
}

const files = (dataDir: string, name: string) => ['', '-wal', '-shm'].map((end) => join(dataDir, name + end));
const removeAll = (paths: string[]) => paths.forEach((path) => rmSync(path, { force: true }));

void test('a lost database gets its rows back at the next start', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await open(dataDir);
  const [vin, withdrawn] = (await add(store, 2)) as [string, string];
  await store.withdraw({ vin: withdrawn, reason: 'asked by the owner', at: 1 });
  const label = (await store.find(vin)).label;
  await store.close();
  removeAll(files(dataDir, 'labels.sqlite'));
  const again = await open(dataDir);
  assert.equal((await again.counts()).labels, 1);
  assert.deepEqual((await again.find(vin)).label, label);
  assert.equal((await again.find(withdrawn)).label, null);
  assert.equal((await again.find(withdrawn)).withdrawal?.reason, 'asked by the owner');
  await again.close();
});

void test('a withdrawal that the database has lost holds when its label is fetched again, even if its file is damaged', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await open(dataDir);
  const [vin] = (await add(store)) as [string];
  const { label } = await store.find(vin);
  rmSync(join(dataDir, pdfName(label!)));
  writeFileSync(join(dataDir, withdrawalName(vin)), '{"vin":');
  await assert.rejects(store.addLabel(newLabel(vin), pdfOf(vin)), LabelWithdrawn);
  assert.equal((await store.find(vin)).label, null);
  await store.close();
});

void test('a rebuild that was interrupted goes on at the next start', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await open(dataDir);
  const [vin] = (await add(store, 3)) as [string];
  await store.close();
  removeAll(files(dataDir, 'labels.sqlite'));
  // A command creates the database, and a fetch restores one row.
  const command = await openStore({ dataDir, log: silentLog, exclusive: false });
  assert.ok((await command.findOrRecover(vin)).label);
  await command.close();
  const again = await open(dataDir);
  assert.equal((await again.counts()).labels, 3);
  await again.close();
});

for (const [change, act] of [
  ['removed', (path: string) => rmSync(path)],
  [
    'replaced',
    (path: string) => {
      copyFileSync(path, `${path}.copy`);
      rmSync(path);
      copyFileSync(`${path}.copy`, path);
    },
  ],
] as const) {
  void test(`if labels.sqlite is ${change} under a running service, it is not ready, and a restart loses no label`, async (t) => {
    const dataDir = temporaryFolder(t);
    const store = await open(dataDir);
    const [held] = (await add(store)) as [string];
    await store.ready();
    act(join(dataDir, 'labels.sqlite'));
    const message = new RegExp(`labels\\.sqlite was ${change} while the service was running\\. Restart`);
    await assert.rejects(store.ready(), message);
    assert.ok((await store.find(held)).label, 'stored labels are served');
    // A response that was already arriving.
    const [late] = (await add(store)) as [string];
    await store.close();
    const again = await open(dataDir);
    for (const vin of [held, late]) assert.ok((await again.find(vin)).label, vin);
    await again.close();
  });
}

void test('a damaged labels.sqlite is named at startup, with what to do', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await open(dataDir);
  const [vin] = (await add(store)) as [string];
  await store.close();
  const path = join(dataDir, 'labels.sqlite');
  const advice = /labels\.sqlite is damaged\. Stop the service and restore the file from a backup/;
  damagePages(path);
  await assert.rejects(open(dataDir), advice);
  writeFileSync(path, Buffer.alloc(8192, 1));
  await assert.rejects(open(dataDir), advice);
  removeAll(files(dataDir, 'labels.sqlite'));
  const again = await open(dataDir);
  assert.ok((await again.find(vin)).label, 'following the advice restores the label');
  await again.close();
});

void test('a single damaged page of labels.sqlite prevents the start, wherever it is, and no row is lost', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await open(dataDir);
  const vins = await add(store, 20);
  await store.close();
  const path = join(dataDir, 'labels.sqlite');
  copyFileSync(path, `${path}.copy`);
  const pages = statSync(path).size / PAGE_BYTES;
  assert.ok(pages > 20);
  for (let page = 1; page < pages; page++) {
    damagePages(path, page, page + 1);
    await assert.rejects(
      open(dataDir),
      /labels\.sqlite is damaged\. Stop the service and restore/,
      `page ${page}`,
    );
    copyFileSync(`${path}.copy`, path);
  }
  const restored = await open(dataDir);
  for (const vin of vins) assert.ok((await restored.find(vin)).label);
  await restored.close();
});

void test('a start that a damaged cache.sqlite prevents does not blame labels.sqlite', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await open(dataDir);
  const [vin] = (await add(store)) as [string];
  await store.withdraw({ vin, reason: 'asked by the owner', at: 1 });
  await store.close();
  // The withdrawal is restored at the start, which clears the VIN's entries in the cache.
  removeAll(files(dataDir, 'labels.sqlite'));
  damagePages(join(dataDir, 'cache.sqlite'));
  await assert.rejects(open(dataDir), /\/cache\.sqlite is damaged\. Stop the service and delete it/);
});

void test('damage that a running service finds is unavailable, not a crash: one log line, and not ready', async (t) => {
  const dataDir = temporaryFolder(t);
  await open(dataDir).then(async (store) => {
    await add(store, 20);
    await store.close();
  });
  for (const name of ['labels.sqlite', 'cache.sqlite']) {
    const lines: string[] = [];
    const log = createLog('info', (text) => lines.push(...text.trimEnd().split('\n')));
    const store = await openStore({ dataDir, log });
    const copy = join(dataDir, `${name}.copy`);
    copyFileSync(join(dataDir, name), copy);
    damagePages(join(dataDir, name));
    const read = async () => (name === 'labels.sqlite' ? store.switches() : store.sourceRequests(0));
    for (let n = 0; n < 3; n++) await assert.rejects(read, StoreUnavailable);
    await assert.rejects(store.ready(), StoreUnavailable);
    log.flush();
    const errors = lines.filter((line) => line.includes('"level":"error"'));
    assert.equal(errors.length, 1, errors.join('\n'));
    assert.match(errors[0]!, new RegExp(`${name} is damaged\\. Stop the service and`));
    await store.close();
    removeAll(files(dataDir, name));
    copyFileSync(copy, join(dataDir, name));
  }
});

const obstacles: [string, (folder: string, path: string) => void][] = [
  [
    'a folder in place of a label',
    (_, path) => {
      rmSync(path);
      mkdirSync(join(path, 'folder'), { recursive: true });
    },
  ],
  [
    'a file in place of a folder',
    (folder) => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
    },
  ],
  [
    'a link to itself in place of a folder',
    (folder) => {
      rmSync(folder, { recursive: true });
      symlinkSync(folder, folder);
    },
  ],
];
for (const [obstacle, obstruct] of obstacles) {
  void test(`${obstacle} is an unavailable store, and a start is possible`, async (t) => {
    const dataDir = temporaryFolder(t);
    const store = await open(dataDir);
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const label = await store.addLabel(newLabel(vin), pdf);
    const folder = join(dataDir, folderOf(vin));
    obstruct(folder, join(dataDir, pdfName(label)));
    assert.equal(await store.checkBytes(label), 'missing');
    await store.markDamaged(label);
    for (let n = 0; n < 3; n++) await assert.rejects(store.addLabel(newLabel(vin), pdf), StoreUnavailable);
    assert.deepEqual(await readdir(join(dataDir, 'tmp')), [], 'attempts leave no file');
    await store.close();
    await (await open(dataDir)).close();
    rmSync(folder, { recursive: true });
    const again = await open(dataDir);
    assert.equal((await again.addLabel(newLabel(vin), pdf)).damaged, undefined);
    assert.ok(pdf.equals(await again.pdf(label)));
    await again.close();
  });
}
