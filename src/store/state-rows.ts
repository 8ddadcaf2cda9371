import { hash } from 'node:crypto';
import { mailbox } from '../lib/contact.ts';
import type { ContactStore, ContactUse, NoticeRow } from './contact-store.ts';
import type { Sql } from './sql.ts';
import type { SourceSwitch, Store } from './store.ts';

type StateMethods =
  | 'switches'
  | 'setSwitch'
  | 'changes'
  | 'addChanges'
  | 'value'
  | 'setValue'
  | 'values'
  | 'contacts';

/** In the column `state`, where it means `off` as well: the schema has no column for it. */
const WITHHELD = 'withheld';
type StoredState = SourceSwitch['state'] | typeof WITHHELD;

const stateOf = (stored: StoredState) => (stored === WITHHELD ? 'off' : stored);

/** Switches of sources, their history, key-value pairs and contacts. */
export function stateRows(sql: Sql): Pick<Store, StateMethods> {
  const switches = sql.all<[string, StoredState, string | null, number]>(
    'SELECT source, state, reason, since FROM switches ORDER BY source',
  );
  const setSwitch = sql.run(`
    INSERT INTO switches (source, state, reason, since) VALUES ($1, $2, $3, $4)
    ON CONFLICT (source) DO UPDATE SET state = excluded.state, reason = excluded.reason, since = excluded.since
      WHERE switches.state <> excluded.state OR switches.reason IS DISTINCT FROM excluded.reason`);
  const addChange = sql.run(
    'INSERT INTO changes (source, at, state, reason) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
  );
  const changes = sql.all<[string, number, StoredState, string | null]>(
    'SELECT source, at, state, reason FROM changes ORDER BY at DESC, source DESC LIMIT $1',
  );
  const value = sql.one<[string]>('SELECT value FROM notes WHERE key = $1 AND until > $2');
  const setValue = sql.run(`INSERT INTO notes (key, value, until) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, until = excluded.until`);
  const deleteExpired = sql.run('DELETE FROM notes WHERE until <= $1');
  const values = sql.all<[string, string, number]>(
    'SELECT key, value, until FROM notes WHERE key > $1 AND until > $2 ORDER BY key LIMIT $3',
  );

  return {
    switches: async () =>
      (await switches()).map(([source, stored, reason, since]) => {
        const row: SourceSwitch = { source, state: stateOf(stored), reason, since };
        return stored === WITHHELD ? { ...row, withheld: true } : row;
      }),
    async setSwitch({ source, state, reason, since, withheld }) {
      const stored: StoredState = withheld ? WITHHELD : state;
      const isNew = (await setSwitch(source, stored, reason, since)) > 0;
      if (isNew) await addChange(source, since, stored, reason);
    },
    changes: async (limit) =>
      (await changes(limit)).map(([source, at, stored, reason]) => ({
        source,
        at,
        state: stateOf(stored),
        reason,
      })),
    async addChanges(past) {
      for (const { source, at, state, reason } of past) await addChange(source, at, state, reason);
    },
    value: async (key) => (await value(key, Date.now()))?.[0] ?? null,
    async setValue(key, text, until) {
      await setValue(key, text, until);
      await deleteExpired(Date.now());
    },
    values: async (after, limit) =>
      (await values(after ?? '', Date.now(), limit)).map(([key, text, until]) => ({
        key,
        value: text,
        until,
      })),
    contacts: contactRows(sql),
  };
}

/** How long the digest of a forgotten contact is kept. An instance cut off for longer may bring the contact back. */
const FORGOTTEN_MS = 30 * 86_400_000;
/** Tolerance between our clock and the database's: uses this soon after the contact was forgotten are not counted. */
const CLOCK_TOLERANCE_MS = 10_000;

const IN_BATCH = `used.day = batch.value ->> 'day' AND used.contact = batch.value ->> 'contact'
  AND used.route = batch.value ->> 'route'`;

/** Sorted, so that two instances can't deadlock. */
const upsertUses = (count: string) => `
  INSERT INTO contact_uses (day, contact, route, count)
  SELECT batch.value ->> 'day', batch.value ->> 'contact', batch.value ->> 'route',
      CAST(batch.value ->> 'count' AS bigint)
    FROM each($1) WHERE true ORDER BY 1, 2, 3
  ON CONFLICT (day, contact, route) DO UPDATE SET count = ${count}`;

