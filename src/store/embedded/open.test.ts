import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, watch } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, truncate, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { createLog, silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { freshVin, newLabel, pdfOf } from '../testing.ts';

let root: string;
before(async () => (root = await mkdtemp(join(tmpdir(), 'monroney-open-'))));
after(() => rm(root, { recursive: true }));

const fresh = () => mkdtemp(join(root, 'data-'));
const fileOf = (dataDir: string, sha256: string) =>
  join(dataDir, 'labels', sha256.slice(0, 2), `${sha256.slice(2)}.pdf`);

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
  for (const store of stores) vins.push((await store.keep(newLabel(freshVin()), pdfOf(freshVin()))).vin);
  for (const store of stores) await store.close();
  const lines = await readFile(join(dataDir, 'labels', 'rows.jsonl'), 'utf8');
  for (const vin of vins) assert.ok(lines.includes(vin));
  assert.deepEqual(
    (await readdir(join(dataDir, 'labels'))).filter((name) => name.endsWith('.part')),
    [],
  );
});

void test('lookups that start at the same time check once whether the store is writable', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const probes = new Set<string>();
  const watcher = watch(
    join(dataDir, 'tmp'),
    (_, name) => void (name?.endsWith('.probe') && probes.add(name)),
  );
  await Promise.all(Array.from({ length: 10 }, () => store.ready()));
  await new Promise((resolve) => setTimeout(resolve, 50));
  watcher.close();
  await store.close();
  assert.equal(probes.size, 1);
});

void test('if SQLite cannot open a database, the error names the file', async () => {
  const dataDir = await fresh();
  await mkdir(join(dataDir, 'labels.sqlite-wal'));
  await assert.rejects(
    openStore({ dataDir, log: silentLog }),
    /labels\.sqlite can't be opened: .*disk works/,
  );
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
      const { sha256 } = await store.keep(newLabel(vin), pdfOf(vin));
      await store.keepPreview(sha256, 320, pdfOf(vin));
      await store.withdraw({ vin: freshVin(), reason: 'a test', at: 1 });
      const names = await readdir(dataDir, { recursive: true });
      assert.ok(names.includes(join('labels', 'withdrawn.jsonl')));
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
    await store.keep(newLabel(vin), pdfOf(vin));
    assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
    for (const name of await readdir(dataDir, { recursive: true })) {
      assert.equal((await stat(join(dataDir, name))).mode & 0o077, 0, name);
    }
    await store.close();
  },
);

void test('opening the store removes leftovers of a crash, but no intact label, with or without a row', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  const kept = await store.keep(newLabel(vin), pdfOf(vin));
  const lost = await store.keep(newLabel(freshVin()), pdfOf(vin));
  const half = await store.keep(newLabel(freshVin()), pdfOf(vin));
  await store.close();
  await truncate(fileOf(dataDir, half.sha256), 100);
  const rows = new DatabaseSync(join(dataDir, 'labels.sqlite'));
  rows.prepare('DELETE FROM labels WHERE sha256 IN (?, ?)').run(lost.sha256, half.sha256);
  rows.close();
  await writeFile(join(dataDir, 'tmp', `service-1-0.${lost.sha256}.keeping`), '');
  await writeFile(join(dataDir, 'tmp', `service-1-4.${half.sha256}.keeping`), '');
  await writeFile(join(dataDir, 'tmp', `service-1-1.${kept.sha256}.keeping`), '');
  await writeFile(join(dataDir, 'tmp', `service-1-2.${kept.sha256}.part`), 'half');
  await writeFile(join(dataDir, 'tmp', `admin-1-3.${kept.sha256}.part`), 'being written by a command');
  const reopened = await openStore({ dataDir, log: silentLog });
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), [`admin-1-3.${kept.sha256}.part`]);
  assert.equal(existsSync(fileOf(dataDir, lost.sha256)), true, 'an intact label is never deleted');
  assert.equal(existsSync(fileOf(dataDir, half.sha256)), false);
  assert.equal(existsSync(fileOf(dataDir, kept.sha256)), true);
  await reopened.close();
});

void test('a recent row whose file is missing or truncated is marked and logged', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const [intact, missing, truncated] = [freshVin(), freshVin(), freshVin()];
  const kept = await Promise.all(
    [intact, missing, truncated].map((vin) => store.keep(newLabel(vin), pdfOf(vin))),
  );
  await store.close();
  await unlink(fileOf(dataDir, kept[1]!.sha256));
  await truncate(fileOf(dataDir, kept[2]!.sha256), 100);
  let logged = '';
  const reopened = await openStore({ dataDir, log: createLog('info', (lines) => (logged += lines)) });
  assert.ok(await reopened.label(intact));
  assert.equal((await reopened.label(missing))?.damaged, true);
  assert.equal((await reopened.label(truncated))?.damaged, true);
  const named = kept.map(({ sha256 }) => logged.includes(sha256));
  assert.deepEqual(named, [false, true, true]);
  assert.ok(![intact, missing, truncated].some((vin) => logged.includes(vin)), 'no VIN is logged');
  await reopened.close();
});

void test('when many files are missing nothing is marked: the wrong folder may be mounted', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vins = Array.from({ length: 20 }, freshVin);
  await Promise.all(vins.map((vin) => store.keep(newLabel(vin), pdfOf(vin, 10))));
  await store.close();
  await rm(join(dataDir, 'labels'), { recursive: true });
  let logged = '';
  const reopened = await openStore({ dataDir, log: createLog('info', (lines) => (logged += lines)) });
  assert.equal((await reopened.counts()).labels, 20);
  assert.match(logged, /admin verify/);
  await reopened.close();
});

void test('a damaged cache is replaced, and a store of a newer version is refused', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  await store.keep(newLabel(vin), pdfOf(vin));
  await store.close();
  await writeFile(join(dataDir, 'cache.sqlite'), Buffer.alloc(8192, 7));
  const reopened = await openStore({ dataDir, log: silentLog });
  assert.ok(await reopened.label(vin));
  await reopened.cacheResponse(vin, { body: '{}', etag: '"a"', version: '1' });
  await reopened.close();
  const rows = new DatabaseSync(join(dataDir, 'labels.sqlite'));
  rows.exec('PRAGMA user_version = 999');
  rows.close();
  await assert.rejects(openStore({ dataDir, log: silentLog }), /newer version/);
});
