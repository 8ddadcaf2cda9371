import assert from 'node:assert/strict';
import test from 'node:test';
import { silentLog } from '../lib/log.ts';
import { openForgetting } from './forgetting.ts';
import { standing } from './testing.ts';

test('what is older than CONTACT_DAYS goes at the start, and day by day after that', async (t) => {
  const { store, log, lines } = await standing(t);
  const use = { contact: 'dev@example.org', route: '/api/v1/vin/{vin}', count: 1 };
  const days = ['2025-10-10', '2025-10-11', '2025-10-12', '2026-11-15'];
  await store.contacts.add(days.map((day) => ({ ...use, day })));
  // More than is deleted at a time.
  await store.contacts.add(
    Array.from({ length: 1200 }, (_, i) => ({ ...use, contact: `${i}.example`, day: '2025-01-01' })),
  );
  await store.contacts.planNotice('old', ['dev@example.org'], Date.parse('2025-09-01'));
  const kept = async () => (await store.contacts.uses('2000-01-01')).map(({ day }) => day);

  const clock = { now: Date.parse('2026-11-15T12:00:00Z') };
  const forgetting = openForgetting({ store: store.contacts, days: 400, log, now: () => clock.now });
  await forgetting.forget();
  assert.deepEqual(await kept(), ['2025-10-11', '2025-10-12', '2026-11-15']);
  assert.deepEqual(await store.contacts.noticeRows('old'), [], 'and what was sent to them');
  clock.now += 86_400_000;
  await forgetting.forget();
  assert.deepEqual(await kept(), ['2025-10-12', '2026-11-15']);
  await forgetting.close();
  log.flush();
  assert.ok(!lines.join().includes('example'), 'the log names nobody');
});

test('a store that is away is asked again', async () => {
  let asked = 0;
  const store = {
    async forgetBefore() {
      if (++asked === 1) throw new Error('away');
      return 0;
    },
  };
  const forgetting = openForgetting({ store, days: 1, log: silentLog, now: () => 0 });
  await forgetting.forget();
  await forgetting.forget();
  assert.equal(asked, 2, 'once more after the failure, and not again on the same day');
  await forgetting.close();
});
