import type { KeyValue, SourceChange, SourceSwitch } from '../store.ts';
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
