import type { ContactStore, ContactUse, NoticeRow } from '../../contacts/contact-store.ts';
import type { Postgres, Value } from './postgres.ts';

/** A whole batch in one statement; sorted, so that two instances never lock each other out. */
const batchOf = (sum: 'sum' | 'max', update: string) => `
  INSERT INTO contact_uses AS used (day, contact, route, count)
  SELECT day, contact, route, ${sum}(count)
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) AS batch (day, contact, route, count)
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (day, contact, route) DO UPDATE SET count = ${update}`;

export function contactRows(db: Postgres): ContactStore {
  const add = db.run(batchOf('sum', 'used.count + excluded.count'));
  const raise = db.run(batchOf('max', 'greatest(used.count, excluded.count)'));
  const uses = db.all<[string, string, string, number]>(
    'SELECT contact, day, route, count FROM contact_uses WHERE day >= $1 ORDER BY day, contact, route',
  );
  const forget = db.run(
    'WITH gone AS (DELETE FROM notices WHERE recipient = $1) DELETE FROM contact_uses WHERE contact = $1',
  );
  const forgetBefore = db.run('DELETE FROM contact_uses WHERE day < $1');
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

  const columns = (batch: ContactUse[]): Value[] => [
    batch.map((use) => use.day),
    batch.map((use) => use.contact),
    batch.map((use) => use.route),
    batch.map((use) => use.count),
  ];
  return {
    add: async (batch) => void (await add(...columns(batch))),
    raise: async (batch) => void (await raise(...columns(batch))),
    uses: async (sinceDay) =>
      (await uses(sinceDay)).map(([contact, day, route, count]) => ({ contact, day, route, count })),
    forget: (contact) => forget(contact),
    forgetBefore: (day) => forgetBefore(day),
    unsubscribe: async (recipient, at) => void (await unsubscribe(recipient, at)),
    unsubscribed: async () => (await unsubscribed()).map(([recipient]) => recipient),
    planNotice: (notice, recipients, at) => plan(notice, recipients, at),
    notices: async () => (await names()).map(([notice]) => notice),
    noticeRows: async (notice) =>
      (await rows(notice)).map(([recipient, state, tries, at]) => ({ notice, recipient, state, tries, at })),
    setNotice: async (notice, recipient, state, tries, at) =>
      void (await setNotice(notice, recipient, state, tries, at)),
    lifecycles: async () =>
      (await lifecycles()).map(([route, deprecated, sunset, link]) => ({ route, deprecated, sunset, link })),
    announce: async ({ route, deprecated, sunset, link }) =>
      void (await announce(route, deprecated, sunset, link)),
  };
}
