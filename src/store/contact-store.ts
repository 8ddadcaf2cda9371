import { hash } from 'node:crypto';
import { createFailureLog, type Log } from '../lib/log.ts';
import type { Sql } from './sql.ts';

/**
 * The contact that a client sends: one domain or one e-mail address, at most 254 characters, in lower case. Anything else
 * is ignored and not stored. ASCII only, so that look-alike letters and line breaks are impossible.
 */
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = `(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})`;
const LOCAL = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
// Case-insensitive, because lower-casing first would turn some other letters into ASCII ones.
const CONTACT = new RegExp(`^(?:(${LOCAL})@)?${DOMAIN}$`, 'i');

const MAX_CONTACT_CHARACTERS = 254;
/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_CHARACTERS = 64;

/** The contact as we store it; null if the text is not a contact. */
export function parseContact(text: string | null | undefined): string | null {
  if (!text || text.length > MAX_CONTACT_CHARACTERS + 64) return null;
  const contact = text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
  if (contact.length > MAX_CONTACT_CHARACTERS) return null;
  const match = CONTACT.exec(contact);
  if (!match || (match[1]?.length ?? 0) > MAX_LOCAL_CHARACTERS) return null;
  return contact.toLowerCase();
}

/** The e-mail address for notices: for a domain, the mailbox that RFC 2142 reserves for its web site. */
export function mailbox(contact: string): string {
  return contact.includes('@') ? contact : `webmaster@${contact}`;
}

/** How often one contact used one route on one UTC day. Nothing else is recorded. */
export interface ContactUse {
  contact: string;
  /** `2026-11-15`, UTC. */
  day: string;
  /** The route template, `/api/v1/vin/{vin}`, never the path. */
  route: string;
  count: number;
  /** Time of the first of these requests. They are not counted if the contact was forgotten after it. */
  noted?: number;
}

/**
 * One message of a notice to one recipient. `sending` is set before the end of the message is sent, `sent` only after
 * the mail server accepted it.
 */
export interface NoticeRow {
  notice: string;
  recipient: string;
  state: 'waiting' | 'sending' | 'sent' | 'bounced';
  tries: number;
  at: number;
}

/** A change that breaks clients, announced for one route. */
export interface Lifecycle {
  /** The route template. */
  route: string;
  deprecated: number;
  sunset: number | null;
  /** A page that explains the change. */
  link: string;
}

export type ContactStore = ReturnType<typeof contactRows>;

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
export function contactRows(sql: Sql) {
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
    /** Adds the counts of a batch, with at most `maxNewRows` new rows; returns how many were skipped. */
    add,
    /** The days with uses and how many rows each has, the largest first. */
    days: async () => (await days()).map(([day, rows]) => ({ day, rows })),
    /** How many rows of a day are of newcomers, contacts that were seen on no other day. Stops counting at `max`. */
    newcomers: async (day: string, max: number) => (await newcomers(day, max))?.[0] ?? 0,
    /** Deletes up to `limit` rows of a day's newcomers, from the row at position `from` on; returns the number of rows. */
    async evictNewcomers(day: string, from: number, limit: number) {
      const first = await contactAt(day, from);
      return first ? evict(day, first[0], limit) : 0;
    },
    /** Raises counts to at least these values, so that copying a store twice does not count twice. */
    raise: async (batch: ContactUse[]) => void (await raiseUses(JSON.stringify(mergeUses(batch, Math.max)))),
    uses: async (sinceDay: string): Promise<ContactUse[]> =>
      (await uses(sinceDay)).map(([contact, day, route, count]) => ({ contact, day, route, count })),
    /** Deletes the uses and notices of one contact; returns the number of rows. */
    async forget(contact: string) {
      await noteForgotten(digestOf(contact));
      await dropForgotten();
      return (await forgetUses(contact)) + (await forgetNotices(mailbox(contact)));
    },
    /** Deletes up to `limit` uses and `limit` notices older than a day; returns the number of rows. */
    forgetBefore: async (day: string, limit: number) =>
      (await forgetUsesBefore(day, limit)) + (await forgetNoticesBefore(Date.parse(day), limit)),
    /** Takes the recipient's hash, not the e-mail address: see `unsubscribe.ts`. */
    unsubscribe: async (recipient: string, at: number) => void (await unsubscribe(recipient, at)),
    unsubscribed: async () => (await unsubscribed()).map(([recipient]) => recipient),
    /** Adds new recipients to a notice; returns how many were new. */
    planNotice: (notice: string, recipients: string[], at: number) =>
      plan(JSON.stringify(recipients.map((recipient) => ({ recipient }))), notice, at),
    /** Names of all planned notices. */
    notices: async () => (await names()).map(([notice]) => notice),
    noticeRows: async (notice: string): Promise<NoticeRow[]> =>
      (await noticeRows(notice)).map(([recipient, state, tries, at]) => ({
        notice,
        recipient,
        state,
        tries,
        at,
      })),
    /** False when there is no such row because the recipient was forgotten. */
    setNotice: async (
      notice: string,
      recipient: string,
      state: NoticeRow['state'],
      tries: number,
      at: number,
    ) => (await setNotice(notice, recipient, state, tries, at)) > 0,
    /** Announced breaking changes. */
    lifecycles: async (): Promise<Lifecycle[]> =>
      (await lifecycles()).map(([route, deprecated, sunset, link]) => ({ route, deprecated, sunset, link })),
    announce: async ({ route, deprecated, sunset, link }: Lifecycle) =>
      void (await announce(route, deprecated, sunset, link)),
    /** False when nothing was announced for this route. */
    withdraw: async (route: string) => (await withdraw(route)) > 0,
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

const REFRESH_MS = 2000;

/** A change announced for this route applies to every operation of the API. */
export const ALL_API_ROUTES = '/api/*';

export type Lifecycles = Awaited<ReturnType<typeof openLifecycles>>;

/** Announced changes by route, cached in memory because every response needs them. */
export async function openLifecycles(store: Pick<ContactStore, 'lifecycles'>, log: Log, now: () => number) {
  let byRoute = new Map<string, Lifecycle>();
  const logState = createFailureLog(
    log,
    'cannot read announced changes',
    'announced changes are readable again',
  );

  async function refresh(): Promise<void> {
    try {
      byRoute = new Map((await store.lifecycles()).map((change) => [change.route, change]));
      logState(null);
    } catch (error) {
      logState(String((error as Error).message));
    }
  }

  await refresh();
  const timer = setInterval(() => void refresh(), REFRESH_MS).unref();
  return {
    of(route: string): Lifecycle | null {
      if (byRoute.size === 0) return null;
      const change =
        byRoute.get(route) ?? (route.startsWith('/api/') ? byRoute.get(ALL_API_ROUTES) : undefined);
      return change && change.deprecated <= now() ? change : null;
    },
    refresh,
    close: () => clearInterval(timer),
  };
}
