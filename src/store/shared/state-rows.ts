import { mailbox } from '../../lib/contact.ts';
import type { ContactStore, ContactUse, NoticeRow } from '../legacy-store.ts';
import type { KeyValue, SourceChange, SourceSwitch } from '../legacy-store.ts';
import { DB_NOW, type Postgres, type Value } from './postgres.ts';

type ChangeRow = [string, number, SourceSwitch['state'], string | null];

/** Switches of sources, their history, and key-value pairs. */
export function stateRows(db: Postgres) {
  const switches = db.all<[string, SourceSwitch['state'], string | null, number]>(
    'SELECT source, state, reason, since FROM switches ORDER BY source',
  );
  const setSwitch = db.run(`
    WITH changed AS (
      INSERT INTO switches (source, state, reason, since) VALUES ($1, $2, $3, $4)
      ON CONFLICT (source) DO UPDATE SET state = excluded.state, reason = excluded.reason, since = excluded.since
        WHERE (switches.state, switches.reason) IS DISTINCT FROM (excluded.state, excluded.reason)
      RETURNING source, since, state, reason
    )
    INSERT INTO changes (source, at, state, reason) SELECT * FROM changed ON CONFLICT DO NOTHING`);
  const addChange = db.run(
    'INSERT INTO changes (source, at, state, reason) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
  );
  const changes = db.all<ChangeRow>(
    'SELECT source, at, state, reason FROM changes ORDER BY at DESC, source DESC LIMIT $1',
  );
  const value = db.one<[string]>('SELECT value FROM notes WHERE key = $1 AND until > $2');
  const setValue = db.run(`INSERT INTO notes (key, value, until) VALUES ($1, $2, $3)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, until = excluded.until`);
  const deleteExpired = db.run('DELETE FROM notes WHERE until <= $1');
  const values = db.all<[string, string, number]>(
    'SELECT key, value, until FROM notes WHERE key > $1 AND until > $2 ORDER BY key LIMIT $3',
  );

  return {
    switches: async (): Promise<SourceSwitch[]> =>
      (await switches()).map(([source, state, reason, since]) => ({ source, state, reason, since })),
    setSwitch: async ({ source, state, reason, since }: SourceSwitch): Promise<void> => {
      await setSwitch(source, state, reason, since);
    },
    changes: async (limit: number): Promise<SourceChange[]> =>
      (await changes(limit)).map(([source, at, state, reason]) => ({ source, at, state, reason })),
    addChanges: async (past: SourceChange[]): Promise<void> => {
      for (const { source, at, state, reason } of past) await addChange(source, at, state, reason);
    },
    value: async (key: string) => (await value(key, Date.now()))?.[0] ?? null,
    setValue: async (key: string, value: string, until: number): Promise<void> => {
      await setValue(key, value, until);
      await deleteExpired(Date.now());
    },
    values: async (after: string | null, limit: number): Promise<KeyValue[]> =>
      (await values(after ?? '', Date.now(), limit)).map(([key, value, until]) => ({ key, value, until })),
  };
}

/** An instance cut off for longer than this may bring a forgotten contact back. */
const FORGOTTEN_MS = 30 * 86_400_000;

/** Tolerance between our clock and the database's: uses this soon after the contact was forgotten are not counted. */
const CLOCK_TOLERANCE_MS = 10_000;

const batchOf = (sum: 'sum' | 'max', where = '') => `
  SELECT day, contact, route, ${sum}(count) AS count
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[]) AS batch (day, contact, route, count, age)
    ${where} GROUP BY 1, 2, 3`;

/** An instance that was cut off writes its counts late; skip those of contacts forgotten in the meantime. */
const NOT_FORGOTTEN = `WHERE NOT EXISTS (
  SELECT FROM forgotten
    WHERE digest = encode(sha256(convert_to(batch.contact, 'UTF8')), 'hex') AND at >= ${DB_NOW} - batch.age - ${CLOCK_TOLERANCE_MS})`;

/**
 * Adds a batch in one statement, sorted so that two instances can't deadlock. Skips new rows of a full day; concurrent
 * instances may exceed the limit by a batch each.
 */
const ADD = `
  WITH batch AS (${batchOf('sum', NOT_FORGOTTEN)}),
  held AS (
    SELECT day, (SELECT count(*) FROM contact_uses WHERE contact_uses.day = days.day) AS rows
      FROM (SELECT DISTINCT day FROM batch) AS days
  ),
  ranked AS (
    SELECT batch.*, used.day IS NOT NULL AS present,
        held.rows + row_number() OVER (PARTITION BY batch.day, used.day IS NULL ORDER BY batch.contact, batch.route) AS row_in_day
      FROM batch JOIN held USING (day) LEFT JOIN contact_uses AS used USING (day, contact, route)
  ),
  added AS (
    INSERT INTO contact_uses AS used (day, contact, route, count)
    SELECT day, contact, route, count FROM ranked WHERE present OR $6::bigint IS NULL OR row_in_day <= $6::bigint ORDER BY 1, 2, 3
    ON CONFLICT (day, contact, route) DO UPDATE SET count = used.count + excluded.count
    RETURNING 1
  )
  SELECT ((SELECT count(*) FROM batch) - (SELECT count(*) FROM added))::integer`;
