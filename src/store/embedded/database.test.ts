import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { silentLog } from '../../lib/log.ts';
import { openDatabase } from './database.ts';

const folder = mkdtempSync(join(tmpdir(), 'monroney-view-'));
after(() => rmSync(folder, { recursive: true }));
const migrations = ['CREATE TABLE cars (vin TEXT NOT NULL PRIMARY KEY, color TEXT NOT NULL)'];
const open = () =>
  openDatabase(join(folder, 'cars.sqlite'), {
    synchronous: 'NORMAL',
    migrations,
    ifDamaged: 'Delete it.',
    log: silentLog,
  });
const COLOR = 'SELECT color FROM cars WHERE vin = ?';
const PAINT = 'INSERT OR REPLACE INTO cars VALUES (?, ?)';

test('a read sees our own write at once, inside and outside a transaction', () => {
  const db = open();
  const color = db.oneFromSnapshot<[string]>(COLOR);
  const paint = db.run(PAINT);
  assert.equal(color('A'), null);
  for (const name of ['red', 'blue', 'green']) {
    paint('A', name);
    assert.deepEqual(color('A'), [name]);
  }
  db.withTransaction(() => {
    paint('A', 'white');
    color('A');
  });
  assert.deepEqual(color('A'), ['white']);
  db.close();
});

test('a read sees the write of another process shortly after, and that write does not wait', async () => {
  const [ours, theirs] = [open(), open()];
  const color = ours.oneFromSnapshot<[string]>(COLOR);
  color('B');
  theirs.run(PAINT)('B', 'black');
  for (let n = 0; n < 200 && color('B') === null; n++) await wait(5);
  assert.deepEqual(color('B'), ['black']);
  ours.close();
  theirs.close();
});

test('reading a closed database throws, and no timer is left running', async () => {
  const db = open();
  const color = db.oneFromSnapshot<[string]>(COLOR);
  color('A');
  db.close();
  assert.throws(() => color('A'));
  await wait(40);
});

test('what is read once per snapshot is read again after a write, by us or by another process', async () => {
  const [ours, theirs] = [open(), open()];
  const count = ours.oneFromSnapshot<[number]>('SELECT count(*) FROM cars');
  let [reads, cars] = [0, 0];
  const refresh = ours.oncePerSnapshot(() => {
    reads++;
    cars = count()![0];
  });
  refresh();
  refresh();
  assert.equal(reads, 1);
  const before = cars;
  ours.run(PAINT)('D', 'red');
  refresh();
  assert.deepEqual([reads, cars], [2, before + 1]);
  theirs.run(PAINT)('E', 'red');
  for (let n = 0; n < 200; n++) {
    await wait(5);
    refresh();
    if (cars !== before + 1) break;
  }
  assert.equal(cars, before + 2);
  ours.close();
  theirs.close();
});
