import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readFile,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { createLog, silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from '../testing.ts';
import {
  type HeldLabel,
  LabelMissing,
  LabelCorrupted,
  type Store,
  StoreUnavailable,
} from '../legacy-store.ts';
import { openDatabase } from './database.ts';
import { openFiles } from './files.ts';
import { restoreLostRows, startScrub } from './integrity.ts';
import { openJournal } from './journal.ts';
import { labelRows } from './label-rows.ts';
import { labelMigrations } from './migrations.ts';
import { openEmbedded } from './open.ts';
import { openWithdrawals } from './withdrawals.ts';

let root: string;
before(async () => (root = await mkdtemp(join(tmpdir(), 'monroney-checked-'))));
after(() => rm(root, { recursive: true }));
const fresh = () => mkdtemp(join(root, 'data-'));
const fileOf = (dataDir: string, sha256: string) =>
  join(dataDir, 'labels', sha256.slice(0, 2), `${sha256.slice(2)}.pdf`);

async function flip(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(path, bytes);
}

/** Every way to read the bytes. */
const readers = (store: Store, sha256: string, bytes: number) => [
  async () => store.pdf(sha256),
  async () => store.pdfInto(sha256, () => Buffer.alloc(bytes)),
  async () => buffer(await store.pdfStream(sha256, 0, bytes - 1)),
  async () => buffer(await store.pdfStream(sha256, 5, 9)),
];

void test('every way of reading detects a flipped bit, even right after a correct read', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  const { sha256, bytes } = await store.keep(newLabel(vin), pdfOf(vin));
  for (const read of readers(store, sha256, bytes)) await read();
  await flip(fileOf(dataDir, sha256));
  for (const read of readers(store, sha256, bytes)) await assert.rejects(read, LabelCorrupted);
  await flip(fileOf(dataDir, sha256));
  for (const read of readers(store, sha256, bytes)) await read();
  await store.close();
});

void test(
  'links and pipes in place of a label are not followed, even to the right bytes',
  { skip: process.platform === 'win32' },
  async () => {
    const dataDir = await fresh();
    const store = await openStore({ dataDir, log: silentLog });
    const vin = freshVin();
    const { sha256, bytes } = await store.keep(newLabel(vin), pdfOf(vin));
    const path = fileOf(dataDir, sha256);
    await rename(path, join(root, 'elsewhere.pdf'));
    await symlink(join(root, 'elsewhere.pdf'), path);
    for (const read of readers(store, sha256, bytes)) await assert.rejects(read, LabelMissing);
    await unlink(path);
    execFileSync('mkfifo', [path]);
    for (const read of readers(store, sha256, bytes)) await assert.rejects(read, LabelMissing);
    assert.equal(await store.checkBytes((await store.labels(null, 1))[0]!), 'missing');
    await store.close();
  },
);

void test('the background check finds and marks a damaged label and saves its progress', async () => {
  const dataDir = await fresh();
  let logged = '';
  const log = createLog('info', (lines) => (logged += lines));
  const store = await openEmbedded({ dataDir, log, scrubMs: 1 });
  const kept = [];
  for (let n = 0; n < 3; n++) {
    const vin = freshVin();
    kept.push(await store.keep(newLabel(vin), pdfOf(vin)));
  }
  await flip(fileOf(dataDir, kept[1]!.sha256));
  while (!(await store.labels(null, 10)).some((label) => label.damaged) || !(await store.value('scrub')))
    await new Promise((resolve) => setTimeout(resolve, 5));
  const marked = (await store.labels(null, 10)).filter((label) => label.damaged);
  assert.deepEqual(
    marked.map(({ sha256 }) => sha256),
    [kept[1]!.sha256],
  );
  assert.match((await store.value('scrub'))!, /"finished":\d+/);
  log.flush();
  assert.match(logged, /damaged/);
  const pdf = pdfOf(kept[1]!.vin);
  assert.equal((await store.keep(newLabel(kept[1]!.vin), pdf)).sha256, sha256Of(pdf));
  await store.close();
});

void test('a label interrupted between its file and its row gets the row at the next start', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  await store.close();
  const vin = freshVin();
  const pdf = pdfOf(vin);
  const sha256 = sha256Of(pdf);
  const row = { ...newLabel(vin), bytes: pdf.length, sha256 };
  await writeFile(join(dataDir, 'tmp', `service-1-0.${sha256}.keeping`), JSON.stringify(row));
  const path = fileOf(dataDir, sha256);
  execFileSync('mkdir', ['-p', join(path, '..')]);
  await writeFile(path, pdf);
  const reopened = await openStore({ dataDir, log: silentLog });
  assert.deepEqual(await reopened.label(vin), row);
  await reopened.close();
});

