// lane: service
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { pdfName, rowName, withdrawalName } from '../label-bytes.ts';
import { LabelCorrupted, LabelMissing, StoreUnavailable } from '../store.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../testing.ts';

let root: string;
before(async () => (root = await mkdtemp(join(tmpdir(), 'monroney-checked-'))));
after(() => rm(root, { recursive: true }));
const fresh = () => mkdtemp(join(root, 'data-'));
const noLinks = process.platform === 'win32';

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(path, bytes);
}

void test('reading detects a flipped bit, even right after a correct read', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  const label = await store.addLabel(newLabel(vin), pdfOf(vin));
  await store.pdf(label);
  await flip(join(dataDir, pdfName(label)));
  await assert.rejects(store.pdf(label), LabelCorrupted);
  await flip(join(dataDir, pdfName(label)));
  await store.pdf(label);
  await store.close();
});

/** Nothing could read as much as this. */
const HUGE = 2 ** 42;

void test('a file that grew is not read: a label is corrupted, and the files beside it are malformed', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const [vin, withdrawn] = [freshVin(), freshVin()];
  const pdf = pdfOf(vin);
  const label = await store.addLabel(newLabel(vin), pdf);
  const path = join(dataDir, pdfName(label));
  await truncate(path, HUGE);
  await assert.rejects(store.pdf(label), LabelCorrupted);
  assert.equal(await store.checkBytes(label), 'corrupted');
  await truncate(path, pdf.length);
  assert.ok(pdf.equals(await store.pdf(label)));
  await store.withdraw({ vin: withdrawn, reason: 'asked by the owner', at: 1 });
  await store.close();

  for (const name of [rowName(vin), withdrawalName(withdrawn)]) await truncate(join(dataDir, name), HUGE);
  await rm(join(dataDir, 'labels.sqlite'));
  const rebuilt = await openStore({ dataDir, log: silentLog });
  assert.deepEqual(await rebuilt.findOrRecover(vin), { label: null, miss: null, withdrawal: null });
  assert.equal((await rebuilt.find(withdrawn)).withdrawal?.reason, 'The reason was lost.');
  await rebuilt.close();
});

void test('a file beside a label that says it is larger than any label is malformed', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  const label = { ...newLabel(vin), bytes: HUGE, sha256: sha256Of(pdfOf(vin)) };
  await mkdir(join(dataDir, 'labels', '1F'));
  await writeFile(join(dataDir, rowName(vin)), JSON.stringify(label));
  await writeFile(join(dataDir, pdfName(label)), '');
  await truncate(join(dataDir, pdfName(label)), HUGE);
  assert.equal((await store.findOrRecover(vin)).label, null);
  await store.close();
});

void test(
  'links and pipes in place of a label are not followed, even to the right bytes',
  { skip: noLinks },
  async () => {
    const dataDir = await fresh();
    const store = await openStore({ dataDir, log: silentLog });
    const vin = freshVin();
    const label = await store.addLabel(newLabel(vin), pdfOf(vin));
    const path = join(dataDir, pdfName(label));
    await rename(path, join(root, 'elsewhere.pdf'));
    await symlink(join(root, 'elsewhere.pdf'), path);
    await assert.rejects(store.pdf(label), LabelMissing);
    await unlink(path);
    execFileSync('mkfifo', [path]);
    await assert.rejects(store.pdf(label), LabelMissing);
    assert.equal(await store.checkBytes(label), 'missing');
    await store.close();
  },
);

void test(
  'nothing is written through a link in the folder, whichever part of the store it replaces',
  { skip: noLinks },
  async () => {
    for (const name of ['labels', 'withdrawn', 'tmp', 'labels.sqlite', 'cache.sqlite', 'service.lock']) {
      const [dataDir, elsewhere] = [await fresh(), await fresh()];
      const target = join(elsewhere, 'target');
      if (!name.includes('.')) await mkdir(target);
      symlinkSync(target, join(dataDir, name));
      await assert.rejects(openStore({ dataDir, log: silentLog }), name);
      assert.ok(name.includes('.') ? !existsSync(target) : (await readdir(target)).length === 0, name);
    }
    const [dataDir, elsewhere] = [await fresh(), await fresh()];
    const store = await openStore({ dataDir, log: silentLog });
    symlinkSync(elsewhere, join(dataDir, 'labels', '1F'));
    const vin = freshVin();
    await assert.rejects(store.addLabel(newLabel(vin), pdfOf(vin)), StoreUnavailable);
    const victim = join(elsewhere, 'victim');
    await writeFile(victim, 'untouched');
    await unlink(join(dataDir, 'labels', '1F'));
    await mkdir(join(dataDir, 'labels', '1F'));
    const pdf = pdfOf(vin);
    symlinkSync(victim, join(dataDir, pdfName({ vin, sha256: sha256Of(pdf) })));
    await store.addLabel(newLabel(vin), pdf);
    await store.close();
    assert.equal(await readFile(victim, 'utf8'), 'untouched');
    assert.deepEqual(await readdir(elsewhere), ['victim']);
  },
);

