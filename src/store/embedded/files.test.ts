import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { test } from 'node:test';
import { readUpTo } from './files.ts';

void test(
  'an endless file is read no further than asked',
  { skip: process.platform === 'win32' ? 'skipped: Windows has no /dev/zero' : false },
  async () => {
    const file = await open('/dev/zero');
    assert.deepEqual(await readUpTo(file, 1000), Buffer.alloc(1000));
    await file.close();
  },
);

void test('a file with fewer bytes is read to its end', async () => {
  const file = await open(import.meta.filename);
  const { size } = await file.stat();
  assert.equal((await readUpTo(file, 10 * size)).length, size);
  await file.close();
});
