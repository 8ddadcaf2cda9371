import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { freshVin, newLabel, pdfOf } from '../testing.ts';
import { openPrepared } from './files.ts';

const folder = await mkdtemp(join(tmpdir(), 'monroney-prepared-'));
after(() => rm(folder, { recursive: true }));
let serial = 0;
const newPath = () => join(folder, `${serial++}.part`);
const files = async () => (await readdir(folder)).filter((name) => name.endsWith('.part'));
const settled = async (left: number) => {
  while ((await files()).length !== left) await new Promise((resolve) => setTimeout(resolve, 5));
};

test('prepared bytes can be taken once', async () => {
  const prepared = openPrepared(newPath);
  const bytes = Buffer.from('a label');
  prepared.begin(bytes);
  const path = await prepared.take(bytes);
  assert.deepEqual(await readFile(path!), bytes);
  assert.equal(await prepared.take(bytes), null);
  await rm(path!);
});

test('equal bytes in another buffer do not match', async () => {
  const prepared = openPrepared(newPath);
  const cancel = prepared.begin(Buffer.from('a label'));
  assert.equal(await prepared.take(Buffer.from('a label')), null);
  cancel();
  await settled(0);
});

test('cancelling removes the file', async () => {
  const prepared = openPrepared(newPath);
  const cancel = prepared.begin(Buffer.from('a placeholder'));
  cancel();
  cancel();
  await settled(0);
});

test('a failed write is not reported; the bytes are just not prepared', async () => {
  const prepared = openPrepared(() => join(folder, 'away', 'x.part'));
  const bytes = Buffer.from('a label');
  prepared.begin(bytes);
  assert.equal(await prepared.take(bytes), null);
});

test('keeping a prepared label leaves no temporary file', async () => {
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
