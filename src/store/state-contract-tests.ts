import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { LabelMissing, type Store } from './store.ts';
import { assertSameMiss, freshVin, newLabel, pdfOf, sha256Of } from './testing.ts';

/** Tests that every store must pass for everything but labels and contacts; part of `storeContract`. */
export function stateContract(
  it: (title: string, body: () => Promise<void>) => unknown,
  store: () => Store,
): void {
  void it('a miss lasts until it expires or a label is kept', async () => {
    const vin = freshVin();
    const at = Date.now();
    const miss = { vin, source: 'ford', kind: 'none', why: 'not-found', at, until: at + 60_000 } as const;
    assert.equal((await store().find(vin)).miss, null);
    await store().addMiss(miss);
    assertSameMiss((await store().find(vin)).miss, miss);
    await store().addMiss({ ...miss, kind: 'failed', why: 'timeout', until: at - 1 });
    assert.equal((await store().find(vin)).miss, null);
    await store().addMiss(miss);
    await store().addLabel(newLabel(vin), pdfOf(vin));
    assert.equal((await store().find(vin)).miss, null);
  });

  void it('texts, readings and previews are returned unchanged', async () => {
    const vin = freshVin();
    const label = { ...newLabel(vin), bytes: 8, sha256: sha256Of(randomBytes(8)) };
    const replaced = { ...label, sha256: sha256Of(randomBytes(8)) };
    const item = { text: 'Prix de détail — 56 430 $', x: 1.25, y: 2, width: 3, size: 8.5, eol: true };
    const text = { version: 3, positioned: true, pages: [{ width: 612, height: 792, items: [item] }] };
    assert.equal(await store().cached(label, 'text', '3'), null);
    await store().cache(label, 'text', '3', text);
    assert.deepEqual(await store().cached(label, 'text', '3'), text);
    assert.equal(await store().cached(label, 'text', '4'), null, 'another version');
    assert.equal(await store().cached(replaced, 'text', '3'), null, 'computed from other bytes');
    const reading = {
      reader: 'gm/3',
      readable: false,
      reason: 'picture',
      vin: null,
      paint: null,
      label: null,
      proof: null,
    } as const;
    await store().cache(label, 'reading', 'gm/3', reading);
    assert.deepEqual(await store().cached(label, 'reading', 'gm/3'), reading);
    assert.equal(await store().preview(label, 640), null);
    const webp = randomBytes(5000);
    await store().cachePreview(label, 640, webp);
    assert.ok(webp.equals((await store().preview(label, 640))!));
    assert.equal(await store().preview(label, 1280), null);
  });

  void it('what is larger than any text or preview is not read, however small its compressed form is', async () => {
    const vin = freshVin();
    const label = { ...newLabel(vin), bytes: 8, sha256: sha256Of(randomBytes(8)) };
    const [text, size] = ['x'.repeat(17 * 2 ** 20), 12];
    const item = { text, x: 1, y: 2, width: 3, size, eol: true };
    const pages = [{ width: 612, height: 792, items: [item] }];
    await store().cache(label, 'text', '3', { version: 3, positioned: true, pages });
    assert.equal(await store().cached(label, 'text', '3'), null);
    await store().cachePreview(label, 640, Buffer.from(text));
    assert.equal(await store().preview(label, 640), null);
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

  void it('a withheld source is off, and switching it on ends both', async () => {
    const withheld = {
      source: 'gm',
      state: 'off',
      reason: 'asked to stop',
      since: 10,
      withheld: true,
    } as const;
    const stored = async () => (await store().switches()).filter(({ source }) => source === 'gm');
    await store().setSwitch({ source: 'gm', state: 'off', reason: 'asked to stop', since: 5 });
    await store().setSwitch(withheld);
    assert.deepEqual(await stored(), [withheld]);
    const [latest] = (await store().changes(50)).filter(({ source }) => source === 'gm');
    assert.deepEqual(latest, { source: 'gm', at: 10, state: 'off', reason: 'asked to stop' });
    const on = { source: 'gm', state: 'on', reason: null, since: 20 } as const;
    await store().setSwitch(on);
    assert.deepEqual(await stored(), [on]);
  });

  void it('vPIC data is stored, replaced and rolled back; the two latest are kept', async () => {
    const { vpic } = store();
    assert.deepEqual(await vpic.choice(), { current: null, previous: null });
    assert.equal(await vpic.rollBack(), null);
    const [first, second, third] = ['2098-01', '2098-02', '2098-03'].map((month) => ({
      month,
      bytes: randomBytes(100_000),
    })) as [Data, Data, Data];
    type Data = { month: string; bytes: Buffer };
    const months = async () => {
      const { current, previous } = await vpic.choice();
      return [current?.month, previous?.month];
    };
    const { current: oldest } = await vpic.add(first.month, first.bytes);
    assert.deepEqual(await months(), ['2098-01', undefined]);
    await vpic.add(second.month, second.bytes);
    await vpic.add(third.month, third.bytes);
    assert.deepEqual(await months(), ['2098-03', '2098-02']);
    await assert.rejects(vpic.read(oldest!), LabelMissing);
    await vpic.rollBack();
    assert.deepEqual(await months(), ['2098-02', '2098-03']);
    const { current, previous } = await vpic.choice();
    assert.ok(second.bytes.equals(await vpic.read(current!)));
    assert.ok(third.bytes.equals(await vpic.read(previous!)));
    await vpic.add(second.month, second.bytes);
    assert.deepEqual(await months(), ['2098-02', '2098-03'], 'the same again is no new step');
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
    // A store keeps values of its own too, such as how far it has checked its labels.
    const keys = (await store().values(null, 10)).map(({ key }) => key);
    assert.deepEqual(
      keys.filter((key) => key.startsWith('vpic:')),
      ['vpic:1'],
    );
    assert.ok((await store().values('vpic:1', 10)).every(({ key }) => key > 'vpic:1'));
  });
}

/** Tests that every store must pass for contacts; part of `storeContract`. */
export function contactContract(
  it: (title: string, body: () => Promise<void>) => unknown,
  store: () => Store,
): void {
  const use = { contact: 'dev@example.org', day: '2026-11-14', route: '/api/v1/vin/{vin}', count: 2 };

  void it('uses of a contact add up by day and route', async () => {
    const { contacts } = store();
    await contacts.add([use, { ...use, day: '2026-11-15' }, { ...use, route: '/mcp', count: 1 }]);
    await contacts.add([
      { ...use, count: 3 },
      { ...use, contact: 'other.example' },
    ]);
    assert.deepEqual(await contacts.uses('2026-11-14'), [
      { ...use, count: 5 },
      { ...use, route: '/mcp', count: 1 },
      { ...use, contact: 'other.example' },
      { ...use, day: '2026-11-15' },
    ]);
    assert.equal((await contacts.uses('2026-11-15')).length, 1);
  });

  void it('a batch adds as many new rows as it may, and existing rows are still counted', async () => {
    const { contacts } = store();
    const of = (contact: string) => ({ ...use, contact, day: '2026-10-01', count: 1 });
    assert.equal(await contacts.add([of('a.example'), of('b.example')], 2), 0);
    assert.equal(await contacts.add([of('c.example'), of('a.example'), of('d.example')], 1), 1);
    assert.equal(await contacts.add([of('e.example'), { ...of('f.example'), day: '2026-10-02' }], 1), 1);
    const held = (await contacts.uses('2026-10-01')).filter(({ day }) => day < '2026-11-01');
    assert.deepEqual(
      held.map(({ contact, count }) => [contact, count]),
      [
        ['a.example', 2],
        ['b.example', 1],
        ['c.example', 1],
        ['e.example', 1],
      ],
    );
    assert.deepEqual(
      (await contacts.days()).filter(({ day }) => day < '2026-11-01'),
      [{ day: '2026-10-01', rows: 4 }],
    );
  });

  void it('newcomers of a day are counted and evicted; contacts of two days are not', async () => {
    const { contacts } = store();
    const row = (contact: string, day = '2026-10-01') => ({ ...use, contact, day, count: 1 });
    await contacts.add([row('b.example', '2026-10-02'), row('z.example', '2026-10-02')]);
    assert.equal(await contacts.newcomers('2026-10-01', 10), 4 - 1, 'b.example was seen on two days');
    assert.equal(await contacts.newcomers('2026-10-01', 2), 2);
    assert.equal(await contacts.evictNewcomers('2026-10-01', 3, 10), 1, 'from the fourth row on');
    assert.equal(await contacts.evictNewcomers('2026-10-01', 0, 1), 1);
    assert.equal(await contacts.evictNewcomers('2026-10-01', 9, 10), 0);
    assert.deepEqual(
      (await contacts.uses('2026-10-01'))
        .filter(({ day }) => day < '2026-11-01')
        .map(({ day, contact }) => `${day} ${contact}`),
      ['2026-10-01 b.example', '2026-10-01 c.example', '2026-10-02 b.example', '2026-10-02 z.example'],
    );
    assert.equal(await contacts.forgetBefore('2026-11-01', 3), 3);
    assert.equal(await contacts.forgetBefore('2026-11-01', 3), 1);
    assert.equal(await contacts.forgetBefore('2026-11-01', 3), 0);
  });

  void it('raising the same count twice raises it once', async () => {
    const { contacts } = store();
    const raised = { ...use, contact: 'raise.example', count: 7 };
    await contacts.raise([raised]);
    await contacts.raise([raised, { ...raised, count: 4 }]);
    assert.deepEqual(
      (await contacts.uses('2026-11-14')).filter(({ contact }) => contact === 'raise.example'),
      [raised],
    );
  });

  void it('forgetting deletes one contact, or everything before a day', async () => {
    const { contacts } = store();
    await contacts.add([{ ...use, contact: 'old.example', day: '2025-01-01' }]);
    assert.equal(await contacts.forget('dev@example.org'), 3);
    assert.equal(await contacts.forget('dev@example.org'), 0);
    assert.equal(await contacts.forgetBefore('2026-01-01', 1000), 1);
    assert.ok((await contacts.uses('2000-01-01')).every(({ contact }) => contact !== 'old.example'));
  });

  void it('forgetting a domain deletes notices to its webmaster, and old notices are deleted too', async () => {
    const { contacts } = store();
    const at = Date.parse('2026-11-15');
    await contacts.planNotice('old', ['webmaster@gone.example', 'stays@example.org'], at);
    assert.equal(await contacts.forget('gone.example'), 1);
    assert.equal(await contacts.setNotice('old', 'webmaster@gone.example', 'sent', 1, at), false);
    assert.equal(await contacts.setNotice('old', 'stays@example.org', 'sent', 1, at), true);
    assert.equal(await contacts.forgetBefore('2026-01-01', 1000), 0);
    assert.equal((await contacts.noticeRows('old')).length, 1);
    await contacts.setNotice('old', 'stays@example.org', 'sent', 1, Date.parse('2025-06-01'));
    assert.equal(await contacts.forgetBefore('2026-01-01', 1000), 1);
    assert.deepEqual(await contacts.noticeRows('old'), []);
  });

  void it('an unsubscribed recipient stays unsubscribed', async () => {
    const { contacts } = store();
    await contacts.unsubscribe('stop@example.org', 1000);
    await contacts.unsubscribe('stop@example.org', 2000);
    assert.deepEqual(await contacts.unsubscribed(), ['stop@example.org']);
  });

  void it('planning a notice again adds only new recipients', async () => {
    const { contacts } = store();
    assert.equal(await contacts.planNotice('stopped-kia', ['a@example.org', 'b@example.org'], 1000), 2);
    await contacts.setNotice('stopped-kia', 'a@example.org', 'sent', 1, 2000);
    assert.equal(await contacts.planNotice('stopped-kia', ['a@example.org', 'c@example.org'], 3000), 1);
    assert.deepEqual(await contacts.noticeRows('stopped-kia'), [
      { notice: 'stopped-kia', recipient: 'a@example.org', state: 'sent', tries: 1, at: 2000 },
      { notice: 'stopped-kia', recipient: 'b@example.org', state: 'waiting', tries: 0, at: 1000 },
      { notice: 'stopped-kia', recipient: 'c@example.org', state: 'waiting', tries: 0, at: 3000 },
    ]);
    assert.deepEqual(await contacts.notices(), ['stopped-kia']);
    assert.deepEqual(await contacts.noticeRows('another'), []);
  });

  void it('the latest announcement for a route replaces the earlier one', async () => {
    const { contacts } = store();
    const change = {
      route: '/api/v1/vin/{vin}',
      deprecated: 1000,
      sunset: null,
      link: 'https://example.org/v2',
    };
    await contacts.announce(change);
    await contacts.announce({ ...change, sunset: 5000 });
    assert.deepEqual(await contacts.lifecycles(), [{ ...change, sunset: 5000 }]);
    assert.equal(await contacts.withdraw(change.route), true);
    assert.equal(await contacts.withdraw(change.route), false);
    assert.deepEqual(await contacts.lifecycles(), []);
  });
}
