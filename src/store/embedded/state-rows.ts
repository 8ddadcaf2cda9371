import { hash } from 'node:crypto';
import { mailbox } from '../../lib/contact.ts';
import type { ContactStore, ContactUse, NoticeRow } from '../legacy-store.ts';
import type { KeyValue, SourceChange, SourceSwitch } from '../legacy-store.ts';
import type { Database } from './database.ts';

type ChangeRow = [string, number, SourceSwitch['state'], string | null];

/** Source switches, their history, and key-value pairs. */
export function stateRows(db: Database) {
  const switches = db.all<[string, SourceSwitch['state'], string | null, number]>(
    'SELECT source, state, reason, since FROM switches ORDER BY source',
  );
  const same = db.one<[number]>('SELECT 1 FROM switches WHERE source = ? AND state = ? AND reason IS ?');
  const setSwitch = db.run(
    'INSERT OR REPLACE INTO switches (source, state, reason, since) VALUES (?, ?, ?, ?)',
  );
  const addChange = db.run('INSERT OR IGNORE INTO changes (source, at, state, reason) VALUES (?, ?, ?, ?)');
  const changes = db.all<ChangeRow>(
    'SELECT source, at, state, reason FROM changes ORDER BY at DESC, source DESC LIMIT ?',
  );
  const value = db.one<[string]>('SELECT value FROM notes WHERE key = ? AND until > ?');
  const setValue = db.run('INSERT OR REPLACE INTO notes (key, value, until) VALUES (?, ?, ?)');
  const deleteExpired = db.run('DELETE FROM notes WHERE until <= ?');
  const values = db.all<[string, string, number]>(
    'SELECT key, value, until FROM notes WHERE key > ? AND until > ? ORDER BY key LIMIT ?',
  );

  return {
    switches: (): SourceSwitch[] =>
      switches().map(([source, state, reason, since]) => ({ source, state, reason, since })),
    setSwitch({ source, state, reason, since }: SourceSwitch): void {
      db.withTransaction(() => {
        if (same(source, state, reason)) return;
        setSwitch(source, state, reason, since);
        addChange(source, since, state, reason);
      });
    },
    changes: (limit: number): SourceChange[] =>
      changes(limit).map(([source, at, state, reason]) => ({ source, at, state, reason })),
    addChanges(past: SourceChange[]): void {
      db.withTransaction(() => {
        for (const { source, at, state, reason } of past) addChange(source, at, state, reason);
      });
    },
    value: (key: string): string | null => value(key, Date.now())?.[0] ?? null,
    setValue(key: string, value: string, until: number): void {
      db.withTransaction(() => {
        deleteExpired(Date.now());
        setValue(key, value, until);
      });
    },
    values: (after: string | null, limit: number): KeyValue[] =>
      values(after ?? '', Date.now(), limit).map(([key, value, until]) => ({ key, value, until })),
  };
}

/** How long a digest of a forgotten contact is kept. */
const FORGOTTEN_MS = 30 * 86_400_000;

