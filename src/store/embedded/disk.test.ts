// lane: alone
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { freshVin, newLabel, pdfOf } from '../testing.ts';
import { StoreUnavailable } from '../store.ts';

// A small file system of our own, where we may mount one.
const disk = mkdtempSync(join(tmpdir(), 'monroney-disk-'));
const mount = (...args: string[]) => spawnSync('mount', args).status === 0;
const mounted = mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk);
const NOBODY = 65_534;
const needsRoot = process.getuid?.() === 0 ? false : 'skipped: changing the user needs root';
const skip = mounted ? false : 'skipped: mounting a small file system needs root on Linux';
after(() => {
  if (mounted) spawnSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

void test(
  'a full disk stops writes but not reads, and writes work again when there is space',
  { skip },
  async () => {
    const store = await openStore({ dataDir: join(disk, 'full'), log: silentLog });
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const label = await store.addLabel(newLabel(vin), pdf);
    const ballast = join(disk, 'ballast');
    await writeFile(ballast, Buffer.alloc(8 << 20)).catch(() => {});
    const another = freshVin();
    await assert.rejects(store.addLabel(newLabel(another), pdfOf(another)), StoreUnavailable);
    await assert.rejects(store.ready(), StoreUnavailable);
    await assert.rejects(async () => {
      for (let n = 0; n < 5000; n++)
        await store.cachePreview({ ...label, vin: freshVin() }, 640, Buffer.alloc(2000));
    }, StoreUnavailable);
    assert.ok(pdf.equals(await store.pdf(label)));
    assert.ok((await store.find(vin)).label);
    assert.equal((await store.find(another)).label, null);
    await rm(ballast);
    await store.ready();
    await store.addLabel(newLabel(another), pdfOf(another));
    assert.ok((await store.find(another)).label);
    await store.close();
    await rm(join(disk, 'full'), { recursive: true });
  },
);

void test(
  'a disk with room for a few bytes only is not writable once a label did not fit',
  { skip },
  async () => {
    const store = await openStore({ dataDir: join(disk, 'nearly-full'), log: silentLog });
    const vin = freshVin();
    const pdf = pdfOf(vin, 2 << 20);
    const ballast = join(disk, 'ballast');
    await writeFile(ballast, Buffer.alloc(5 << 19));
    await store.ready();
    await assert.rejects(store.addLabel(newLabel(vin), pdf), StoreUnavailable);
    for (let n = 0; n < 3; n++) await assert.rejects(store.ready(), StoreUnavailable);
    await rm(ballast);
    await store.ready();
    await store.addLabel(newLabel(vin), pdf);
    await store.close();
    await rm(join(disk, 'nearly-full'), { recursive: true });
  },
);

void test('a folder that becomes read-only stops writes but not reads', { skip: needsRoot }, async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'monroney-locked-'));
  chownSync(dataDir, NOBODY, NOBODY);
  // Root may write anywhere.
  process.seteuid!(NOBODY);
  try {
    const store = await openStore({ dataDir, log: silentLog });
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const label = await store.addLabel(newLabel(vin), pdf);
    chmodSync(join(dataDir, 'tmp'), 0o500);
    const another = freshVin();
    await assert.rejects(store.addLabel(newLabel(another), pdfOf(another)), StoreUnavailable);
    await assert.rejects(store.ready(), StoreUnavailable);
    assert.ok(pdf.equals(await store.pdf(label)));
    assert.ok((await store.find(vin)).label);
    chmodSync(join(dataDir, 'tmp'), 0o700);
    await store.ready();
    await store.addLabel(newLabel(another), pdfOf(another));
    await store.close();
  } finally {
    process.seteuid!(0);
    rmSync(dataDir, { recursive: true });
  }
});

void test(
  'a disk mounted on the label folder alone is refused at startup, because files are moved there from another folder',
  { skip },
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'monroney-mounted-'));
    const labels = join(dataDir, 'labels');
    mkdirSync(labels);
    assert.ok(mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', labels));
    try {
      await assert.rejects(
        openStore({ dataDir, log: silentLog }),
        /labels is on another file system than .*tmp.*Mount a disk on all of DATA_DIR/,
      );
    } finally {
      spawnSync('umount', ['-l', labels]);
      rmSync(dataDir, { recursive: true });
    }
  },
);
