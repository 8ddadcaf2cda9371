import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { LabelMissing } from '../legacy-store.ts';
import { createFileReader } from './label-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'monroney-reader-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'label.pdf');
const bytes = Buffer.from('%PDF-1.4 and more');
writeFileSync(path, bytes);
const allocate = () => Buffer.alloc(bytes.length);

/** A clock that advances by the next of these steps at each call. */
function clockOf(...steps: number[]): () => number {
  let now = 0;
  return () => (now += steps.shift() ?? 0);
}

test('a fast disk is read synchronously', () => {
  const read = createFileReader(clockOf());
  const result = read(path, allocate);
  assert.ok(Buffer.isBuffer(result) && result.equals(bytes));
});

/** Clock steps before and after each of `count` slow reads. */
const slowReads = (count: number) => Array.from({ length: count }, () => [0, 30]).flat();

test('a single slow read changes nothing', () => {
  const read = createFileReader(clockOf(...slowReads(2), 60_000, 30));
  for (let n = 0; n < 4; n++) assert.ok(Buffer.isBuffer(read(path, allocate)));
});

test('after three slow reads the next ones are asynchronous for a minute', async () => {
  const read = createFileReader(clockOf(...slowReads(3), 0, 60_001));
  for (let n = 0; n < 3; n++) assert.ok(Buffer.isBuffer(read(path, allocate)));
  const pending = read(path, allocate);
  assert.ok(pending instanceof Promise);
  assert.ok((await pending).equals(bytes));
  assert.ok(Buffer.isBuffer(read(path, allocate)));
});

test('a few slow reads among thousands of fast ones change nothing', () => {
  const fastReads = Array.from({ length: 5000 }, () => [0, 0.2]).flat();
  const read = createFileReader(clockOf(...fastReads, ...slowReads(3)));
  for (let n = 0; n < 5003; n++) assert.ok(Buffer.isBuffer(read(path, allocate)));
  assert.ok(Buffer.isBuffer(read(path, allocate)));
});

test('a truncated or missing file is an error, read either way', async () => {
  const longer = () => Buffer.alloc(bytes.length + 1);
  const read = createFileReader(clockOf(...slowReads(3)));
  for (let n = 0; n < 2; n++) void read(path, allocate);
  assert.throws(() => read(path, longer), LabelMissing);
  await assert.rejects(async () => read(path, longer), LabelMissing);
  await assert.rejects(async () => read(join(folder, 'none.pdf'), allocate), { code: 'ENOENT' });
  assert.throws(() => createFileReader(clockOf())(join(folder, 'none.pdf'), allocate), { code: 'ENOENT' });
});

test('a buffer that cannot be allocated is an error, read either way', async () => {
  const tooLarge = () => Buffer.alloc(-1);
  const read = createFileReader(clockOf(...slowReads(3)));
  for (let n = 0; n < 2; n++) void read(path, allocate);
  assert.throws(() => read(path, tooLarge), RangeError);
  await assert.rejects(async () => read(path, tooLarge), RangeError);
});
