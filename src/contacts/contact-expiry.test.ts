import assert from 'node:assert/strict';
import test from 'node:test';
import { silentLog } from '../lib/log.ts';
import { openContactExpiry } from './contact-expiry.ts';
import { openTestStore } from './testing.ts';

test('data older than CONTACT_DAYS is deleted at startup and then daily', async (t) => {
  const { store, log, lines } = await openTestStore(t);
  const use = { contact: 'dev@example.org', route: '/api/v1/vin/{vin}', count: 1 };
  const days = ['2025-10-10', '2025-10-11', '2025-10-12', '2026-11-15'];
  await store.contacts.add(days.map((day) => ({ ...use, day })));
  // More rows than one deletion.
  await store.contacts.add(
    Array.from({ length: 1200 }, (_, i) => ({ ...use, contact: `${i}.example`, day: '2025-01-01' })),
  );
  await store.contacts.planNotice('old', ['dev@example.org'], Date.parse('2025-09-01'));
  const kept = async () => (await store.contacts.uses('2000-01-01')).map(({ day }) => day);

  const clock = { now: Date.parse('2026-11-15T12:00:00Z') };
  const expiry = openContactExpiry({ store: store.contacts, days: 400, log, now: () => clock.now });
  await expiry.forget();
  assert.deepEqual(await kept(), ['2025-10-11', '2025-10-12', '2026-11-15']);
  assert.deepEqual(await store.contacts.noticeRows('old'), [], 'and what was sent to them');
  clock.now += 86_400_000;
  await expiry.forget();
  assert.deepEqual(await kept(), ['2025-10-12', '2026-11-15']);
  await expiry.close();
  log.flush();
  assert.ok(!lines.join().includes('example'), 'the log has no contact');
});

test('deletion is retried if the store was unavailable', async () => {
  let calls = 0;
  const store = {
    async forgetBefore() {
      if (++calls === 1) throw new Error('unavailable');
      return 0;
    },
  };
  const expiry = openContactExpiry({ store, days: 1, log: silentLog, now: () => 0 });
  await expiry.forget();
  await expiry.forget();
  assert.equal(calls, 2, 'once more after the failure, and not again on the same day');
  await expiry.close();
});
