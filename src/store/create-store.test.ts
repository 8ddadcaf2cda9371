import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../lib/log.ts';
import { createStore } from './create-store.ts';
import type { Files } from './label-bytes.ts';
import type { Sql } from './sql.ts';
import { StoreUnavailable } from './store.ts';

void test('readiness checks write at most once a second, and a failure is not remembered', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  let writes = 0;
  let failing = false;
  const files: Pick<Files, 'probe'> = {
    async probe() {
      writes++;
      if (failing) throw new StoreUnavailable('read-only');
    },
  };
  const sql: Sql = { one: () => async () => null, all: () => async () => [], run: () => async () => 0 };
  const { store } = createStore({
    main: sql,
    cache: sql,
    files: files as Files,
    log: silentLog,
    assertUsable: async () => {},
  });
  /** The writes that 20 checks at once and one after them cause. */
  async function writesAt(ms: number): Promise<number> {
    const before = writes;
    now = ms;
    await Promise.all(Array.from({ length: 20 }, () => store.ready()));
    await store.ready();
    return writes - before;
  }
  assert.equal(await writesAt(0), 1);
  assert.equal(await writesAt(999), 0);
  assert.equal(await writesAt(1000), 1);
  failing = true;
  now = 2000;
  await assert.rejects(store.ready(), StoreUnavailable);
  failing = false;
  assert.equal(await writesAt(2000), 1);
});
