import { lstatSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Log } from '../../lib/log.ts';
import { asStoreError, isDamage, StoreUnavailable } from '../errors.ts';
import { createFile } from './files.ts';
import { inDialect, SCHEMA_VERSION, type Sql, SQLITE, type Value } from '../sql.ts';

/** A SQLite file with our schema. */
export interface Database extends Sql {
  /**
   * Throws `StoreUnavailable` if the file is known to be damaged, or was removed or replaced, because what we write then is
   * lost at the next start.
   */
  assertUsable(): void;
  /** Empties the write-ahead log: until then, deleted rows are still in it. */
  checkpoint(): void;
  close(): void;
}

interface DatabaseOptions {
  /** FULL flushes every commit to disk. NORMAL may lose the last ones in a power cut, but not in a process crash. */
  synchronous: 'FULL' | 'NORMAL';
  schema: string;
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

function open(path: string, options: DatabaseOptions): Database {
  const opened = createDatabaseFile(path);
  const sqlite = new DatabaseSync(path, { timeout: 5000 });
  sqlite.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = ${options.synchronous};
    PRAGMA cache_size = -8192;
    -- Deleted contacts must not stay readable in free pages.
    PRAGMA secure_delete = ON;
    PRAGMA journal_size_limit = 16777216;
  `);
  // The clock of this process, which tests can set.
  sqlite.function('now_ms', () => Date.now());
  createSchema(sqlite, path, options.schema);

  let isDamaged = false;
  function mapErrors<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isDamage(error)) throw asStoreError(error);
      if (!isDamaged) options.log.error(`store: ${damageText(path, options)}`);
      isDamaged = true;
      throw new StoreUnavailable(damageText(path, options), { cause: error });
    }
  }

  const prepare = (sql: string): StatementSync =>
    mapErrors(() => {
      const statement = sqlite.prepare(inDialect(SQLITE, sql));
      // A tuple is a third faster than an object.
      statement.setReturnArrays(true);
      return statement;
    });

  return {
    one: <Row extends unknown[]>(sql: string) => {
      const statement = prepare(sql);
      return async (...values: Value[]) =>
        mapErrors(() => (statement.get(...values) as unknown as Row | undefined) ?? null);
    },
    all: <Row extends unknown[]>(sql: string) => {
      const statement = prepare(sql);
      return async (...values: Value[]) => mapErrors(() => statement.all(...values) as unknown as Row[]);
    },
    run: (sql) => {
      const statement = prepare(sql);
      return async (...values) => mapErrors(() => Number(statement.run(...values).changes));
    },
    assertUsable() {
      if (isDamaged) throw new StoreUnavailable(damageText(path, options));
      mapErrors(() => assertSameFile(path, opened));
    },
    checkpoint: () => mapErrors(() => sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')),
    close: () => sqlite.close(),
  };
}

/** Creates the file if there is none. SQLite gives its mode to the -wal and -shm files. */
function createDatabaseFile(path: string): Stats {
  // SQLite would follow links, and an admin command that root runs would write wherever they point.
  for (const suffix of ['', '-wal', '-shm'])
    if (lstatSync(path + suffix, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Error(`${path}${suffix} is a symbolic link. The store doesn't follow links; remove it.`);
  return createFile(path);
}

function assertSameFile(path: string, opened: Stats): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.ino === opened.ino && found.dev === opened.dev) return;
  const change = found ? 'replaced' : 'removed';
  throw new StoreUnavailable(
    `${basename(path)} was ${change} while the service was running. Restart the service.`,
  );
}

function createSchema(sqlite: DatabaseSync, path: string, schema: string): void {
  const version = () => Number(sqlite.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version() === SCHEMA_VERSION) return;
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    // Read again inside the transaction: another process may have created it while this one waited.
    const found = version();
    if (found === 0) sqlite.exec(`${inDialect(SQLITE, schema)}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    else if (found !== SCHEMA_VERSION) {
      const age = found > SCHEMA_VERSION ? 'a newer version of this program' : 'a version before 1.0';
      throw new Error(
        `${path} was written by ${age} (schema ${found}, not ${SCHEMA_VERSION}). Use that version.`,
      );
    }
    sqlite.exec('COMMIT');
  } catch (error) {
    // SQLite rolls back by itself when the disk is full.
    if (sqlite.isTransaction) sqlite.exec('ROLLBACK');
    throw error;
  }
}
