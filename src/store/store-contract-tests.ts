import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { contactContract, stateContract } from './state-contract-tests.ts';
import { type HeldLabel, LabelCorrupted, LabelMissing, LabelWithdrawn, type Store } from './store.ts';
import { assertSameMiss, freshVin, newLabel, pdfOf, sha256Of } from './testing.ts';

/** A store to test, and how to open it again as after a restart. */
interface OpenedStore {
  store: Store;
  reopen(): Promise<Store>;
  /** Deletes the bytes of a label without using the store. */
  deleteBytes(label: HeldLabel): Promise<void>;
  /** Replaces the bytes of a label in the same way. */
  replaceBytes(label: HeldLabel, bytes: Buffer): Promise<void>;
  /** Deletes the row of a VIN, as an older database backup would. */
  deleteRow(vin: string): Promise<void>;
  cleanUp(): Promise<void>;
}

/** Lets other work go on, without a clock. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => void setImmediate(resolve));
}

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
    assert.deepEqual(await store.find(vin), { label: null, miss: null, withdrawal: null });
    const pdf = pdfOf(vin);
    const kept = await store.addLabel(newLabel(vin), pdf);
    assert.deepEqual(kept, { ...newLabel(vin), bytes: pdf.length, sha256: sha256Of(pdf) });
    assert.deepEqual((await store.find(vin)).label, kept);
    assert.ok(pdf.equals(await store.pdf(kept)));
  });

  void it('a label whose text contains NUL is stored', async () => {
    const vin = freshVin();
    const { sha256 } = await store.addLabel(
      newLabel(vin, { paint: { color: 'Atlas\0 Blue', code: '\0B1' } }),
      pdfOf(vin),
    );
    assert.equal((await store.find(vin)).label?.sha256, sha256);
    const car = { make: 'Ford', model: 'F-150\0', year: 2026, engine: null, assembly: null };
    await store.updateRead(vin, { paint: { color: 'Red\0', code: null }, car, reader: 'ford/1' });
    const read = (await store.find(vin)).label!;
    assert.match(read.paint!.color, /^Red/);
    assert.deepEqual(read.car, car);
  });

  void it('a label without readable paint has none, and paint can be added later', async () => {
    const vin = freshVin();
    await store.addLabel(newLabel(vin, { paint: null, reader: null }), pdfOf(vin));
    assert.equal((await store.find(vin)).label?.paint, null);
    const paint = { color: 'Ruby Flare Pearl', code: '3T3' };
    const car = { make: 'Toyota', model: 'TACOMA SR5', year: 2025, engine: null, assembly: null };
    const announced = new Promise((resolve) => store.onReplaced(resolve));
    await store.updateRead(vin, { paint, car, reader: 'toyota/2' });
    assert.equal(await announced, vin, 'responses in memory are made again');
    const label = (await store.find(vin)).label;
    assert.deepEqual([label?.paint, label?.car, label?.reader], [paint, car, 'toyota/2']);
    await store.updateRead(vin, { paint: null, reader: 'toyota/3' });
    const unread = (await store.find(vin)).label;
    assert.deepEqual([unread?.paint, unread?.car], [null, undefined]);
  });

  void it('the first label of a VIN stays', async () => {
    const vin = freshVin();
    const first = await store.addLabel(newLabel(vin), pdfOf(vin));
    assert.deepEqual(await store.addLabel(newLabel(vin, { host: 'other.example' }), pdfOf(vin)), first);
    assert.deepEqual((await store.find(vin)).label, first);
  });

  void it('ten concurrent writers of one VIN get the same intact label', async () => {
    const vin = freshVin();
    const before = (await store.counts()).labels;
    const kept = await Promise.all(
      Array.from({ length: 10 }, () => store.addLabel(newLabel(vin), pdfOf(vin))),
    );
    const held = (await store.find(vin)).label;
    for (const label of kept) assert.deepEqual(label, held);
    assert.equal(sha256Of(await store.pdf(held!)), held!.sha256);
    assert.equal((await store.counts()).labels, before + 1);
  });

  void it('withdrawing removes a label and everything derived from it, and prevents keeping it again', async () => {
    const [vin, twin] = [freshVin(), freshVin()];
    const notified: (string | null)[] = [];
    store.onReplaced((replaced) => notified.push(replaced));
    const pdf = pdfOf(vin);
    const label = await store.addLabel(newLabel(vin), pdf);
    const shared = pdfOf(twin);
    const other = freshVin();
    await store.addLabel(newLabel(twin), shared);
    await store.addLabel(newLabel(other), shared);
    const { labels } = await store.counts();
    await store.cache(label, 'text', '1', { version: 1, positioned: true, pages: [] });
    await store.cachePreview(label, 640, Buffer.from('webp'));
    assert.equal((await store.find(vin)).withdrawal, null);

    await store.withdraw({ vin, reason: 'asked by the owner', at: 5 });
    assert.deepEqual((await store.find(vin)).withdrawal, { vin, reason: 'asked by the owner', at: 5 });
    assert.equal((await store.find(vin)).label, null);
    await assert.rejects(store.pdf(label), LabelMissing);
    assert.equal(await store.cached(label, 'text', '1'), null);
    assert.equal(await store.preview(label, 640), null);
    assert.equal((await store.counts()).labels, labels - 1);
    await assert.rejects(store.addLabel(newLabel(vin), pdf), LabelWithdrawn);
    await assert.rejects(store.pdf(label), LabelMissing);

    // Bytes shared with another VIN stay.
    await store.withdraw({ vin: twin, reason: 'asked by the owner', at: 6 });
    assert.ok(shared.equals(await store.pdf((await store.find(other)).label!)));
    // Withdrawing again changes the reason, not the time.
    await store.withdraw({ vin, reason: 'a court', at: 9 });
    assert.deepEqual((await store.find(vin)).withdrawal, { vin, reason: 'a court', at: 5 });
    const mine = (await store.withdrawals()).filter((withdrawal) => [vin, twin].includes(withdrawal.vin));
    assert.deepEqual(
      mine.map((withdrawal) => withdrawal.vin),
      [vin, twin].sort(),
    );

    const { added } = await store.rebuild(() => {});
    assert.equal(added, 0);
    assert.equal((await store.find(vin)).label, null);
    assert.ok(notified.includes(vin));
  });

  void it('a withdrawal that was ended lets the label be added again', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    await store.addLabel(newLabel(vin), pdf);
    assert.equal(await store.endWithdrawal(vin), null, 'it was not withdrawn');
    await store.withdraw({ vin, reason: 'a mistake', at: 5 });
    assert.deepEqual(await store.endWithdrawal(vin), { vin, reason: 'a mistake', at: 5 });
    // Neither the database nor the files beside the labels have it any more.
    assert.deepEqual(await store.findOrRecover(vin), { label: null, miss: null, withdrawal: null });
    assert.ok(!(await store.withdrawals()).some((withdrawal) => withdrawal.vin === vin));
    assert.equal((await store.addLabel(newLabel(vin), pdf)).sha256, sha256Of(pdf));
    assert.ok(pdf.equals(await store.pdf((await store.find(vin)).label!)));
  });

  void it('withdrawing during ten concurrent writes removes the label', async () => {
    const vin = freshVin();
    const keeping = Array.from({ length: 10 }, async (_, n) => {
      await turns(n * 4);
      return store.addLabel(newLabel(vin), pdfOf(vin)).then(
        (label) => label,
        (error: unknown) => assert.ok(error instanceof LabelWithdrawn),
      );
    });
    await turns(16);
    await store.withdraw({ vin, reason: 'now', at: 1 });
    for (const label of await Promise.all(keeping))
      if (label) await assert.rejects(store.pdf(label), LabelMissing);
    assert.equal((await store.find(vin)).label, null);
  });

  void it('a label whose bytes are missing can be kept again', async () => {
    const vin = freshVin();
    const first = await store.addLabel(newLabel(vin), pdfOf(vin));
    await opened.deleteBytes(first);
    await assert.rejects(store.pdf(first), LabelMissing);
    const pdf = pdfOf(vin);
    const replacement = await store.addLabel(newLabel(vin), pdf);
    assert.equal(replacement.sha256, sha256Of(pdf));
    assert.ok(pdf.equals(await store.pdf(replacement)));
  });

  void it('a damaged label keeps its row until a new copy is kept; intact bytes clear the mark', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const held = await store.addLabel(newLabel(vin), pdf);
    await store.markDamaged({ ...held, sha256: sha256Of(Buffer.from('another')) });
    assert.deepEqual(
      (await store.labels(null, 100_000)).find((label) => label.vin === vin)?.damaged,
      undefined,
    );
    await store.markDamaged(held);
    assert.deepEqual((await store.find(vin)).label, held, 'its bytes are intact');
    assert.ok(pdf.equals(await store.pdf(held)));

    await opened.deleteBytes(held);
    assert.equal(await store.checkBytes(held), 'missing');
    await store.markDamaged(held);
    assert.deepEqual((await store.find(vin)).label, { ...held, damaged: true });
    const miss = {
      vin,
      source: 'ford',
      kind: 'none',
      why: 'x',
      at: Date.now(),
      until: Date.now() + 60_000,
    } as const;
    await store.addMiss(miss);
    assertSameMiss((await store.find(vin)).miss, miss);
    const newPdf = pdfOf(vin);
    const replacement = await store.addLabel(newLabel(vin), newPdf);
    assert.equal(replacement.sha256, sha256Of(newPdf));
    assert.deepEqual((await store.find(vin)).label, replacement);
    assert.equal((await store.find(vin)).miss, null);
  });

  void it('the same PDF replaces corrupted bytes of the same size', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const held = await store.addLabel(newLabel(vin), pdf);
    await opened.replaceBytes(held, Buffer.alloc(pdf.length));
    await assert.rejects(store.pdf(held), LabelCorrupted);
    await store.markDamaged(held);
    assert.deepEqual((await store.find(vin)).label, { ...held, damaged: true });
    assert.deepEqual(await store.addLabel(newLabel(vin), pdf), held);
    assert.ok(pdf.equals(await store.pdf(held)));
  });

  void it('a label whose row was lost is found beside its bytes before anything else is recorded', async () => {
    const [vin, other] = [freshVin(), freshVin()];
    const [label, second] = [
      await store.addLabel(newLabel(vin), pdfOf(vin)),
      await store.addLabel(newLabel(other), pdfOf(other)),
    ];
    for (const lost of [vin, other]) await opened.deleteRow(lost);
    assert.deepEqual(await store.addLabel(newLabel(vin), pdfOf(vin)), label, 'the first label stays');
    const at = Date.now();
    await store.addMiss({ vin: other, source: 'ford', kind: 'none', why: 'x', at, until: at + 60_000 });
    assert.deepEqual(await store.find(other), { label: second, miss: null, withdrawal: null });
  });

  void it('a withdrawal whose row was lost still prevents adding the label', async () => {
    const vin = freshVin();
    await store.withdraw({ vin, reason: 'a court', at: 3 });
    await opened.deleteRow(vin);
    await assert.rejects(store.addLabel(newLabel(vin), pdfOf(vin)), LabelWithdrawn);
    assert.deepEqual((await store.find(vin)).withdrawal, { vin, reason: 'a court', at: 3 });
  });

  void it('a rebuild restores all rows and withdrawals that were lost, and changes no other', async () => {
    const [vin, withdrawn, gone, kept] = [freshVin(), freshVin(), freshVin(), freshVin()];
    const label = await store.addLabel(newLabel(vin), pdfOf(vin));
    const missing = await store.addLabel(newLabel(gone), pdfOf(gone));
    const present = await store.addLabel(newLabel(kept), pdfOf(kept));
    await store.withdraw({ vin: withdrawn, reason: 'asked for', at: 4 });
    for (const lost of [vin, withdrawn, gone]) await opened.deleteRow(lost);
    await opened.deleteBytes(missing);
    const rebuilt = await store.rebuild(() => {});
    assert.deepEqual([rebuilt.added, rebuilt.missing, rebuilt.withdrawn], [1, 1, 1]);
    const all = (await store.labels(null, 100_000)).map((each) => each.vin);
    assert.ok(all.includes(vin) && all.includes(kept) && !all.includes(withdrawn));
    assert.deepEqual((await store.find(vin)).label, label);
    assert.deepEqual((await store.find(kept)).label, present);
    assert.equal((await store.find(withdrawn)).withdrawal?.reason, 'asked for');
    assert.equal((await store.rebuild(() => {})).added, 0);
  });

  stateContract(it, () => store);

  void it('labels are listed in VIN order and counted by make', async () => {
    const before = await store.counts();
    const vins = ['KNAAA0000000000B1', 'KNAAA0000000000B2', 'KNAAA0000000000B3'];
    for (const vin of vins) await store.addLabel(newLabel(vin, { make: 'KIA' }), pdfOf(vin));
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
    const kept = await store.addLabel(newLabel(vin), pdf);
    await store.close();
    store = opened.store = await opened.reopen();
    assert.deepEqual((await store.find(vin)).label, kept);
    assert.ok(pdf.equals(await store.pdf(kept)));
    assert.equal((await store.switches()).length, 2);
    assert.equal(await store.value('vpic:1'), 'two');
  });
}
