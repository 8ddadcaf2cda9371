import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { freshVin, newLabel, pdfOf } from '../store-contract.ts';
import { openPrepared } from './prepared.ts';

const folder = await mkdtemp(join(tmpdir(), 'monroney-prepared-'));
after(() => rm(folder, { recursive: true }));
let serial = 0;
const newName = () => join(folder, `${serial++}.part`);
const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'));
const settled = async (left: number) => {
  while ((await files()).length !== left) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('bytes written ahead are there when they are kept, once', async () => {
  const prepared = openPrepared(newName);
  const bytes = Buffer.from('a label');
  prepared.begin(bytes);
  const path = await prepared.take(bytes);
  assert.deepEqual(await readFile(path!), bytes);
  assert.equal(await prepared.take(bytes), null);
  await rm(path!);
});

test('equal bytes from elsewhere are not taken for these', async () => {
  const prepared = openPrepared(newName);
  const stop = prepared.begin(Buffer.from('a label'));
  assert.equal(await prepared.take(Buffer.from('a label')), null);
  stop();
  await settled(0);
});

test('what turns out to be no label leaves nothing behind', async () => {
  const prepared = openPrepared(newName);
  const stop = prepared.begin(Buffer.from('a placeholder'));
  stop();
  stop();
  await settled(0);
});

test('bytes that could not be written ahead are nobody’s trouble until they are kept', async () => {
  const prepared = openPrepared(() => join(folder, 'away', 'x.part'));
  const bytes = Buffer.from('a label');
  prepared.begin(bytes);
  assert.equal(await prepared.take(bytes), null);
});

test('a label prepared in a store is kept, and nothing is left beside it', async () => {
  const dataDir = join(folder, 'data');
  const store = await openStore({ dataDir, log: silentLog });
  const vin = freshVin();
  const pdf = pdfOf(vin);
  store.prepare(pdf);
  const { sha256 } = await store.keep(newLabel(vin), pdf);
  assert.ok(pdf.equals(await store.pdf(sha256)));
  assert.deepEqual(await readdir(join(dataDir, 'tmp')), []);
  await store.close();
});