void test('a start removes unfinished files, and a label whose row a crash prevented is found', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  const label = await store.addLabel(newLabel(vin), pdfOf(vin));
  await store.close();
  const rows = new DatabaseSync(join(dataDir, 'labels.sqlite'));
  rows.exec('DELETE FROM vins');
  rows.close();
  const other = { vin: freshVin(), sha256: sha256Of(pdfOf(vin)) };
  await writeFile(join(dataDir, pdfName(other)), pdfOf(vin));
  await writeFile(join(dataDir, 'tmp', 'service-1'), 'half');
  await writeFile(join(dataDir, 'tmp', 'admin-1'), 'being written by a command');

  const reopened = await openStore({ dataDir, log: silentLog });
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), ['admin-1']);
  assert.deepEqual((await reopened.findOrRecover(vin)).label, label);
  assert.deepEqual(await reopened.findOrRecover(other.vin), { label: null, miss: null, withdrawal: null });
  assert.ok(existsSync(join(dataDir, pdfName(other))), 'what nothing describes is left alone');
  await reopened.close();
});

void test('the owner of a folder restores a removed lock, so that no second service starts', async (t) => {
  const dataDir = await fresh();
  t.mock.timers.enable({ apis: ['setInterval'] });
  const service = await openStore({ dataDir, log: silentLog });
  await unlink(join(dataDir, 'service.lock'));
  t.mock.timers.tick(250);
  await assert.rejects(openStore({ dataDir, log: silentLog }), /in use by another running service/);
  await service.ready();
  await service.close();
  await (await openStore({ dataDir, log: silentLog })).close();
});

void test('a service whose folder another one took over is not ready, so it asks no source', async (t) => {
  const dataDir = await fresh();
  t.mock.timers.enable({ apis: ['setInterval'] });
  const first = await openStore({ dataDir, log: silentLog });
  await unlink(join(dataDir, 'service.lock'));
  const second = await openStore({ dataDir, log: silentLog });
  t.mock.timers.tick(250);
  await assert.rejects(first.ready(), /in use by another running service/);
  await second.ready();
  await second.close();
  t.mock.timers.tick(250);
  await first.ready();
  await first.close();
});

void test('a label is no longer served if its withdrawal fails halfway, and withdrawing it again removes its bytes', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  const label = await store.addLabel(newLabel(vin), pdfOf(vin));
  const path = join(dataDir, pdfName(label));
  // Can't be unlinked.
  await rename(path, `${path}.away`);
  await mkdir(path);
  const withdrawal = { vin, reason: 'asked by the owner', at: 1 };
  await assert.rejects(store.withdraw(withdrawal), StoreUnavailable);
  assert.deepEqual(await store.find(vin), { label: null, miss: null, withdrawal });
  assert.ok(existsSync(join(dataDir, withdrawalName(vin))));
  await rm(path, { recursive: true });
  await rename(`${path}.away`, path);
  await store.withdraw(withdrawal);
  assert.equal(existsSync(path), false);
  await store.close();
});

void test('what the service caches while a command withdraws the label does not stay', async (t) => {
  const dataDir = await fresh();
  t.mock.timers.enable({ apis: ['setInterval'] });
  const service = await openStore({ dataDir, log: silentLog });
  const command = await openStore({ dataDir, log: silentLog, exclusive: false });
  const vin = freshVin();
  const label = await service.addLabel(newLabel(vin), pdfOf(vin));
  const noticed = new Promise((resolve) => service.onReplaced(resolve));
  await command.withdraw({ vin, reason: 'asked by the owner', at: 1 });
  // It had read the label just before.
  await service.cachePreview(label, 640, Buffer.from('webp'));
  t.mock.timers.tick(2000);
  assert.equal(await noticed, vin);
  await new Promise((resolve) => void setImmediate(resolve));
  assert.equal(await service.preview(label, 640), null);
  await command.close();
  await service.close();
});
