// lane: service
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { pdfName } from '../label-bytes.ts';
import type { HeldLabel } from '../store.ts';
import { freshVin, newLabel, openTestStore, pdfOf, temporaryFolder } from '../testing.ts';
import { backUp, restore } from './backup.ts';

const quiet = () => {};

async function storeWithLabels(dataDir: string, count: number) {
  const store = await openStore({ dataDir, log: silentLog });
  const labels: HeldLabel[] = [];
  for (let n = 0; n < count; n++) {
    const vin = freshVin();
    labels.push(await store.addLabel(newLabel(vin), pdfOf(vin, 2000)));
  }
  return { store, labels };
}

/** Runs one of the two functions in a process that is killed after some labels. */
function killAfter(labels: number, call: string): void {
  const script = `
    import { backUp, restore } from ${JSON.stringify(import.meta.resolve('./backup.ts'))};
    import { silentLog } from ${JSON.stringify(import.meta.resolve('../../lib/log.ts'))};
    const progress = (done) => { if (done === ${labels}) process.kill(process.pid, 'SIGKILL'); };
    await ${call};`;
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  assert.equal(signal, 'SIGKILL', stderr);
}

void test('a backup of a running store that is killed halfway and repeated restores everything, also when that is killed', async (t) => {
  const [dataDir, folder, target] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const { store, labels } = await storeWithLabels(dataDir, 12);
  const withdrawn = labels.pop()!;
  await store.withdraw({ vin: withdrawn.vin, reason: 'asked for', at: 3 });
  await store.contacts.add([{ contact: 'a.example', day: '2026-11-15', route: '/mcp', count: 3 }]);
  const arguments_ = (from: string, to: string) => `${JSON.stringify(from)}, ${JSON.stringify(to)}`;

  killAfter(5, `backUp(${arguments_(dataDir, folder)}, silentLog, progress)`);
  await assert.rejects(restore(folder, target, silentLog, quiet), /no finished backup/);
  const copied = await backUp(dataDir, folder, silentLog, quiet);
  assert.deepEqual(copied, { labels: 11, withdrawals: 1, unreadable: [] });
  for (const name of await readdir(folder, { recursive: true }))
    assert.equal((await stat(join(folder, name))).mode & 0o077, 0, `${name} is for its owner only`);
  await store.close();

  killAfter(5, `restore(${arguments_(folder, target)}, silentLog, progress)`);
  await assert.rejects(openStore({ dataDir: target, log: silentLog }), /only partly restored/);
  assert.equal((await restore(folder, target, silentLog, quiet)).labels, 11);
  const { store: restored } = await openTestStore(t, target);
  assert.deepEqual(await restored.labels(null, 100), labels);
  for (const label of labels) assert.equal((await restored.pdf(label)).length, label.bytes);
  assert.equal((await restored.find(withdrawn.vin)).withdrawal?.reason, 'asked for');
  assert.equal((await restored.contacts.uses('2026')).length, 1);
  assert.deepEqual(await readdir(join(target, 'tmp')), []);
});

void test('a second backup into the same folder adds what is new and repairs what is damaged', async (t) => {
  const [dataDir, folder] = [temporaryFolder(t), temporaryFolder(t)];
  const { store, labels } = await storeWithLabels(dataDir, 3);
  await backUp(dataDir, folder, silentLog, quiet);
  const damaged = join(folder, pdfName(labels[0]!));
  const bytes = await readFile(damaged);
  await writeFile(damaged, 'damaged');
  const vin = freshVin();
  await store.addLabel(newLabel(vin), pdfOf(vin));
  await store.withdraw({ vin: labels[1]!.vin, reason: 'asked for', at: 3 });
  assert.equal((await backUp(dataDir, folder, silentLog, quiet)).labels, 3);
  assert.ok(bytes.equals(await readFile(damaged)));
  assert.ok(!existsSync(join(folder, pdfName(labels[1]!))), 'a withdrawn label leaves the backup too');
  await store.close();
});

void test('a backup names labels without intact bytes, and copies the others', async (t) => {
  const [dataDir, folder] = [temporaryFolder(t), temporaryFolder(t)];
  const { store, labels } = await storeWithLabels(dataDir, 3);
  await rm(join(dataDir, pdfName(labels[1]!)));
  const copied = await backUp(dataDir, folder, silentLog, quiet);
  assert.deepEqual([copied.labels, copied.unreadable], [2, [labels[1]!.vin]]);
  await store.close();
});

void test('neither command writes through a link in its target', async (t) => {
  const [dataDir, folder, elsewhere] = [temporaryFolder(t), temporaryFolder(t), temporaryFolder(t)];
  const { store } = await storeWithLabels(dataDir, 1);
  symlinkSync(elsewhere, join(folder, 'labels'));
  await assert.rejects(backUp(dataDir, folder, silentLog, quiet), /labels is a symbolic link/);
  await rm(join(folder, 'labels'));
  await backUp(dataDir, folder, silentLog, quiet);
  const target = temporaryFolder(t);
  symlinkSync(elsewhere, join(target, 'withdrawn'));
  await assert.rejects(restore(folder, target, silentLog, quiet), /withdrawn is a symbolic link/);
  assert.deepEqual(await readdir(elsewhere), []);
  await store.close();
});

void test('a backup is restored neither over a store nor under a running service', async (t) => {
  const [dataDir, folder] = [temporaryFolder(t), temporaryFolder(t)];
  const { store } = await storeWithLabels(dataDir, 1);
  await backUp(dataDir, folder, silentLog, quiet);
  await assert.rejects(restore(folder, dataDir, silentLog, quiet), /has a store/);
  await assert.rejects(backUp(dataDir, dataDir, silentLog, quiet), /in another folder/);
  for (const end of ['', '-wal', '-shm']) await rm(join(dataDir, `labels.sqlite${end}`), { force: true });
  await assert.rejects(restore(folder, dataDir, silentLog, quiet), /in use by another running service/);
  await store.close();
});
