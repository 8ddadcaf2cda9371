import assert from 'node:assert/strict';
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { silentLog } from '../lib/log.ts';
import { openStore } from './index.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from './testing.ts';
import { type Store, StoreUnavailable } from './store.ts';
import { withUnsaved } from './unsaved.ts';

/** A real store whose writes can be made to fail. */
async function storeWithFailingWrites(maxBytes?: number) {
  const dataDir = await mkdtemp(join(tmpdir(), 'monroney-unsaved-'));
  const inner = await openStore({ dataDir, log: silentLog });
  const state = { failing: false };
  const failIfFailing = async () => {
    if (state.failing) throw new StoreUnavailable('read-only');
  };
  const wrapped: Store = {
    ...inner,
    keep: async (label, pdf) => (await failIfFailing(), inner.keep(label, pdf)),
    keepMiss: async (miss) => (await failIfFailing(), inner.keepMiss(miss)),
    ready: async () => (await failIfFailing(), inner.ready()),
  };
  const store = withUnsaved(wrapped, { log: silentLog, retryMs: 5, maxBytes });
  const close = async () => {
    state.failing = false;
    await store.close();
    await rm(dataDir, { recursive: true });
  };
  return { store, inner, state, close };
}

void test('a label that cannot be written is served from memory and written later; until then the store is not ready', async () => {
  const { store, inner, state, close } = await storeWithFailingWrites();
  state.failing = true;
  const vin = freshVin();
  const pdf = pdfOf(vin);
  const label = await store.keep(newLabel(vin), pdf);
  assert.deepEqual(await store.label(vin), label);
  assert.equal(label.sha256, sha256Of(pdf));
  assert.ok(pdf.equals(await store.pdf(label.sha256)));
  assert.ok(pdf.equals(await store.pdfInto(label.sha256, () => Buffer.alloc(pdf.length))));
  await assert.rejects(store.ready(), StoreUnavailable);
  assert.equal(await inner.label(vin), null);
  state.failing = false;
  while (!(await inner.label(vin))) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(await store.label(vin), label);
  while (
    !(await store.ready().then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 5));
  await close();
});

void test('when another copy was kept in the meantime, it wins and listeners are notified', async () => {
  const { store, inner, state, close } = await storeWithFailingWrites();
  const replaced: (string | null)[] = [];
  store.onReplaced((vin) => replaced.push(vin));
  state.failing = true;
  const vin = freshVin();
  await store.keep(newLabel(vin), pdfOf(vin));
  const first = await inner.keep(newLabel(vin), pdfOf(vin));
  state.failing = false;
  while (replaced.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(replaced, [vin]);
  assert.deepEqual(await store.label(vin), first);
  await close();
});

void test('a label that exceeds the memory limit is refused', async () => {
  const { store, state, close } = await storeWithFailingWrites(30_000);
  state.failing = true;
  const [one, two] = [freshVin(), freshVin()];
  await store.keep(newLabel(one), pdfOf(one));
  await assert.rejects(store.keep(newLabel(two), pdfOf(two)), StoreUnavailable);
  await close();
});

void test('a miss that cannot be written is remembered in memory', async () => {
  const { store, state, close } = await storeWithFailingWrites();
  state.failing = true;
  const vin = freshVin();
  const miss = {
    vin,
    source: 'ford',
    kind: 'none',
    why: 'x',
    at: Date.now(),
    until: Date.now() + 60_000,
  } as const;
  await assert.rejects(async () => store.keepMiss(miss), StoreUnavailable);
  assert.deepEqual(await store.miss(vin), miss);
  await close();
});

void test('a label that can never be written does not keep the others in memory', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'monroney-unsaved-'));
  t.after(() => rm(dataDir, { recursive: true }));
  const inner = await openStore({ dataDir, log: silentLog });
  const unsaved = (vin: string, pdf = pdfOf(vin)) => {
    return { vin, pdf, folder: join(dataDir, 'labels', sha256Of(pdf).slice(0, 2)) };
  };
  const first = unsaved(freshVin());
  let second = unsaved(freshVin());
  while (second.folder === first.folder) second = unsaved(second.vin);
  // Files in place of the folders that the labels belong in.
  for (const { folder } of [first, second]) await writeFile(folder, '');
  const store = withUnsaved(inner, { log: silentLog, retryMs: 60_000 });
  for (const { vin, pdf } of [first, second]) await store.keep(newLabel(vin), pdf);
  await unlink(second.folder);
  await store.close();
  const again = await openStore({ dataDir, log: silentLog });
  t.after(() => again.close());
  assert.equal((await again.label(second.vin))?.sha256, sha256Of(second.pdf));
});
