// lane: service
import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { silentLog } from '../lib/log.ts';
import { StoreUnavailable } from '../store/store.ts';
import type { Analytics, AnalyticsEvent } from './analytics.ts';
import { openContactExpiry, openContactLog } from './contact-log.ts';
import type { ContactUse } from '../store/contact-store.ts';
import { openTestStore } from '../store/testing.ts';
import { fakeTime } from '../../test/fake-time.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const ROUTE = '/api/v1/vin/{vin}';

/** A log of contacts in a real store, at noon. */
async function openLog(t: TestContext, more: Partial<Parameters<typeof openContactLog>[0]> = {}) {
  const { store, log, metrics, lines } = await openTestStore(t);
  const contacts = openContactLog({
    store: store.contacts,
    analytics: null,
    log,
    metrics,
    now: () => NOON,
    ...more,
  });
  return { store, metrics, lines, contacts };
}

test('counts are written in a batch, by contact, day and route', async (t) => {
  const clock = { now: NOON };
  const { store, contacts } = await openLog(t, { now: () => clock.now });
  for (let i = 0; i < 3; i++) contacts.note('Dev@Example.org', ROUTE);
  contacts.note('dev@example.org', '/api/sticker/{vin}');
  contacts.note('not a contact', ROUTE);
  contacts.note(undefined, ROUTE);
  assert.deepEqual(await store.contacts.uses('2000-01-01'), [], 'nothing waits for the store');
  clock.now = Date.parse('2026-11-16T00:00:00Z');
  contacts.note('dev@example.org', ROUTE);
  await contacts.close();
  assert.deepEqual(await store.contacts.uses('2000-01-01'), [
    { contact: 'dev@example.org', day: '2026-11-15', route: '/api/sticker/{vin}', count: 1 },
    { contact: 'dev@example.org', day: '2026-11-15', route: ROUTE, count: 3 },
    { contact: 'dev@example.org', day: '2026-11-16', route: ROUTE, count: 1 },
  ]);
});

test('of a hundred thousand different contacts, ten thousand are queued and the rest is counted as dropped', async (t) => {
  const { store, metrics, lines, contacts } = await openLog(t);
  for (let i = 0; i < 100_000; i++) contacts.note(`c${i}@example.org`, ROUTE);
  await contacts.close();
  assert.equal((await store.contacts.uses('2026-11-15')).length, 10_000);
  assert.match(metrics.text(), /^monroney_contacts_dropped_total 90000$/m);
  assert.equal(lines.filter((line) => line.includes('not counted')).length, 1, 'one line, not one each');
  assert.ok(!lines.join().includes('example.org'), 'and no contact in it');
});