const IS_NEWCOMER = `NOT EXISTS (
  SELECT 1 FROM contact_uses AS other WHERE other.contact = used.contact AND other.day <> used.day)`;

const digestOf = (contact: string) => hash('sha256', contact, 'hex');

/** Contacts, the notices sent to them, and announced changes. */
function contactRows(sql: Sql): ContactStore {
  // Counts buffered in memory, here or in an instance that was cut off, must not bring a forgotten contact back.
  const notForgotten = sql.all<[number | string, number | boolean]>(`
    SELECT batch.value ->> 'index', used.day IS NOT NULL FROM each($1) LEFT JOIN contact_uses AS used ON ${IN_BATCH}
      WHERE batch.value ->> 'age' IS NULL OR NOT EXISTS (
        SELECT 1 FROM forgotten WHERE digest = batch.value ->> 'digest'
          AND at >= now_ms() - CAST(batch.value ->> 'age' AS bigint) - ${CLOCK_TOLERANCE_MS})`);
  const days = sql.all<[string, number]>(
    'SELECT day, count(*) FROM contact_uses GROUP BY day ORDER BY 2 DESC, 1 DESC',
  );
  const newcomers = sql.one<[number]>(`SELECT count(*) FROM (
    SELECT 1 FROM contact_uses AS used WHERE day = $1 AND ${IS_NEWCOMER} LIMIT $2) AS counted`);
  const contactAt = sql.one<[string]>(
    'SELECT contact FROM contact_uses WHERE day = $1 ORDER BY contact LIMIT 1 OFFSET $2',
  );
  const evict = sql.run(`DELETE FROM contact_uses WHERE (day, contact, route) IN (
    SELECT day, contact, route FROM contact_uses AS used
      WHERE day = $1 AND contact >= $2 AND ${IS_NEWCOMER} ORDER BY contact LIMIT $3)`);
  const addUses = sql.run(upsertUses('contact_uses.count + excluded.count'));
  const raiseUses = sql.run(
    upsertUses(
      'CASE WHEN excluded.count > contact_uses.count THEN excluded.count ELSE contact_uses.count END',
    ),
  );
  const uses = sql.all<[string, string, string, number]>(
    'SELECT contact, day, route, count FROM contact_uses WHERE day >= $1 ORDER BY day, contact, route',
  );
  const forgetUses = sql.run('DELETE FROM contact_uses WHERE contact = $1');
  const forgetNotices = sql.run('DELETE FROM notices WHERE recipient = $1');
  const noteForgotten = sql.run(`INSERT INTO forgotten (digest, at) VALUES ($1, now_ms())
    ON CONFLICT (digest) DO UPDATE SET at = excluded.at`);
  const dropForgotten = sql.run(`DELETE FROM forgotten WHERE at < now_ms() - ${FORGOTTEN_MS}`);
  const forgetUsesBefore = sql.run(`DELETE FROM contact_uses WHERE (day, contact, route) IN (
    SELECT day, contact, route FROM contact_uses WHERE day < $1 LIMIT $2)`);
  const forgetNoticesBefore = sql.run(`DELETE FROM notices WHERE (notice, recipient) IN (
    SELECT notice, recipient FROM notices WHERE at < $1 LIMIT $2)`);
  const unsubscribe = sql.run(
    'INSERT INTO unsubscribed (recipient, at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  );
  const unsubscribed = sql.all<[string]>('SELECT recipient FROM unsubscribed ORDER BY recipient');
  const plan = sql.run(`
    INSERT INTO notices (notice, recipient, state, tries, at)
    SELECT DISTINCT CAST($2 AS text), batch.value ->> 'recipient', 'waiting', 0, CAST($3 AS bigint)
      FROM each($1) WHERE true ON CONFLICT DO NOTHING`);
  const names = sql.all<[string]>('SELECT DISTINCT notice FROM notices ORDER BY notice');
  const noticeRows = sql.all<[string, NoticeRow['state'], number, number]>(
    'SELECT recipient, state, tries, at FROM notices WHERE notice = $1 ORDER BY recipient',
  );
  const setNotice = sql.run(
    'UPDATE notices SET state = $3, tries = $4, at = $5 WHERE notice = $1 AND recipient = $2',
  );
  const lifecycles = sql.all<[string, number, number | null, string]>(
    'SELECT route, deprecated, sunset, link FROM lifecycles ORDER BY route',
  );
  const announce = sql.run(`INSERT INTO lifecycles (route, deprecated, sunset, link) VALUES ($1, $2, $3, $4)
    ON CONFLICT (route) DO UPDATE SET deprecated = excluded.deprecated, sunset = excluded.sunset, link = excluded.link`);
  const withdraw = sql.run('DELETE FROM lifecycles WHERE route = $1');

  async function add(batch: ContactUse[], maxNewRows = Infinity): Promise<number> {
    const merged = mergeUses(batch, (a, b) => a + b);
    const now = Date.now();
    const rows = merged.map(({ noted, contact, ...use }, index) => {
      const age = noted === undefined ? null : Math.max(0, now - noted);
      return { ...use, contact, index, digest: digestOf(contact), age };
    });
    const added: ContactUse[] = [];
    let newRows = 0;
    const counted = await notForgotten(JSON.stringify(rows));
    for (const [index, isPresent] of counted.sort(([a], [b]) => Number(a) - Number(b))) {
      if (isPresent || ++newRows <= maxNewRows) added.push(merged[Number(index)]!);
    }
    if (added.length > 0) await addUses(JSON.stringify(added));
    return Math.max(0, newRows - maxNewRows);
  }

  return {
    add,
    days: async () => (await days()).map(([day, rows]) => ({ day, rows })),
    newcomers: async (day, max) => (await newcomers(day, max))?.[0] ?? 0,
    async evictNewcomers(day, from, limit) {
      const first = await contactAt(day, from);
      return first ? evict(day, first[0], limit) : 0;
    },
    raise: async (batch) => void (await raiseUses(JSON.stringify(mergeUses(batch, Math.max)))),
    uses: async (sinceDay) =>
      (await uses(sinceDay)).map(([contact, day, route, count]) => ({ contact, day, route, count })),
    async forget(contact) {
      await noteForgotten(digestOf(contact));
      await dropForgotten();
      return (await forgetUses(contact)) + (await forgetNotices(mailbox(contact)));
    },
    forgetBefore: async (day, limit) =>
      (await forgetUsesBefore(day, limit)) + (await forgetNoticesBefore(Date.parse(day), limit)),
    unsubscribe: async (recipient, at) => void (await unsubscribe(recipient, at)),
    unsubscribed: async () => (await unsubscribed()).map(([recipient]) => recipient),
    planNotice: (notice, recipients, at) =>
      plan(JSON.stringify(recipients.map((recipient) => ({ recipient }))), notice, at),
    notices: async () => (await names()).map(([notice]) => notice),
    noticeRows: async (notice) =>
      (await noticeRows(notice)).map(([recipient, state, tries, at]) => ({
        notice,
        recipient,
        state,
        tries,
        at,
      })),
    setNotice: async (notice, recipient, state, tries, at) =>
      (await setNotice(notice, recipient, state, tries, at)) > 0,
    lifecycles: async () =>
      (await lifecycles()).map(([route, deprecated, sunset, link]) => ({ route, deprecated, sunset, link })),
    announce: async ({ route, deprecated, sunset, link }) =>
      void (await announce(route, deprecated, sunset, link)),
    withdraw: async (route) => (await withdraw(route)) > 0,
  };
}

/** One use per day, contact and route: a statement can't change a row twice. */
function mergeUses(batch: ContactUse[], merge: (a: number, b: number) => number): ContactUse[] {
  const merged = new Map<string, ContactUse>();
  for (const use of batch) {
    const key = JSON.stringify([use.day, use.contact, use.route]);
    const before = merged.get(key);
    merged.set(key, before ? { ...before, count: merge(before.count, use.count) } : use);
  }
  return [...merged.values()];
}