/** Contacts, the notices sent to them, and announced changes. */
export function contactRows(db: Database): ContactStore {
  const increment = db.run(
    'UPDATE contact_uses SET count = count + ? WHERE day = ? AND contact = ? AND route = ?',
  );
  const insert = db.run('INSERT INTO contact_uses (day, contact, route, count) VALUES (?, ?, ?, ?)');
  const rowCount = db.one<[number]>('SELECT count(*) FROM contact_uses WHERE day = ?');
  const raise = db.run(`INSERT INTO contact_uses (day, contact, route, count) VALUES (?, ?, ?, ?)
    ON CONFLICT (day, contact, route) DO UPDATE SET count = max(count, excluded.count)`);
  const uses = db.all<[string, string, string, number]>(
    'SELECT contact, day, route, count FROM contact_uses WHERE day >= ? ORDER BY day, contact, route',
  );
  const forget = db.run('DELETE FROM contact_uses WHERE contact = ?');
  // Counts buffered in memory must not bring a forgotten contact back.
  const noteForgotten = db.run('INSERT OR REPLACE INTO forgotten (digest, at) VALUES (?, ?)');
  const dropForgotten = db.run('DELETE FROM forgotten WHERE at < ?');
  const forgottenSince = db.one<[number]>('SELECT 1 FROM forgotten WHERE digest = ? AND at >= ?');
  const digestOf = (contact: string) => hash('sha256', contact, 'hex');
  const forgetBefore = db.run(
    'DELETE FROM contact_uses WHERE rowid IN (SELECT rowid FROM contact_uses WHERE day < ? LIMIT ?)',
  );
  const forgetNoticesBefore = db.run(
    'DELETE FROM notices WHERE rowid IN (SELECT rowid FROM notices WHERE at < ? LIMIT ?)',
  );
  const forgetNotices = db.run('DELETE FROM notices WHERE recipient = ?');
  const unsubscribe = db.run('INSERT OR IGNORE INTO unsubscribed (recipient, at) VALUES (?, ?)');
  const unsubscribed = db.all<[string]>('SELECT recipient FROM unsubscribed ORDER BY recipient');
  const plan = db.run(
    `INSERT OR IGNORE INTO notices (notice, recipient, state, tries, at) VALUES (?, ?, 'waiting', 0, ?)`,
  );
  const names = db.all<[string]>('SELECT DISTINCT notice FROM notices ORDER BY notice');
  const rows = db.all<[string, NoticeRow['state'], number, number]>(
    'SELECT recipient, state, tries, at FROM notices WHERE notice = ? ORDER BY recipient',
  );
  const setNotice = db.run(
    'UPDATE notices SET state = ?, tries = ?, at = ? WHERE notice = ? AND recipient = ?',
  );
  const lifecycles = db.all<[string, number, number | null, string]>(
    'SELECT route, deprecated, sunset, link FROM lifecycles ORDER BY route',
  );
  const announce = db.run(
    'INSERT OR REPLACE INTO lifecycles (route, deprecated, sunset, link) VALUES (?, ?, ?, ?)',
  );
  // Until a checkpoint, deleted rows are still in the write-ahead log.
  const checkpoint = db.all('PRAGMA wal_checkpoint(TRUNCATE)');
  const withdraw = db.run('DELETE FROM lifecycles WHERE route = ?');

  // Counted once a day, then maintained in memory: only the service adds rows, and it has locked the folder.
  let today: { day: string; rows: number } | null = null;

  function addBatch(batch: ContactUse[], maxRowsPerDay: number): number {
    let skipped = 0;
    for (const { day, contact, route, count, noted } of batch) {
      if (noted !== undefined && forgottenSince(digestOf(contact), noted)) continue;
      if (increment(count, day, contact, route) > 0) continue;
      if (today?.day !== day) today = { day, rows: rowCount(day)?.[0] ?? 0 };
      if (today.rows >= maxRowsPerDay) skipped++;
      else today.rows += insert(day, contact, route, count);
    }
    return skipped;
  }

  return {
    add(batch, maxRowsPerDay = Infinity) {
      try {
        return db.withTransaction(() => addBatch(batch, maxRowsPerDay));
      } catch (error) {
        today = null;
        throw error;
      }
    },
    raise: (batch) =>
      db.withTransaction(() => {
        for (const { day, contact, route, count } of batch) raise(day, contact, route, count);
      }),
    uses: (sinceDay) =>
      uses(sinceDay).map(([contact, day, route, count]) => ({ contact, day, route, count })),
    forget(contact) {
      today = null;
      const rows = db.withTransaction(() => {
        noteForgotten(digestOf(contact), Date.now());
        dropForgotten(Date.now() - FORGOTTEN_MS);
        return forget(contact) + forgetNotices(mailbox(contact));
      });
      checkpoint();
      return rows;
    },
    forgetBefore: (day, limit = -1) =>
      db.withTransaction(() => forgetBefore(day, limit) + forgetNoticesBefore(Date.parse(day), limit)),
    unsubscribe: (recipient, at) => void unsubscribe(recipient, at),
    unsubscribed: () => unsubscribed().map(([recipient]) => recipient),
    planNotice: (notice, recipients, at) =>
      db.withTransaction(() =>
        recipients.reduce((added, recipient) => added + plan(notice, recipient, at), 0),
      ),
    notices: () => names().map(([notice]) => notice),
    noticeRows: (notice) =>
      rows(notice).map(([recipient, state, tries, at]) => ({ notice, recipient, state, tries, at })),
    setNotice: (notice, recipient, state, tries, at) => setNotice(state, tries, at, notice, recipient) > 0,
    lifecycles: () =>
      lifecycles().map(([route, deprecated, sunset, link]) => ({ route, deprecated, sunset, link })),
    announce: ({ route, deprecated, sunset, link }) => void announce(route, deprecated, sunset, link),
    withdraw: (route) => withdraw(route) > 0,
  };
}
