import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { LabelMissing } from '../store.ts';
import { createFileReader } from './file-reader.ts';

const folder = mkdtempSync(join(tmpdir(), 'monroney-reader-'));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, 'label.pdf');
const bytes = Buffer.from('%PDF-1.4 and more');
writeFileSync(path, bytes);
const allocate = () => Buffer.alloc(bytes.length);

/** A clock that moves on by the next of these times at each look. */
function clockOf(...steps: number[]): () => number {
  let now = 0;
  return () => (now += steps.shift() ?? 0);
}

test('a quick disk is read at once', () => {
  const read = createFileReader(clockOf());
  const got = read(path, allocate);
  assert.ok(Buffer.isBuffer(got) && got.equals(bytes));
});

/** Looks of the clock around as many slow reads. */
const slowReads = (count: number) => Array.from({ length: count }, () => [0, 30]).flat();

test('one slow read is nothing to mind', () => {
  const read = createFileReader(clockOf(...slowReads(2), 60_000, 30));
  for (let n = 0; n < 4; n++) assert.ok(Buffer.isBuffer(read(path, allocate)));
});

test('after some slow reads others are not kept waiting, and a minute later it is tried again', async () => {
  const read = createFileReader(clockOf(...slowReads(3), 0, 60_001));
  for (let n = 0; n < 3; n++) assert.ok(Buffer.isBuffer(read(path, allocate)));
  const elsewhere = read(path, allocate);
  assert.ok(elsewhere instanceof Promise);
  assert.ok((await elsewhere).equals(bytes));
  assert.ok(Buffer.isBuffer(read(path, allocate)));
});

test('a file that is too short or away is told in both ways', async () => {
  const longer = () => Buffer.alloc(bytes.length + 1);
  const read = createFileReader(clockOf(...slowReads(3)));
  for (let n = 0; n < 2; n++) void read(path, allocate);
  assert.throws(() => read(path, longer), LabelMissing);
  await assert.rejects(async () => read(path, longer), LabelMissing);
  await assert.rejects(async () => read(join(folder, 'none.pdf'), allocate), { code: 'ENOENT' });
  assert.throws(() => createFileReader(clockOf())(join(folder, 'none.pdf'), allocate), { code: 'ENOENT' });
});
