import type { KeyValue, SourceChange, SourceSwitch } from '../store.ts';
import type { Postgres } from './postgres.ts';

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
