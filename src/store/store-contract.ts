import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contactContract, stateContract } from './state-contract.ts';
import { LabelMissing, LabelWithdrawn, type Store } from './store.ts';
import { assertSameMiss, freshVin, newLabel, pdfOf, sha256Of } from './testing.ts';

/** A store to test, and how to open it again as after a restart. */
interface OpenedStore {
  store: Store;
  reopen(): Promise<Store>;
  /** Deletes the bytes of a label without using the store. */
  deleteBytes(sha256: string): Promise<void>;
  cleanUp(): Promise<void>;
}

const collect = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Tests that every store must pass. */
export function storeContract(name: string, open: () => Promise<OpenedStore>): void {
  let opened: OpenedStore;
  let store: Store;
  before(async () => {
    opened = await open();
    store = opened.store;
  });
  after(() => opened?.cleanUp());
  const it = (title: string, body: () => Promise<void>) => test(`${name}: ${title}`, body);

  void it('a label is returned with the same bytes and fields', async () => {
    const vin = freshVin();
    assert.equal(await store.label(vin), null);
    const pdf = pdfOf(vin);
    const kept = await store.keep(newLabel(vin), pdf);
    assert.deepEqual(kept, { ...newLabel(vin), bytes: pdf.length, sha256: sha256Of(pdf) });
    assert.deepEqual(await store.label(vin), kept);
    assert.ok(pdf.equals(await store.pdf(kept.sha256)));
  });

  void it('a label whose text contains NUL is stored', async () => {
    const vin = freshVin();
    const { sha256 } = await store.keep(
      newLabel(vin, { paint: { color: 'Atlas\0 Blue', code: '\0B1' } }),
      pdfOf(vin),
    );
    assert.equal((await store.label(vin))?.sha256, sha256);
    const car = { make: 'Ford', model: 'F-150\0', year: 2026, engine: null, assembly: null };
    await store.updateRead(vin, { paint: { color: 'Red\0', code: null }, car, reader: 'ford/1' });
    const read = (await store.label(vin))!;
    assert.match(read.paint!.color, /^Red/);
    assert.deepEqual(read.car, car);
  });

  void it('a label without readable paint has none, and paint can be added later', async () => {
    const vin = freshVin();
    await store.keep(newLabel(vin, { paint: null, reader: null }), pdfOf(vin));
    assert.equal((await store.label(vin))?.paint, null);
    const paint = { color: 'Ruby Flare Pearl', code: '3T3' };
    const car = { make: 'Toyota', model: 'TACOMA SR5', year: 2025, engine: null, assembly: null };
    await store.updateRead(vin, { paint, car, reader: 'toyota/2' });
    const label = await store.label(vin);
    assert.deepEqual([label?.paint, label?.car, label?.reader], [paint, car, 'toyota/2']);
    await store.updateRead(vin, { paint: null, reader: 'toyota/3' });
    const unread = await store.label(vin);
    assert.deepEqual([unread?.paint, unread?.car], [null, undefined]);
  });

  void it('a byte range of a PDF includes both ends', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin, 700_000);
    const { sha256 } = await store.keep(newLabel(vin), pdf);
    for (const [start, end] of [
      [0, 0],
      [100, 299_999],
      [0, pdf.length - 1],
      [pdf.length - 1, pdf.length - 1],
    ] as const) {
      assert.ok(
        pdf.subarray(start, end + 1).equals(await collect(await store.pdfStream(sha256, start, end))),
      );
    }
  });

  void it('the first label of a VIN stays', async () => {
    const vin = freshVin();
    const first = await store.keep(newLabel(vin), pdfOf(vin));
    assert.deepEqual(await store.keep(newLabel(vin, { host: 'other.example' }), pdfOf(vin)), first);
    assert.deepEqual(await store.label(vin), first);
  });

  void it('ten concurrent writers of one VIN get the same intact label', async () => {
    const vin = freshVin();
    const before = (await store.counts()).labels;
    const kept = await Promise.all(Array.from({ length: 10 }, () => store.keep(newLabel(vin), pdfOf(vin))));
    const held = await store.label(vin);
    for (const label of kept) assert.deepEqual(label, held);
    assert.equal(sha256Of(await store.pdf(held!.sha256)), held!.sha256);
    assert.equal((await store.counts()).labels, before + 1);
  });

  void it('withdrawing removes a label and everything derived from it, and prevents keeping it again', async () => {
    const [vin, twin] = [freshVin(), freshVin()];
    const notified: (string | null)[] = [];
    store.onReplaced((replaced) => notified.push(replaced));
    const pdf = pdfOf(vin);
    const { sha256 } = await store.keep(newLabel(vin), pdf);
    const shared = pdfOf(twin);
    const other = freshVin();
    await store.keep(newLabel(twin), shared);
    await store.keep(newLabel(other), shared);
    const { labels } = await store.counts();
    await store.keepText(sha256, { version: 1, positioned: true, pages: [] });
    await store.keepPreview(sha256, 640, Buffer.from('webp'));
    await store.cacheResponse(vin, { body: '{}', etag: '"1"', version: '1' });
    assert.equal(await store.withdrawal(vin), null);

    await store.withdraw({ vin, reason: 'asked by the owner', at: 5 });
    assert.deepEqual(await store.withdrawal(vin), { vin, reason: 'asked by the owner', at: 5 });
    assert.equal(await store.label(vin), null);
    await assert.rejects(store.pdf(sha256), LabelMissing);
    assert.equal(await store.text(sha256), null);
    assert.equal(await store.preview(sha256, 640), null);
    assert.equal(await store.cachedResponse(vin), null);
    assert.equal((await store.counts()).labels, labels - 1);
    await assert.rejects(store.keep(newLabel(vin), pdf), LabelWithdrawn);
    await assert.rejects(store.pdf(sha256), LabelMissing);

    // Bytes shared with another VIN stay.
    await store.withdraw({ vin: twin, reason: 'asked by the owner', at: 6 });
    assert.ok(shared.equals(await store.pdf((await store.label(other))!.sha256)));
    // Withdrawing again changes the reason, not the time.
    await store.withdraw({ vin, reason: 'a court', at: 9 });
    assert.deepEqual(await store.withdrawal(vin), { vin, reason: 'a court', at: 5 });
    const mine = (await store.withdrawals()).filter((withdrawal) => [vin, twin].includes(withdrawal.vin));
    assert.deepEqual(
      mine.map((withdrawal) => withdrawal.vin),
      [vin, twin].sort(),
    );

    const { added } = await store.rebuild(() => {});
    assert.equal(added, 0);
    assert.equal(await store.label(vin), null);
    for (let tries = 0; tries < 500 && !notified.includes(vin); tries++)
      await new Promise((resolve) => setTimeout(resolve, 20));
    assert.ok(notified.includes(vin));
  });

  void it('withdrawing during ten concurrent writes removes the label', async () => {
    const vin = freshVin();
    const keeping = Array.from({ length: 10 }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * 2));
      return store.keep(newLabel(vin), pdfOf(vin)).then(
        ({ sha256 }) => sha256,
        (error: unknown) => assert.ok(error instanceof LabelWithdrawn),
      );
    });
    await new Promise((resolve) => setTimeout(resolve, 8));
    await store.withdraw({ vin, reason: 'now', at: 1 });
    for (const sha256 of await Promise.all(keeping))
      if (sha256) await assert.rejects(store.pdf(sha256), LabelMissing);
    assert.equal(await store.label(vin), null);
  });

  void it('a label whose bytes are missing can be kept again', async () => {
    const vin = freshVin();
    const first = await store.keep(newLabel(vin), pdfOf(vin));
    await opened.deleteBytes(first.sha256);
    await assert.rejects(store.pdf(first.sha256), LabelMissing);
    await assert.rejects(store.pdfStream(first.sha256, 0, 10), LabelMissing);
    const pdf = pdfOf(vin);
    const replacement = await store.keep(newLabel(vin), pdf);
    assert.equal(replacement.sha256, sha256Of(pdf));
    assert.ok(pdf.equals(await store.pdf(replacement.sha256)));
  });

  void it('a damaged label keeps its row until a new copy is kept; intact bytes clear the mark', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const held = await store.keep(newLabel(vin), pdf);
    await store.markDamaged(vin, sha256Of(Buffer.from('another')));
    assert.deepEqual(
      (await store.labels(null, 100_000)).find((label) => label.vin === vin)?.damaged,
      undefined,
    );
    await store.markDamaged(vin, held.sha256);
    assert.deepEqual(await store.label(vin), held, 'its bytes are intact');
    assert.ok(pdf.equals(await store.pdf(held.sha256)));

    await opened.deleteBytes(held.sha256);
    assert.equal(await store.checkBytes(held), 'missing');
    await store.markDamaged(vin, held.sha256);
    assert.deepEqual(await store.label(vin), { ...held, damaged: true });
    const miss = {
      vin,
      source: 'ford',
      kind: 'none',
      why: 'x',
      at: Date.now(),
      until: Date.now() + 60_000,
    } as const;
    await store.keepMiss(miss);
    assertSameMiss(await store.miss(vin), miss);
    const newPdf = pdfOf(vin);
    const replacement = await store.keep(newLabel(vin), newPdf);
    assert.equal(replacement.sha256, sha256Of(newPdf));
    assert.deepEqual(await store.label(vin), replacement);
    assert.equal(await store.miss(vin), null);
  });

  stateContract(it, () => store);

  void it('labels are listed in VIN order and counted by make', async () => {
    const before = await store.counts();
    const vins = ['KNAAA0000000000B1', 'KNAAA0000000000B2', 'KNAAA0000000000B3'];
    for (const vin of vins) await store.keep(newLabel(vin, { make: 'KIA' }), pdfOf(vin));
    const page = await store.labels('KNAAA0000000000B0', 2);
    assert.deepEqual(
      page.map((label) => label.vin),
      vins.slice(0, 2),
    );
    assert.deepEqual(
      (await store.labels(vins[1]!, 2)).map((label) => label.vin),
      vins.slice(2),
    );
    assert.ok((await store.labels(null, 100)).length > 3);
    const counts = await store.counts();
    assert.equal(counts.byMake['KIA'], 3);
    assert.equal(counts.labels - before.labels, 3);
    assert.ok(counts.bytes - before.bytes > 60_000);
  });

  contactContract(it, () => store);

  void it('it is writable and still has its data after a restart', async () => {
    await store.ready();
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const kept = await store.keep(newLabel(vin), pdf);
    await store.close();
    store = opened.store = await opened.reopen();
    assert.deepEqual(await store.label(vin), kept);
    assert.ok(pdf.equals(await store.pdf(kept.sha256)));
    assert.equal((await store.switches()).length, 1);
    assert.equal(await store.value('vpic:1'), 'two');
  });
}