const RAISE = `
  INSERT INTO contact_uses AS used (day, contact, route, count)
  ${batchOf('max')} ORDER BY 1, 2, 3
  ON CONFLICT (day, contact, route) DO UPDATE SET count = greatest(used.count, excluded.count)`;

/** Contacts, the notices sent to them, and announced changes. */
export function contactRows(db: Postgres): ContactStore {
  const add = db.all<[number]>(ADD);
  const raise = db.run(RAISE);
  const uses = db.all<[string, string, string, number]>(
    'SELECT contact, day, route, count FROM contact_uses WHERE day >= $1 ORDER BY day, contact, route',
  );
  const forget = db.run(`
    WITH noted AS (
      INSERT INTO forgotten (digest, at) VALUES (encode(sha256(convert_to($1, 'UTF8')), 'hex'), ${DB_NOW})
      ON CONFLICT (digest) DO UPDATE SET at = excluded.at
    ), old AS (DELETE FROM forgotten WHERE at < ${DB_NOW} - ${FORGOTTEN_MS})
    DELETE FROM contact_uses WHERE contact = $1`);
  const forgetNotices = db.run('DELETE FROM notices WHERE recipient = $1');
  const forgetBefore = db.run(
    'DELETE FROM contact_uses WHERE ctid = ANY (ARRAY(SELECT ctid FROM contact_uses WHERE day < $1 LIMIT $2))',
  );
  const forgetNoticesBefore = db.run(
    'DELETE FROM notices WHERE ctid = ANY (ARRAY(SELECT ctid FROM notices WHERE at < $1 LIMIT $2))',
  );
  const unsubscribe = db.run(
    'INSERT INTO unsubscribed (recipient, at) VALUES ($1, $2) ON CONFLICT DO NOTHING',
  );
  const unsubscribed = db.all<[string]>('SELECT recipient FROM unsubscribed ORDER BY recipient');
  const plan = db.run(`INSERT INTO notices (notice, recipient, state, tries, at)
    SELECT DISTINCT $1, recipient, 'waiting', 0, $3::bigint FROM unnest($2::text[]) AS batch (recipient)
    ON CONFLICT DO NOTHING`);
  const names = db.all<[string]>('SELECT DISTINCT notice FROM notices ORDER BY notice');
  const rows = db.all<[string, NoticeRow['state'], number, number]>(
    'SELECT recipient, state, tries, at FROM notices WHERE notice = $1 ORDER BY recipient',
  );
  const setNotice = db.run(
    'UPDATE notices SET state = $3, tries = $4, at = $5 WHERE notice = $1 AND recipient = $2',
  );
  const lifecycles = db.all<[string, number, number | null, string]>(
    'SELECT route, deprecated, sunset, link FROM lifecycles ORDER BY route',
  );
  const announce = db.run(`INSERT INTO lifecycles (route, deprecated, sunset, link) VALUES ($1, $2, $3, $4)
    ON CONFLICT (route) DO UPDATE SET deprecated = excluded.deprecated, sunset = excluded.sunset, link = excluded.link`);
  const withdraw = db.run('DELETE FROM lifecycles WHERE route = $1');

  const columns = (batch: ContactUse[]): Value[] => [
    batch.map((use) => use.day),
    batch.map((use) => use.contact),
    batch.map((use) => use.route),
    batch.map((use) => use.count),
    batch.map((use) => Math.max(0, Date.now() - (use.noted ?? Date.now()))),
  ];
  return {
    add: async (batch, maxRowsPerDay) => (await add(...columns(batch), maxRowsPerDay ?? null))[0]![0],
    raise: async (batch) => void (await raise(...columns(batch))),
    uses: async (sinceDay) =>
      (await uses(sinceDay)).map(([contact, day, route, count]) => ({ contact, day, route, count })),
    forget: async (contact) => (await forget(contact)) + (await forgetNotices(mailbox(contact))),
    forgetBefore: async (day, limit) =>
      (await forgetBefore(day, limit ?? null)) + (await forgetNoticesBefore(Date.parse(day), limit ?? null)),
    unsubscribe: async (recipient, at) => void (await unsubscribe(recipient, at)),
    unsubscribed: async () => (await unsubscribed()).map(([recipient]) => recipient),
    planNotice: (notice, recipients, at) => plan(notice, recipients, at),
    notices: async () => (await names()).map(([notice]) => notice),
    noticeRows: async (notice) =>
      (await rows(notice)).map(([recipient, state, tries, at]) => ({ notice, recipient, state, tries, at })),
    setNotice: async (notice, recipient, state, tries, at) =>
      (await setNotice(notice, recipient, state, tries, at)) > 0,
    lifecycles: async () =>
      (await lifecycles()).map(([route, deprecated, sunset, link]) => ({ route, deprecated, sunset, link })),
    announce: async ({ route, deprecated, sunset, link }) =>
      void (await announce(route, deprecated, sunset, link)),
    withdraw: async (route) => (await withdraw(route)) > 0,
  };
}
