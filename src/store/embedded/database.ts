import { closeSync, openSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { mapErrors } from './store-errors.ts';
import { openReadSnapshot, type View } from './read-snapshot.ts';

export type Value = SQLInputValue;

/** One SQLite file with its steps done, and statements that are prepared once. */
export interface Database {
  /** A statement answered as a tuple, in the order of its columns: a third faster than objects. */
  one<Row extends unknown[]>(sql: string): (...values: Value[]) => Row | null;
  /** The same for what is read all the time; another process's writes are seen a few milliseconds later. */
  often<Row extends unknown[]>(sql: string): (...values: Value[]) => Row | null;
  all<Row extends unknown[]>(sql: string): (...values: Value[]) => Row[];
  run(sql: string): (...values: Value[]) => number;
  /** All of `work` or nothing of it. */
  whole<T>(work: () => T): T;
  /** Commits of `work` are seen at once but reach the disk with the next one outside: a kill loses none, a power cut may. */
  quickly<T>(work: () => T): T;
  close(): void;
}

export interface DatabaseOptions {
  /** FULL flushes every commit to the disk; NORMAL may lose the last ones to a power cut, never to a crash of ours. */
  synchronous: 'FULL' | 'NORMAL';
  /** Each entry brings the file one version further; entries are only ever added. */
  steps: readonly string[];
}

export function openDatabase(path: string, options: DatabaseOptions): Database {
  // SQLite gives the files beside it (-wal, -shm) the mode of this one.
  closeSync(openSync(path, 'a', 0o600));
  const sqlite = new DatabaseSync(path, { timeout: 5000 });
  sqlite.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${options.synchronous};
    PRAGMA cache_size = -2048;
    -- Who asked to be forgotten must not stay readable in a page that happens to be free.
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = 16777216;
  `);

  const prepare = (sql: string): StatementSync => {
    const statement = sqlite.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };

  // Not before the file has its tables.
  let view: View | null = null;

  function whole<T>(work: () => T): T {
    return mapErrors(() => {
      sqlite.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        sqlite.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk has rolled it back already.
        if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
        throw error;
      } finally {
        view?.end();
      }
    });
  }

  migrate(sqlite, path, options.steps, whole);
  view = openReadSnapshot(path);
  return {
    one: <Row extends unknown[]>(sql: string) => {
      const statement = prepare(sql);
      return (...values: Value[]) =>
        mapErrors(() => (statement.get(...values) as unknown as Row | undefined) ?? null);
    },
    often: (sql) => view.often(sql),
    all: <Row extends unknown[]>(sql: string) => {
      const statement = prepare(sql);
      return (...values: Value[]) => mapErrors(() => statement.all(...values) as unknown as Row[]);
    },
    run: (sql) => {
      const statement = sqlite.prepare(sql);
      return (...values) => {
        view.end();
        return mapErrors(() => Number(statement.run(...values).changes));
      };
    },
    whole,
    quickly: (work) => {
      sqlite.exec('PRAGMA synchronous = NORMAL');
      try {
        return work();
      } finally {
        sqlite.exec(`PRAGMA synchronous = ${options.synchronous}`);
      }
    },
    close: () => {
      view.close();
      sqlite.close();
    },
  };
}

function migrate(
  sqlite: DatabaseSync,
  path: string,
  steps: readonly string[],
  whole: (work: () => void) => void,
) {
  const version = () => Number(sqlite.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version() === steps.length) return;
  whole(() => {
    // Read again inside: another process may have gone these steps while this one waited.
    const from = version();
    if (from > steps.length) {
      throw new Error(
        `${path} was written by a newer version (${from}, this one knows ${steps.length}). Use that version.`,
      );
    }
    for (const step of steps.slice(from)) sqlite.exec(step);
    sqlite.exec(`PRAGMA user_version = ${steps.length}`);
  });
}
