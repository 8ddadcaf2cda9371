import assert from 'node:assert/strict';
import { unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { silentLog } from '../lib/log.ts';
import { openStore } from './index.ts';
import { folderOf } from './label-bytes.ts';
import { type Store, StoreUnavailable } from './store.ts';
import { freshVin, newLabel, openTestStore, pdfOf, sha256Of, temporaryFolder } from './testing.ts';
import { withUnsaved } from './unsaved.ts';

const RETRY_MS = 2000;

/** A real store whose writes can be made to fail, with a clock of its own. */
async function storeWithFailingWrites(t: TestContext, maxBytes?: number) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { store: inner } = await openTestStore(t);
  const state = { failing: true, added() {} };
  const unlessFailing = <T>(work: () => Promise<T>): Promise<T> =>
    state.failing ? Promise.reject(new StoreUnavailable('read-only')) : work();
  const wrapped: Store = {
    ...inner,
    addLabel: (label, pdf) => unlessFailing(() => inner.addLabel(label, pdf).finally(() => state.added())),
    addMiss: (miss) => unlessFailing(() => inner.addMiss(miss)),
    ready: () => unlessFailing(inner.ready),
  };
  const store = withUnsaved(wrapped, { log: silentLog, retryMs: RETRY_MS, maxBytes });
  /** Writes work again, and what was buffered is written. */
  async function recover(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    Object.assign(state, { failing: false, added: resolve });
    t.mock.timers.tick(RETRY_MS);
    await promise;
    await new Promise((resolved) => void setImmediate(resolved));
  }
  return { store, inner, recover };
}

void test('a label that cannot be written is served from memory and written later', async (t) => {
  const { store, inner, recover } = await storeWithFailingWrites(t);
  const vin = freshVin();
  const pdf = pdfOf(vin);
  const label = await store.addLabel(newLabel(vin), pdf);
  assert.deepEqual((await store.find(vin)).label, label);
  assert.equal(label.sha256, sha256Of(pdf));
  assert.ok(pdf.equals(await store.pdf(label)));
  assert.equal((await inner.find(vin)).label, null);
  await recover();
  assert.deepEqual((await store.find(vin)).label, label);
  assert.ok(pdf.equals(await inner.pdf(label)));
});

void test('when another copy was stored in the meantime, it wins and listeners are notified', async (t) => {
  const { store, inner, recover } = await storeWithFailingWrites(t);
  const replaced: (string | null)[] = [];
  store.onReplaced((vin) => replaced.push(vin));
  const vin = freshVin();
  await store.addLabel(newLabel(vin), pdfOf(vin));
  const first = await inner.addLabel(newLabel(vin), pdfOf(vin));
  await recover();
  assert.deepEqual(replaced, [vin]);
  assert.deepEqual((await store.find(vin)).label, first);
});

void test('a label that is withdrawn while it is only in memory is not served', async (t) => {
  const { store, inner } = await storeWithFailingWrites(t);
  const vin = freshVin();
  await store.addLabel(newLabel(vin), pdfOf(vin));
  await inner.withdraw({ vin, reason: 'asked for', at: 1 });
  const { label, withdrawal } = await store.find(vin);
  assert.deepEqual([label, withdrawal?.reason], [null, 'asked for']);
});

void test('a label that exceeds the memory limit is refused', async (t) => {
  const { store } = await storeWithFailingWrites(t, 30_000);
  const [one, two] = [freshVin(), freshVin()];
  await store.addLabel(newLabel(one), pdfOf(one));
  await assert.rejects(store.ready(), /1 labels in memory/);
  await assert.rejects(store.addLabel(newLabel(two), pdfOf(two)), StoreUnavailable);
});

void test('a label that can never be written keeps neither the others in memory nor new ones away', async (t) => {
  const dataDir = temporaryFolder(t);
  const inner = await openStore({ dataDir, log: silentLog });
  const [first, second] = [freshVin(), freshVin().replace('1F', '2F')];
  // Files in place of the folders that the labels belong in.
  const folders = [first, second].map((vin) => join(dataDir, folderOf(vin)));
  for (const folder of folders) await writeFile(folder, '');
  const store = withUnsaved(inner, { log: silentLog });
  for (const vin of [first, second]) await store.addLabel(newLabel(vin), pdfOf(vin));
  await store.ready();
  await unlink(folders[1]!);
  await store.close();
  const { store: again } = await openTestStore(t, dataDir);
  assert.ok((await again.find(second)).label);
});