void test('restoring lost rows that was interrupted continues at the next start', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const [older, newer] = [freshVin(), freshVin()];
  const { sha256 } = await store.keep(newLabel(older), pdfOf(older));
  // Far more than the part of the journal that a start looks at.
  await appendFile(join(dataDir, 'labels', 'rows.jsonl'), '\n'.repeat(100_000));
  await store.keep(newLabel(newer), pdfOf(newer));
  await store.close();
  for (const end of ['', '-wal', '-shm']) await rm(join(dataDir, `labels.sqlite${end}`), { force: true });

  const options = {
    synchronous: 'NORMAL',
    migrations: labelMigrations,
    ifDamaged: '',
    log: silentLog,
  } as const;
  const db = openDatabase(join(dataDir, 'labels.sqlite'), options);
  const files = openFiles(dataDir, 'service');
  const failing: typeof files.label = async (digest) => {
    if (digest === sha256) throw new StoreUnavailable('interrupted');
    return files.label(digest);
  };
  const interrupted = restoreLostRows(
    {
      labels: labelRows(db),
      files: { ...files, label: failing },
      journal: openJournal(dataDir),
      withdrawn: openWithdrawals(db, dataDir),
    },
    async () => {},
    silentLog,
  );
  await assert.rejects(interrupted, StoreUnavailable);
  db.close();

  const again = await openStore({ dataDir, log: silentLog });
  for (const vin of [newer, older]) assert.ok(await again.label(vin), vin);
  await again.close();
});

void test('removing service.lock does not let a second service start', async () => {
  const dataDir = await fresh();
  const service = await openStore({ dataDir, log: silentLog });
  await unlink(join(dataDir, 'service.lock'));
  await assert.rejects(openStore({ dataDir, log: silentLog }), /in use by another running service/);
  await new Promise((resolve) => setTimeout(resolve, 1200));
  await assert.rejects(openStore({ dataDir, log: silentLog }), /in use by another running service/);
  await service.close();
  await (await openStore({ dataDir, log: silentLog })).close();
});

void test('a label is no longer served if its withdrawal fails halfway, and withdrawing it again removes its bytes', async () => {
  const dataDir = await fresh();
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  const { sha256 } = await store.keep(newLabel(vin), pdfOf(vin));
  const journal = join(dataDir, 'labels', 'rows.jsonl');
  await rename(journal, `${journal}.away`);
  await mkdir(journal);
  const withdrawal = { vin, reason: 'asked by the owner', at: 1 };
  await assert.rejects(store.withdraw(withdrawal), { code: 'EISDIR' });
  assert.equal(await store.label(vin), null);
  await rmdir(journal);
  await rename(`${journal}.away`, journal);
  await store.withdraw(withdrawal);
  await assert.rejects(readFile(fileOf(dataDir, sha256)), { code: 'ENOENT' });
  assert.ok(!(await readFile(journal, 'utf8')).includes(vin));
  await store.close();
});

void test('a file that cannot be read is reported and does not keep the others from being checked', async () => {
  const dataDir = await fresh();
  const lines: string[] = [];
  const store = await openStore({ dataDir, log: silentLog, exclusive: false });
  const kept = [];
  for (const vin of [freshVin(), freshVin(), freshVin()])
    kept.push(await store.keep(newLabel(vin), pdfOf(vin)));
  const [unreadable, missing] = [kept[0]!, kept[2]!];
  await unlink(fileOf(dataDir, missing.sha256));
  const damaged: string[] = [];
  const scrub = startScrub({
    labels: store.labels as (after: string | null, limit: number) => HeldLabel[],
    async checkBytes(label) {
      // As on a disk with a bad sector.
      if (label.vin === unreadable.vin) throw new StoreUnavailable('EIO: i/o error, read');
      return store.checkBytes(label);
    },
    markDamaged: (vin) => void damaged.push(vin),
    value: () => null,
    setValue: () => {},
    log: createLog('info', (text) => lines.push(text)),
    everyMs: 1,
  });
  for (let tries = 0; damaged.length === 0 && tries < 200; tries++)
    await new Promise((resolve) => setTimeout(resolve, 5));
  scrub.stop();
  await store.close();
  assert.equal(damaged[0], missing.vin);
  assert.match(lines.join(''), new RegExp(`cannot be read.*${unreadable.sha256}.*EIO`));
});

void test('a response that the service caches while a command withdraws the label does not stay', async () => {
  const dataDir = await fresh();
  const service = await openStore({ dataDir, log: silentLog });
  const command = await openStore({ dataDir, log: silentLog, exclusive: false });
  const vin = freshVin();
  await service.keep(newLabel(vin), pdfOf(vin));
  const noticed = new Promise((resolve) => service.onReplaced(resolve));
  await command.withdraw({ vin, reason: 'asked by the owner', at: 1 });
  // It had read the label just before.
  await service.cacheResponse(vin, { body: '{"available":true}', etag: '"1"', version: '1' });
  assert.equal(await noticed, vin);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await service.cachedResponse(vin), null);
  await command.close();
  await service.close();
});
