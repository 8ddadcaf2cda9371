// lane: service
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { type HeldLabel, type Store, StoreUnavailable } from '../store.ts';
import { damagePages, freshVin, newLabel, pdfOf, temporaryFolder } from '../testing.ts';

/** Starts on a disk that can't be written: a small file system of our own, where we may mount one. */

const mount = (...args: string[]) => spawnSync('mount', args).status === 0;

/** A disk of 4 MB, and what can happen to it. */
function mountDisk(t: TestContext) {
  const path = mkdtempSync(join(tmpdir(), 'monroney-disk-'));
  const isMounted = mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', path);
  t.after(() => {
    if (isMounted) spawnSync('umount', ['-l', path]);
    rmSync(path, { recursive: true, force: true });
  });
  if (!isMounted) t.skip('skipped: mounting a small file system needs root on Linux');
  const ballast = join(path, 'ballast');
  const disk = {
    dataDir: join(path, 'data'),
    remount: (how: 'ro' | 'rw') => assert.ok(mount('-o', `remount,${how}`, path)),
    fill() {
      try {
        for (;;) writeFileSync(ballast, Buffer.alloc(4096), { flag: 'a' });
      } catch {
        // Nothing fits any more.
      }
    },
    empty: () => rmSync(ballast),
  };
  return isMounted ? disk : null;
}

const open = (dataDir: string) => openStore({ dataDir, log: silentLog });

/** A service that started here, and what it logs. */
async function openWithLog(t: TestContext, dataDir: string) {
  const lines: string[] = [];
  let logged = () => {};
  const add = (level: string) => (message: string) => {
    lines.push(`${level} ${message}`);
    logged();
  };
  const log = { ...silentLog, info: add('info'), warn: add('warn'), error: add('error') };
  const store = await openStore({ dataDir, log });
  t.after(() => store.close());
  /** Waits for a line of this form. */
  async function hasLogged(form: RegExp): Promise<void> {
    while (!lines.some((line) => form.test(line))) {
      const { promise, resolve } = Promise.withResolvers<void>();
      logged = resolve;
      await promise;
    }
  }
  return { store, lines, hasLogged };
}

async function addLabel(store: Store): Promise<{ label: HeldLabel; pdf: Buffer }> {
  const vin = freshVin();
  const pdf = pdfOf(vin);
  return { label: await store.addLabel(newLabel(vin), pdf), pdf };
}

async function assertReadable(
  store: Store,
  { label, pdf }: { label: HeldLabel; pdf: Buffer },
): Promise<void> {
  assert.deepEqual((await store.find(label.vin)).label, label);
  assert.ok(pdf.equals(await store.pdf(label)));
}

async function assertUnwritable(store: Store): Promise<void> {
  await assert.rejects(store.ready(), StoreUnavailable);
  await assert.rejects(addLabel(store), StoreUnavailable);
  await assert.rejects(store.setValue('key', 'value', 1), StoreUnavailable);
}

