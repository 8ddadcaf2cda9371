// lane: service
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { freshVin, newLabel, pdfOf } from '../testing.ts';
import { backUp, restore } from './backup.ts';

let root: string;
before(async () => (root = await mkdtemp(join(tmpdir(), 'monroney-open-'))));
after(() => rm(root, { recursive: true }));

const fresh = () => mkdtemp(join(root, 'data-'));

void test('a second service on one DATA_DIR is refused with a reason, an admin command is not', async () => {
  const dataDir = await fresh();
  const service = await openStore({ dataDir, log: silentLog });
  await assert.rejects(openStore({ dataDir, log: silentLog }), /in use by another running service/);
  const admin = await openStore({ dataDir, log: silentLog, exclusive: false });
  await admin.setSwitch({ source: 'kia', state: 'off', reason: 'a test', since: 1 });
  assert.equal((await service.switches())[0]?.state, 'off');
  await admin.close();
  await service.close();
  await (await openStore({ dataDir, log: silentLog })).close();
});

void test('commands that start at the same time on an empty folder all open it without overwriting each other', async () => {
  const dataDir = await fresh();
  const open = () => openStore({ dataDir, log: silentLog, exclusive: false });
  const stores = await Promise.all(Array.from({ length: 8 }, open));
  const vins: string[] = [];
  for (const store of stores) vins.push((await store.addLabel(newLabel(freshVin()), pdfOf(freshVin()))).vin);
  for (const vin of vins) assert.ok((await stores[0]!.find(vin)).label);
  for (const store of stores) await store.close();
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
});

void test('DATA_DIR may itself be a link, as systemd makes it for a dynamic user', async () => {
  const [dataDir, lost, backup] = [join(root, 'link'), join(root, 'lost-link'), await fresh()];
  await symlink(await fresh(), dataDir);
  await symlink(await fresh(), lost);
  const store = await openStore({ dataDir, log: silentLog });
  await store.ready();
  const { vin } = await store.addLabel(newLabel(freshVin()), pdfOf(freshVin()));
  await store.withdraw({ vin, reason: 'a test', at: 1 });
  await backUp(dataDir, backup, silentLog, () => {});
  await store.close();
  assert.equal((await restore(backup, lost, silentLog, () => {})).withdrawals, 1);
});

void test('if SQLite cannot open a database, the error names the file', async () => {
  const dataDir = await fresh();
  await mkdir(join(dataDir, 'labels.sqlite-wal'));
  const named = /labels\.sqlite can't be opened: .*disk works/;
  await assert.rejects(openStore({ dataDir, log: silentLog, exclusive: false }), named);
  const service = await openStore({ dataDir, log: silentLog });
  await assert.rejects(service.ready(), named);
  await rm(join(dataDir, 'labels.sqlite-wal'), { recursive: true });
  await service.ready();
  await service.close();
});

void test(
  'what a command leaves as root belongs to the owner of the folder',
  { skip: process.geteuid?.() === 0 ? false : 'skipped: changing the owner needs root' },
  async () => {
    const NOBODY = 65534;
    const dataDir = await fresh();
    chownSync(dataDir, NOBODY, NOBODY);
    for (const exclusive of [false, true]) {
      const store = await openStore({ dataDir, log: silentLog, exclusive });
      const vin = freshVin();
      await store.addLabel(newLabel(vin), pdfOf(vin));
      await store.withdraw({ vin: freshVin(), reason: 'a test', at: 1 });
      const names = await readdir(dataDir, { recursive: true });
      assert.ok(names.includes(join('labels', '1F', `${vin}.json`)));
      for (const name of names) assert.equal((await stat(join(dataDir, name))).uid, NOBODY, name);
      await store.close();
    }
  },
);

const WITHOUT_CHOWN = ['--bounding-set=-chown', '--inh-caps=-chown'];

void test(
  'root that may not change owners opens a folder of another user',
  {
    skip:
      spawnSync('setpriv', WITHOUT_CHOWN.concat('true')).status === 0
        ? false
        : 'skipped: needs root and setpriv',
  },
  async () => {
    const dataDir = await fresh();
    chownSync(dataDir, 65534, 65534);
    chmodSync(dataDir, 0o777);
    const script = `
      import { openStore } from ${JSON.stringify(import.meta.resolve('../index.ts'))};
      import { silentLog } from ${JSON.stringify(import.meta.resolve('../../lib/log.ts'))};
      await (await openStore({ dataDir: ${JSON.stringify(dataDir)}, log: silentLog })).close();`;
    const { stderr } = spawnSync(
      'setpriv',
      [...WITHOUT_CHOWN, process.execPath, '--input-type=module', '-e', script],
      { encoding: 'utf8' },
    );
    assert.equal(stderr, '');
  },
);

void test(
  'the folder and all in it are for its owner only',
  { skip: process.platform === 'win32' },
  async () => {
    const dataDir = join(await fresh(), 'new');
    const store = await openStore({ dataDir, log: silentLog });
    const vin = freshVin();
    await store.addLabel(newLabel(vin), pdfOf(vin));
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
    for (const name of await readdir(dataDir, { recursive: true })) {
      assert.equal((await stat(join(dataDir, name))).mode & 0o077, 0, name);
    }
    await store.close();
  },
);

void test('a damaged cache is replaced, and a store of a newer version is refused', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  const label = await store.addLabel(newLabel(vin), pdfOf(vin));
  await store.close();
  await writeFile(join(dataDir, 'cache.sqlite'), Buffer.alloc(8192, 7));
  const reopened = await openStore({ dataDir, log: silentLog });
  assert.ok((await reopened.find(vin)).label);
  await reopened.cachePreview(label, 640, Buffer.from('webp'));
  await reopened.close();
  const rows = new DatabaseSync(join(dataDir, 'labels.sqlite'));
  rows.exec('PRAGMA user_version = 999');
  rows.close();
  await assert.rejects(openStore({ dataDir, log: silentLog }), /newer version/);
});

void test('a folder of a version before 1.0 is refused, and nothing in it is touched', async () => {
  const dataDir = await fresh();
  await mkdir(join(dataDir, 'labels'));
  await writeFile(join(dataDir, 'labels', 'rows.jsonl'), '');
  const old = new DatabaseSync(join(dataDir, 'labels.sqlite'));
  old.exec('PRAGMA user_version = 5');
  old.close();
  const before = await readdir(dataDir, { recursive: true });
  await assert.rejects(openStore({ dataDir, log: silentLog }), /written by a version before 1\.0/);
  assert.deepEqual(await readdir(dataDir, { recursive: true }), before);
});
