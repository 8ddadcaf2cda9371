import { closeSync, fstatSync, openSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { giveToFolderOwner } from '../../lib/folder.ts';
import type { Log } from '../../lib/log.ts';
import { asStoreError, isDamage, StoreUnavailable } from '../errors.ts';

type Value = SQLInputValue;

/** A migrated SQLite file, with statements that are prepared once. */
export interface Database {
  /** Returns the row as a tuple in column order, which is a third faster than an object. */
  one<Row extends unknown[]>(sql: string): (...values: Value[]) => Row | null;
  /** For hot reads. Sees another process's writes a few milliseconds late. */
  oneFromSnapshot<Row extends unknown[]>(sql: string): (...values: Value[]) => Row | null;
  /** See `ReadSnapshot`. */
  oncePerSnapshot(refresh: () => void): () => void;
  all<Row extends unknown[]>(sql: string): (...values: Value[]) => Row[];
  run(sql: string): (...values: Value[]) => number;
  /** Rolls back if `work` throws. */
  withTransaction<T>(work: () => T): T;
  /**
   * Throws `StoreUnavailable` if the file is known to be damaged, or was removed or replaced, because what we write then is
   * lost at the next start.
   */
  assertUsable(): void;
  close(): void;
}

interface DatabaseOptions {
  /** FULL flushes every commit to disk. NORMAL may lose the last ones in a power cut, but not in a process crash. */
  synchronous: 'FULL' | 'NORMAL';
  /** SQL for each schema version. Only append to it. */
  migrations: readonly string[];
  /** What the operator has to do if the file is damaged. */
  ifDamaged: string;
  log: Log;
}

export function openDatabase(path: string, options: DatabaseOptions): Database {
  try {
    return open(path, options);
  } catch (error) {
    if (isDamage(error)) throw new StoreUnavailable(damageText(path, options), { cause: error });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_SQLITE_ERROR') throw error;
    // SQLite's message names no file, and says "disk I/O error" if the disk is full.
    const text = `${path} can't be opened: ${message}. Check that its disk works and isn't full.`;
    throw new StoreUnavailable(text, { cause: error });
  }
}

function damageText(path: string, { ifDamaged }: DatabaseOptions): string {
  return `${path} is damaged. ${ifDamaged}`;
}

type FailureOf = (error: unknown) => unknown;

function open(path: string, options: DatabaseOptions): Database {
  // SQLite creates the -wal and -shm files with this file's mode.
  const file = openSync(path, 'a', 0o600);
  const opened = fstatSync(file);
  closeSync(file);
  giveToFolderOwner(path);
  const sqlite = new DatabaseSync(path, { timeout: 5000 });
  sqlite.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${options.synchronous};
    PRAGMA cache_size = -2048;
    -- Deleted contacts must not stay readable in free pages.
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = 16777216;
  `);

  // Opened after the migrations: its statements need the tables.
  let snapshot: ReadSnapshot | null = null;
  let isDamaged = false;
  const failureOf: FailureOf = (error) => {
    if (error instanceof StoreUnavailable || !isDamage(error)) return asStoreError(error);
    // Until the snapshot is open, the caller of `openDatabase` gets the error.
    if (!isDamaged && snapshot) {
      isDamaged = true;
      options.log.error(`store: ${damageText(path, options)}`);
    }
    return new StoreUnavailable(damageText(path, options), { cause: error });
  };
  function mapErrors<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw failureOf(error);
    }
  }

  const prepare = (sql: string): StatementSync =>
    mapErrors(() => {
      const statement = sqlite.prepare(sql);
      statement.setReturnArrays(true);
      return statement;
    });

  function withTransaction<T>(work: () => T): T {
    return mapErrors(() => {
      sqlite.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        sqlite.exec('COMMIT');
        return result;
      } catch (error) {
        // SQLite rolls back by itself when the disk is full.
        if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
        throw error;
      } finally {
        snapshot?.end();
      }
    });
  }

  migrate(sqlite, path, options.migrations, withTransaction);
  snapshot = openReadSnapshot(path, failureOf);
  return {
    one: <Row extends unknown[]>(sql: string) => {
      const statement = prepare(sql);
      return (...values: Value[]) =>
        mapErrors(() => (statement.get(...values) as unknown as Row | undefined) ?? null);
    },
    oneFromSnapshot: (sql) => mapErrors(() => snapshot.one(sql)),
    oncePerSnapshot: (refresh) => snapshot.oncePerSnapshot(refresh),
    all: <Row extends unknown[]>(sql: string) => {
      const statement = prepare(sql);
      return (...values: Value[]) => mapErrors(() => statement.all(...values) as unknown as Row[]);
    },
    run: (sql) => {
      const statement = mapErrors(() => sqlite.prepare(sql));
      return (...values) => {
        snapshot.end();
        return mapErrors(() => Number(statement.run(...values).changes));
      };
    },
    withTransaction,
    assertUsable() {
      if (isDamaged) throw new StoreUnavailable(damageText(path, options));
      mapErrors(() => assertSameFile(path, opened));
    },
    close: () => {
      snapshot.close();
      sqlite.close();
    },
  };
}

function assertSameFile(path: string, opened: Stats): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.ino === opened.ino && found.dev === opened.dev) return;
  const change = found ? 'replaced' : 'removed';
  throw new StoreUnavailable(
    `${basename(path)} was ${change} while the service was running. Restart the service.`,
  );
}

function migrate(
  sqlite: DatabaseSync,
  path: string,
  migrations: readonly string[],
  withTransaction: (work: () => void) => void,
) {
  const version = () => Number(sqlite.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version() === migrations.length) return;
  withTransaction(() => {
    // Read again inside the transaction: another process may have migrated while this one waited.
    const from = version();
    if (from > migrations.length) {
      throw new Error(
        `${path} was written by a newer version of this program (schema version ${from}; this program supports ` +
          `${migrations.length}). Use that version.`,
      );
    }
    for (const migration of migrations.slice(from)) sqlite.exec(migration);
    sqlite.exec(`PRAGMA user_version = ${migrations.length}`);
  });
}

interface ReadSnapshot {
  one<Row extends unknown[]>(sql: string): (...values: Value[]) => Row | null;
  /** Calls `refresh` once per snapshot instead of once per call. `refresh` must read from the snapshot. */
  oncePerSnapshot(refresh: () => void): () => void;
  /** Call around every write, so that the next read sees it. */
  end(): void;
  close(): void;
}

/** Maximum age of a snapshot: short enough not to delay a checkpoint. */
const SNAPSHOT_MS = 20;

/**
 * A read transaction shared by many reads. A read outside a transaction locks the file, checks for writes and unlocks
 * it, which costs as much as finding the row.
 */
function openReadSnapshot(path: string, failureOf: FailureOf): ReadSnapshot {
  const sqlite = new DatabaseSync(path, { readOnly: true, timeout: 5000 });
  sqlite.exec('PRAGMA cache_size = -8192');
  let timer: NodeJS.Timeout | null = null;
  let snapshots = 0;

  function begin(): void {
    sqlite.exec('BEGIN');
    snapshots++;
    timer = setTimeout(end, SNAPSHOT_MS).unref();
  }

  function end(): void {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    try {
      if (sqlite.isTransaction) sqlite.exec('COMMIT');
    } catch {
      // Nothing was written; the next read begins a new transaction.
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
    }
  }

  return {
    end,
    oncePerSnapshot(refresh) {
      let refreshedIn = 0;
      return () => {
        if (timer !== null && refreshedIn === snapshots) return;
        // Begins a snapshot if there is none.
        refresh();
        refreshedIn = snapshots;
      };
    },
    one: <Row extends unknown[]>(sql: string) => {
      const statement = sqlite.prepare(sql);
      statement.setReturnArrays(true);
      // Inlined instead of using `mapErrors`: on the hot path, and a closure per call adds a tenth.
      return (...values: Value[]): Row | null => {
        try {
          if (timer === null) begin();
          return (statement.get(...values) as unknown as Row | undefined) ?? null;
        } catch (error) {
          end();
          throw failureOf(error);
        }
      };
    },
    close: () => {
      end();
      sqlite.close();
    },
  };
}
