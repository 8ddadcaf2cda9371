import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, test } from 'node:test';
import { readerVersionOf } from '../makers/read.ts';
import { contactContract } from './contact-contract.ts';
import { LabelMissing, LabelWithdrawn, type Miss, type NewLabel, type Store } from './store.ts';

/** A store to test, and how to open it again as after a restart. */
export interface OpenedStore {
  store: Store;
  reopen(): Promise<Store>;
  /** Deletes the bytes of a label without using the store. */
  deleteBytes(sha256: string): Promise<void>;
  cleanUp(): Promise<void>;
}

let serial = 0;
/** A VIN that is unused in this run. */
export const freshVin = (): string => `1FTFW1E80${String(++serial).padStart(8, '0')}`;

export const newLabel = (vin: string, more: Partial<NewLabel> = {}): NewLabel => ({
  vin,
  make: 'FORD',
  source: 'ford',
  host: 'labels.example',
  fetched: 1_763_000_000_000,
  paint: { color: 'Atlas Blue Metallic', code: null },
  reader: readerVersionOf('FORD'),
  ...more,
});

export const pdfOf = (vin: string, bytes = 20_000): Buffer =>
  Buffer.concat([Buffer.from(`%PDF-1.7 ${vin}\n`), randomBytes(bytes), Buffer.from('\n%%EOF')]);

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const collect = async (stream: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** The shared store uses the database's clock, so times may differ by some milliseconds. */
function assertSameMiss(actual: Miss | null, expected: Miss): void {
  assert.ok(
    actual && Math.abs(actual.at - expected.at) < 2000 && Math.abs(actual.until - expected.until) < 2000,
  );
  assert.deepEqual({ ...actual, at: 0, until: 0 }, { ...expected, at: 0, until: 0 });
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
    assert.equal(await store.label(vin), null);
    const pdf = pdfOf(vin);
    const kept = await store.keep(newLabel(vin), pdf);
    assert.deepEqual(kept, { ...newLabel(vin), bytes: pdf.length, sha256: sha256Of(pdf) });
    assert.deepEqual(await store.label(vin), kept);
    assert.ok(pdf.equals(await store.pdf(kept.sha256)));
  });

  void it('a label without readable paint has none, and paint can be added later', async () => {
    const vin = freshVin();
    await store.keep(newLabel(vin, { paint: null, reader: null }), pdfOf(vin));
    assert.equal((await store.label(vin))?.paint, null);
    await store.updatePaint(vin, { color: 'Ruby Flare Pearl', code: '3T3' }, 'toyota/2');
    const label = await store.label(vin);
    assert.deepEqual([label?.paint, label?.reader], [{ color: 'Ruby Flare Pearl', code: '3T3' }, 'toyota/2']);
    await store.updatePaint(vin, null, 'toyota/3');
    assert.equal((await store.label(vin))?.paint, null);
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
    for (const each of kept) assert.deepEqual(each, held);
    assert.equal(sha256Of(await store.pdf(held!.sha256)), held!.sha256);
    assert.equal((await store.counts()).labels, before + 1);
  });

  void it('withdrawing removes a label and everything derived from it, and prevents keeping it again', async () => {
    const [vin, twin] = [freshVin(), freshVin()];
    const notified: (string | null)[] = [];
    store.onReplaced((each) => notified.push(each));
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
    const mine = (await store.withdrawals()).filter((each) => [vin, twin].includes(each.vin));
    assert.deepEqual(
      mine.map((each) => each.vin),
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
    const again = await store.keep(newLabel(vin), pdf);
    assert.equal(again.sha256, sha256Of(pdf));
    assert.ok(pdf.equals(await store.pdf(again.sha256)));
  });

  void it('a damaged label keeps its row until a new copy is kept; intact bytes clear the mark', async () => {
    const vin = freshVin();
    const pdf = pdfOf(vin);
    const held = await store.keep(newLabel(vin), pdf);
    await store.markDamaged(vin, sha256Of(Buffer.from('another')));
    assert.deepEqual(
      (await store.labels(null, 100_000)).find((each) => each.vin === vin)?.damaged,
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
    const fresh = pdfOf(vin);
    const again = await store.keep(newLabel(vin), fresh);
    assert.equal(again.sha256, sha256Of(fresh));
    assert.deepEqual(await store.label(vin), again);
    assert.equal(await store.miss(vin), null);
  });

  void it('a miss lasts until it expires or a label is kept', async () => {
    const vin = freshVin();
    const at = Date.now();
    const miss = { vin, source: 'ford', kind: 'none', why: 'not-released', at, until: at + 60_000 } as const;
    assert.equal(await store.miss(vin), null);
    await store.keepMiss(miss);
    assertSameMiss(await store.miss(vin), miss);
    await store.keepMiss({ ...miss, kind: 'failed', why: 'timeout', until: at - 1 });
    assert.equal(await store.miss(vin), null);
    await store.keepMiss(miss);
    await store.keep(newLabel(vin), pdfOf(vin));
    assert.equal(await store.miss(vin), null);
  });

  void it('a cached response has a version and can be replaced and deleted', async () => {
    const vin = freshVin();
    assert.equal(await store.cachedResponse(vin), null);
    await store.cacheResponse(vin, { body: '{"ok":true}', etag: '"a"', version: '1' });
    await store.cacheResponse(vin, { body: '{"ok":1}', etag: '"b"', version: '2' });
    assert.deepEqual(await store.cachedResponse(vin), { body: '{"ok":1}', etag: '"b"', version: '2' });
    await store.dropCachedResponse(vin);
    assert.equal(await store.cachedResponse(vin), null);
  });

  void it('texts, readings and previews are returned unchanged', async () => {
    const sha256 = sha256Of(randomBytes(8));
    const item = { text: 'Prix de détail — 56 430 $', x: 1.25, y: 2, width: 3, size: 8.5, eol: true };
    const text = { version: 3, positioned: true, pages: [{ width: 612, height: 792, items: [item] }] };
    assert.equal(await store.text(sha256), null);
    await store.keepText(sha256, text);
    assert.deepEqual(await store.text(sha256), text);
    const reading = {
      reader: 'gm/3',
      readable: false,
      reason: 'picture',
      vin: null,
      paint: null,
      label: null,
      proof: null,
    } as const;
    await store.keepReading(sha256, reading);
    assert.deepEqual(await store.reading(sha256, 'gm/3'), reading);
    assert.equal(await store.reading(sha256, 'gm/4'), null);
    assert.equal(await store.preview(sha256, 640), null);
    const webp = randomBytes(5000);
    await store.keepPreview(sha256, 640, webp);
    assert.ok(webp.equals((await store.preview(sha256, 640))!));
    assert.equal(await store.preview(sha256, 1280), null);
  });

  void it('switching a source records a change only if its state or reason is new', async () => {
    const off = { source: 'kia', state: 'off', reason: 'labels stopped', since: 1000 } as const;
    await store.setSwitch(off);
    await store.setSwitch({ ...off, since: 2000 });
    assert.deepEqual(
      (await store.switches()).filter((each) => each.source === 'kia'),
      [off],
    );
    await store.setSwitch({ source: 'kia', state: 'on', reason: null, since: 3000 });
    const past = { source: 'subaru', at: 500, state: 'off', reason: 'a test' } as const;
    await store.addChanges([past, past]);
    assert.deepEqual(await store.changes(10), [
      { source: 'kia', at: 3000, state: 'on', reason: null },
      { source: 'kia', at: 1000, state: 'off', reason: 'labels stopped' },
      past,
    ]);
    assert.equal((await store.changes(1)).length, 1);
  });

  void it('source requests are counted by source and hour with their median duration', async () => {
    const at = Date.now();
    const hour = Math.floor(at / 3_600_000);
    for (const ms of [100, 1000, 1000, 1100, 9000]) await store.countSourceRequest('gm', at, 'label', ms);
    await store.countSourceRequest('gm', at, 'failed', 1000);
    await store.countSourceRequest('gm', at - 3_600_000, 'none', 10);
    const [count, ...rest] = (await store.sourceRequests(hour)).filter((each) => each.source === 'gm');
    assert.equal(rest.length, 0);
    const { medianMs, ...counts } = count!;
    assert.deepEqual(counts, { source: 'gm', hour, label: 5, none: 0, refused: 0, failed: 1 });
    assert.ok(medianMs! > 900 && medianMs! < 1100, String(medianMs));
    assert.equal((await store.sourceRequests(hour - 1)).filter((each) => each.source === 'gm').length, 2);
  });

  void it('a key-value pair expires', async () => {
    await store.setValue('vpic:1', 'one', Date.now() + 60_000);
    await store.setValue('vpic:1', 'two', Date.now() + 60_000);
    await store.setValue('vpic:2', 'gone', Date.now() - 1);
    assert.equal(await store.value('vpic:1'), 'two');
    assert.equal(await store.value('vpic:2'), null);
    assert.deepEqual(
      (await store.values(null, 10)).map((each) => each.key),
      ['vpic:1'],
    );
    assert.deepEqual(await store.values('vpic:1', 10), []);
  });

  void it('labels are listed in VIN order and counted by make', async () => {
    const before = await store.counts();
    const vins = ['KNAAA0000000000B1', 'KNAAA0000000000B2', 'KNAAA0000000000B3'];
    for (const vin of vins) await store.keep(newLabel(vin, { make: 'KIA' }), pdfOf(vin));
    const page = await store.labels('KNAAA0000000000B0', 2);
    assert.deepEqual(
      page.map((each) => each.vin),
      vins.slice(0, 2),
    );
    assert.deepEqual(
      (await store.labels(vins[1]!, 2)).map((each) => each.vin),
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