const failures: [string, 'ro' | 'full', RegExp][] = [
  ['read-only', 'ro', /DATA_DIR \S+ is on a read-only disk \(/],
  ['full', 'full', /DATA_DIR \S+ can't be written to \(.*Check that its disk works and isn't full/],
];
for (const [name, failure, message] of failures) {
  for (const end of ['stopped', 'killed'] as const) {
    void test(`on a ${name} disk, a service that was ${end} starts, serves its labels, and goes on when it can`, async (t) => {
      const disk = mountDisk(t);
      if (!disk) return;
      const { dataDir } = disk;
      // What a killed service leaves is what is there while it runs.
      const folder = end === 'stopped' ? dataDir : temporaryFolder(t);
      const before = await open(folder);
      const first = await addLabel(before);
      await before.cachePreview(first.label, 640, Buffer.from('webp'));
      if (end === 'killed') cpSync(folder, dataDir, { recursive: true });
      await before.close();

      if (failure === 'ro') disk.remount('ro');
      else disk.fill();
      const { store, lines } = await openWithLog(t, dataDir);
      await assertReadable(store, first);
      assert.equal((await store.preview(first.label, 640))?.toString(), 'webp');
      assert.equal((await store.findOrRecover(freshVin())).label, null);
      await assertUnwritable(store);

      if (failure === 'ro') disk.remount('rw');
      else disk.empty();
      await store.ready();
      await assertReadable(store, await addLabel(store));
      await assertReadable(store, first);
      await assert.rejects(open(dataDir), /in use by another running service/);
      // SQLite opens what a killed service left on a full disk for writing.
      if (failure === 'full' && end === 'killed') return;
      const errors = lines.filter((line) => line.startsWith('error'));
      assert.equal(errors.length, 1, errors.join('\n'));
      assert.match(errors[0]!, message);
      assert.match(errors[0]!, /stored labels are served, and new ones are refused\. No restart is needed/);
    });
  }
}

void test('a disk that becomes writable is noticed without a request', async (t) => {
  const disk = mountDisk(t);
  if (!disk) return;
  await (await open(disk.dataDir)).close();
  disk.remount('ro');
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { store, hasLogged } = await openWithLog(t, disk.dataDir);
  disk.remount('rw');
  t.mock.timers.tick(1000);
  await hasLogged(/^info store: DATA_DIR \S+ can be written to$/);
  await addLabel(store);
});

void test('of two services on a read-only disk, one writes when it can, and the other says why it does not', async (t) => {
  const disk = mountDisk(t);
  if (!disk) return;
  const before = await open(disk.dataDir);
  const stored = await addLabel(before);
  await before.close();
  disk.remount('ro');
  const [one, two] = [await open(disk.dataDir), await open(disk.dataDir)];
  t.after(() => Promise.all([one.close(), two.close()]));
  disk.remount('rw');
  await one.ready();
  await assert.rejects(two.ready(), /in use by another running service/);
  await assert.rejects(two.setValue('key', 'value', 1), StoreUnavailable);
  await assertReadable(two, stored);
  await one.close();
  await two.ready();
});

void test('a withdrawal that the database has lost holds on a read-only disk', async (t) => {
  const disk = mountDisk(t);
  if (!disk) return;
  const { dataDir } = disk;
  const path = join(dataDir, 'labels.sqlite');
  const before = await open(dataDir);
  const { label } = await addLabel(before);
  await before.close();
  copyFileSync(path, `${path}.older`);
  const later = await open(dataDir);
  await later.withdraw({ vin: label.vin, reason: 'asked by the owner', at: 1 });
  await later.close();
  copyFileSync(`${path}.older`, path);
  disk.remount('ro');
  const store = await open(dataDir);
  t.after(() => store.close());
  const { label: found, withdrawal } = await store.find(label.vin);
  assert.deepEqual([found, withdrawal?.reason], [null, 'asked by the owner']);
});

void test('rows are not read without the write-ahead log, which has the newest of them', async (t) => {
  const disk = mountDisk(t);
  if (!disk) return;
  const folder = temporaryFolder(t);
  await (await open(folder)).close();
  const before = await open(folder);
  const stored = await addLabel(before);
  cpSync(folder, disk.dataDir, { recursive: true });
  await before.close();
  // SQLite can't read the log without this file, and can't create it.
  rmSync(join(disk.dataDir, 'labels.sqlite-shm'));
  assert.ok(statSync(join(disk.dataDir, 'labels.sqlite-wal')).size > 0);
  disk.remount('ro');
  const store = await open(disk.dataDir);
  t.after(() => store.close());
  await assert.rejects(store.find(stored.label.vin), StoreUnavailable);
  disk.remount('rw');
  await store.ready();
  await assertReadable(store, stored);
});

void test('a damaged page prevents the start on a read-only disk too', async (t) => {
  const disk = mountDisk(t);
  if (!disk) return;
  const store = await open(disk.dataDir);
  for (let n = 0; n < 20; n++) await addLabel(store);
  await store.close();
  damagePages(join(disk.dataDir, 'labels.sqlite'), 7, 8);
  disk.remount('ro');
  await assert.rejects(open(disk.dataDir), /labels\.sqlite is damaged\. Stop the service and restore/);
});

void test('an empty folder on a read-only disk: nothing can be looked up, and it is filled when it can be', async (t) => {
  const disk = mountDisk(t);
  if (!disk) return;
  disk.remount('ro');
  const { store, lines } = await openWithLog(t, disk.dataDir);
  await assert.rejects(store.find(freshVin()), StoreUnavailable);
  await assert.rejects(store.ready(), StoreUnavailable);
  assert.match(lines.join('\n'), /DATA_DIR \S+ is on a read-only disk \(/);
  assert.ok(!existsSync(disk.dataDir));
  disk.remount('rw');
  await store.ready();
  await assertReadable(store, await addLabel(store));
  assert.ok(readdirSync(disk.dataDir).includes('labels.sqlite'));
});

void test(
  'a folder that cannot be created is an unavailable store, and a command says so at once',
  { skip: process.platform === 'linux' ? false : 'skipped: needs /proc' },
  async (t) => {
    // Nobody can create a folder there, not even root.
    const dataDir = '/proc/monroney/data';
    const { store, lines } = await openWithLog(t, dataDir);
    await assert.rejects(store.find(freshVin()), StoreUnavailable);
    await assert.rejects(store.ready(), StoreUnavailable);
    assert.match(lines.join('\n'), /DATA_DIR \/proc\/monroney\/data can't be created \(/);
    await assert.rejects(openStore({ dataDir, log: silentLog, exclusive: false }), { code: 'ENOENT' });
  },
);

void test(
  'a folder of another user is an unavailable store until its owner is right',
  { skip: process.getuid?.() === 0 ? false : 'skipped: changing the user needs root' },
  async (t) => {
    const dataDir = temporaryFolder(t);
    const before = await open(dataDir);
    const stored = await addLabel(before);
    await before.close();
    const NOBODY = 65_534;
    process.seteuid!(NOBODY);
    try {
      const { store, lines } = await openWithLog(t, dataDir);
      await assert.rejects(store.find(stored.label.vin), StoreUnavailable);
      await assert.rejects(store.ready(), /DATA_DIR \S+ can't be written to by this user/);
      assert.equal(lines.length, 1);
      process.seteuid!(0);
      spawnSync('chown', ['-R', String(NOBODY), dataDir]);
      process.seteuid!(NOBODY);
      await store.ready();
      await assertReadable(store, stored);
    } finally {
      process.seteuid!(0);
    }
  },
);
