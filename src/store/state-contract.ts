import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Store } from './store.ts';
import { assertSameMiss, freshVin, newLabel, pdfOf, sha256Of } from './testing.ts';

/** Tests that every store must pass for everything but labels and contacts; part of `storeContract`. */
export function stateContract(
  it: (title: string, body: () => Promise<void>) => unknown,
  store: () => Store,
): void {
  void it('a miss lasts until it expires or a label is kept', async () => {
    const vin = freshVin();
    const at = Date.now();
    const miss = { vin, source: 'ford', kind: 'none', why: 'not-released', at, until: at + 60_000 } as const;
    assert.equal(await store().miss(vin), null);
    await store().keepMiss(miss);
    assertSameMiss(await store().miss(vin), miss);
    await store().keepMiss({ ...miss, kind: 'failed', why: 'timeout', until: at - 1 });
    assert.equal(await store().miss(vin), null);
    await store().keepMiss(miss);
    await store().keep(newLabel(vin), pdfOf(vin));
    assert.equal(await store().miss(vin), null);
  });

  void it('a cached response has a version and can be replaced and deleted', async () => {
    const vin = freshVin();
    assert.equal(await store().cachedResponse(vin), null);
    await store().cacheResponse(vin, { body: '{"ok":true}', etag: '"a"', version: '1' });
    await store().cacheResponse(vin, { body: '{"ok":1}', etag: '"b"', version: '2' });
    assert.deepEqual(await store().cachedResponse(vin), { body: '{"ok":1}', etag: '"b"', version: '2' });
    await store().dropCachedResponse(vin);
    assert.equal(await store().cachedResponse(vin), null);
  });

  void it('texts, readings and previews are returned unchanged', async () => {
    const sha256 = sha256Of(randomBytes(8));
    const item = { text: 'Prix de détail — 56 430 $', x: 1.25, y: 2, width: 3, size: 8.5, eol: true };
    const text = { version: 3, positioned: true, pages: [{ width: 612, height: 792, items: [item] }] };
    assert.equal(await store().text(sha256), null);
    await store().keepText(sha256, text);
    assert.deepEqual(await store().text(sha256), text);
    const reading = {
      reader: 'gm/3',
      readable: false,
      reason: 'picture',
      vin: null,
      paint: null,
      label: null,
      proof: null,
    } as const;
    await store().keepReading(sha256, reading);
    assert.deepEqual(await store().reading(sha256, 'gm/3'), reading);
    assert.equal(await store().reading(sha256, 'gm/4'), null);
    assert.equal(await store().preview(sha256, 640), null);
    const webp = randomBytes(5000);
    await store().keepPreview(sha256, 640, webp);
    assert.ok(webp.equals((await store().preview(sha256, 640))!));
    assert.equal(await store().preview(sha256, 1280), null);
  });

  void it('switching a source records a change only if its state or reason is new', async () => {
    const off = { source: 'kia', state: 'off', reason: 'labels stopped', since: 1000 } as const;
    await store().setSwitch(off);
    await store().setSwitch({ ...off, since: 2000 });
    assert.deepEqual(
      (await store().switches()).filter(({ source }) => source === 'kia'),
      [off],
    );
    await store().setSwitch({ source: 'kia', state: 'on', reason: null, since: 3000 });
    const past = { source: 'subaru', at: 500, state: 'off', reason: 'a test' } as const;
    await store().addChanges([past, past]);
    assert.deepEqual(await store().changes(10), [
      { source: 'kia', at: 3000, state: 'on', reason: null },
      { source: 'kia', at: 1000, state: 'off', reason: 'labels stopped' },
      past,
    ]);
    assert.equal((await store().changes(1)).length, 1);
  });

  void it('source requests are counted by source and hour with their median duration', async () => {
    const at = Date.now();
    const hour = Math.floor(at / 3_600_000);
    for (const ms of [100, 1000, 1000, 1100, 9000]) await store().countSourceRequest('gm', at, 'label', ms);
    await store().countSourceRequest('gm', at, 'failed', 1000);
    await store().countSourceRequest('gm', at - 3_600_000, 'none', 10);
    const [count, ...rest] = (await store().sourceRequests(hour)).filter(({ source }) => source === 'gm');
    assert.equal(rest.length, 0);
    const { medianMs, ...counts } = count!;
    assert.deepEqual(counts, { source: 'gm', hour, label: 5, none: 0, refused: 0, failed: 1 });
    assert.ok(medianMs! > 900 && medianMs! < 1100, String(medianMs));
    assert.equal((await store().sourceRequests(hour - 1)).filter(({ source }) => source === 'gm').length, 2);
  });

  void it('a key-value pair expires', async () => {
    await store().setValue('vpic:1', 'one', Date.now() + 60_000);
    await store().setValue('vpic:1', 'two', Date.now() + 60_000);
    await store().setValue('vpic:2', 'gone', Date.now() - 1);
    assert.equal(await store().value('vpic:1'), 'two');
    assert.equal(await store().value('vpic:2'), null);
    assert.deepEqual(
      (await store().values(null, 10)).map(({ key }) => key),
      ['vpic:1'],
    );
    assert.deepEqual(await store().values('vpic:1', 10), []);
  });
}