test('a flood of newcomers drops no contact from before it, however fast it is', async (t) => {
  const time = fakeTime(t);
  const { store, contacts } = await openLog(t);
  contacts.note('early@example.org', ROUTE);
  for (let sent = 0; sent < 30_000; sent++) {
    contacts.note(`c${sent}@example.org`, ROUTE);
    // As between two requests.
    if (sent % 1000 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(time.elapsed(), 0, 'before the next write was due');
  await contacts.close();
  const written = await store.contacts.uses('2026-11-15');
  assert.ok(written.some(({ contact }) => contact === 'early@example.org'));
});

/** What a test of `add` leaves out. */
const EMPTY_STORE = { days: async () => [], newcomers: async () => 0, evictNewcomers: async () => 0 };

test('an unavailable store loses no counts, and only one batch is written at a time', async (t) => {
  const written: ContactUse[] = [];
  let unavailable = true;
  let calls = 0;
  const store = {
    ...EMPTY_STORE,
    async add(uses: ContactUse[]) {
      calls++;
      if (unavailable) throw new StoreUnavailable('unavailable');
      written.push(...uses);
      return 0;
    },
  };
  const { contacts } = await openLog(t, { store });
  contacts.note('a.example', ROUTE);
  await contacts.flush();
  contacts.note('a.example', ROUTE);
  await contacts.flush();
  assert.equal(calls, 2);
  unavailable = false;
  await contacts.close();
  assert.deepEqual(written, [
    { contact: 'a.example', day: '2026-11-15', route: ROUTE, count: 2, noted: NOON },
  ]);
});

test('a contact that comes back while others are written loses no count', async (t) => {
  const written: ContactUse[] = [];
  const comeBack = () => {
    if (written.length === 0) contacts.note('once.example', ROUTE);
  };
  const store = {
    ...EMPTY_STORE,
    async add(uses: ContactUse[]) {
      comeBack();
      written.push(...uses);
      return 0;
    },
  };
  const { contacts } = await openLog(t, { store });
  contacts.note('once.example', ROUTE);
  for (let n = 0; n < 2; n++) contacts.note('returning.example', ROUTE);
  await contacts.flush();
  await contacts.close();
  const counts = written.filter(({ contact }) => contact === 'once.example').map(({ count }) => count);
  assert.deepEqual(counts, [1, 1]);
});

test('lookups and the lookup tool are sent to analytics, other routes are not', async (t) => {
  const events: AnalyticsEvent[] = [];
  const analytics: Analytics = {
    send: (event) => void events.push(event),
    close: async () => {},
  };
  const { contacts } = await openLog(t, { analytics });
  for (const route of [ROUTE, 'get_window_sticker', '/api/sticker/{vin}', '/mcp', '/', '/openapi.json'])
    contacts.note('a.example', route);
  await contacts.close();
  assert.deepEqual(
    events.map(({ route }) => route),
    [ROUTE, 'get_window_sticker'],
  );
  assert.deepEqual(Object.keys(events[0]!).sort(), ['contact', 'day', 'route']);
});

test('a flood evicts its own newcomers, and no contact of another day or of two days', async (t) => {
  const { store, metrics, contacts } = await openLog(t, { maxRows: 1000 });
  const use = { route: ROUTE, count: 1 };
  const name = (kind: string, n: number) => `${kind}-${n}.example`;
  const rowsOf = (kind: string, length: number, ...days: string[]) =>
    days.flatMap((day) => Array.from({ length }, (_, n) => ({ ...use, day, contact: name(kind, n) })));
  await store.contacts.raise([
    ...rowsOf('known', 200, '2026-11-13', '2026-11-15'),
    ...rowsOf('lately', 200, '2026-11-14'),
  ]);
  for (let n = 0; n < 2500; n++) contacts.note(name('made-up', n), ROUTE);
  for (let n = 0; n < 200; n++) contacts.note(name('known', n), ROUTE);
  await contacts.flush();
  for (let n = 2500; n < 5000; n++) contacts.note(name('made-up', n), ROUTE);
  contacts.note('honest.example', ROUTE);
  await contacts.close();
  const uses = await store.contacts.uses('2026-11-01');
  assert.ok(uses.length <= 1000, String(uses.length));
  const rows = (kind: string) => uses.filter(({ contact }) => contact.startsWith(kind));
  assert.equal(rows('known').length, 400);
  assert.equal(rows('lately').length, 200);
  assert.deepEqual(
    new Set(rows('known').map(({ day, count }) => `${day} ${count}`)),
    new Set(['2026-11-13 1', '2026-11-15 2']),
  );
  assert.ok(rows('made-up').length >= 150, 'newcomers are recorded while there is room');
  const dropped = Number(/^monroney_contacts_dropped_total (\d+)$/m.exec(metrics.text())![1]);
  assert.equal(dropped, 5001 - rows('made-up').length - rows('honest').length);
});

test('a table full of contacts that came back gets no new rows, and existing ones keep counting', async (t) => {
  const { store, contacts } = await openLog(t, { maxRows: 100 });
  const known = Array.from({ length: 50 }, (_, n) => `known-${n}.example`);
  for (const day of ['2026-11-14', '2026-11-15'])
    await store.contacts.raise(known.map((contact) => ({ contact, day, route: ROUTE, count: 1 })));
  contacts.note('new.example', ROUTE);
  contacts.note('known-0.example', ROUTE);
  await contacts.close();
  const uses = await store.contacts.uses('2026-11-15');
  assert.equal(uses.length, 50);
  assert.equal(uses.find(({ contact }) => contact === 'known-0.example')?.count, 2);
});

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
