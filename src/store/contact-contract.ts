import assert from 'node:assert/strict';
import type { Store } from './store.ts';

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

  void it('a full day gets no new rows, but existing rows are still counted', async () => {
    const { contacts } = store();
    const full = { ...use, day: '2026-10-01', count: 1 };
    const of = (contact: string) => ({ ...full, contact });
    assert.equal(await contacts.add([of('a.example'), of('b.example')], 3), 0);
    assert.equal(await contacts.add([of('c.example'), of('a.example'), of('d.example')], 3), 1);
    assert.equal(await contacts.add([of('e.example'), { ...of('f.example'), day: '2026-10-02' }], 3), 1);
    const held = (await contacts.uses('2026-10-01')).filter(({ day }) => day < '2026-11-01');
    assert.deepEqual(
      held.map(({ contact, count }) => [contact, count]),
      [
        ['a.example', 2],
        ['b.example', 1],
        ['c.example', 1],
        ['f.example', 1],
      ],
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
    assert.equal(await contacts.forgetBefore('2026-01-01'), 1);
    assert.ok((await contacts.uses('2000-01-01')).every(({ contact }) => contact !== 'old.example'));
  });

  void it('forgetting a domain deletes notices to its webmaster, and old notices are deleted too', async () => {
    const { contacts } = store();
    const at = Date.parse('2026-11-15');
    await contacts.planNotice('old', ['webmaster@gone.example', 'stays@example.org'], at);
    assert.equal(await contacts.forget('gone.example'), 1);
    assert.equal(await contacts.setNotice('old', 'webmaster@gone.example', 'sent', 1, at), false);
    assert.equal(await contacts.setNotice('old', 'stays@example.org', 'sent', 1, at), true);
    assert.equal(await contacts.forgetBefore('2026-01-01'), 0);
    assert.equal((await contacts.noticeRows('old')).length, 1);
    await contacts.setNotice('old', 'stays@example.org', 'sent', 1, Date.parse('2025-06-01'));
    assert.equal(await contacts.forgetBefore('2026-01-01'), 1);
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
