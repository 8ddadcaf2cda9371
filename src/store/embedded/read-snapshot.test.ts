import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'monroney-view-'));
after(() => rmSync(folder, { recursive: true }));
const steps = ['CREATE TABLE cars (vin TEXT NOT NULL PRIMARY KEY, color TEXT NOT NULL)'];
const open = () => openDatabase(join(folder, 'cars.sqlite'), { synchronous: 'NORMAL', steps });
const COLOR = 'SELECT color FROM cars WHERE vin = ?';
const PAINT = 'INSERT OR REPLACE INTO cars VALUES (?, ?)';

test('what was just written is seen at once, in a transaction and out of one', () => {
  const db = open();
  const color = db.often<[string]>(COLOR);
  const paint = db.run(PAINT);
  assert.equal(color('A'), null);
  for (const name of ['red', 'blue', 'green']) {
    paint('A', name);
    assert.deepEqual(color('A'), [name]);
  }
  db.whole(() => {
    paint('A', 'white');
    color('A');
  });
  assert.deepEqual(color('A'), ['white']);
  db.close();
});

test('what another process writes is seen a moment later, and it does not wait for us', async () => {
  const [ours, theirs] = [open(), open()];
  const color = ours.often<[string]>(COLOR);
  color('B');
  theirs.run(PAINT)('B', 'black');
  for (let n = 0; n < 200 && color('B') === null; n++) await wait(5);
  assert.deepEqual(color('B'), ['black']);
  ours.close();
  theirs.close();
});

test('a closed database says so, and nothing of it stays behind', async () => {
  const db = open();
  const color = db.often<[string]>(COLOR);
  color('A');
  db.close();
  assert.throws(() => color('A'));
  await wait(40);
});
