import { lstatSync, type Stats, statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';
import { inDialect, SCHEMA_VERSION, type Sql, SQLITE, type Value } from '../sql.ts';
import { asStoreError, createFile } from './files.ts';

export type Database = ReturnType<typeof createDatabase>;

interface DatabaseOptions {
  /** FULL flushes every commit to disk. NORMAL may lose the last ones in a power cut, but not in a process crash. */
  synchronous: 'FULL' | 'NORMAL';
  schema: string;
  /** Whether to look at every page before the file is used. It takes 0.6 ms for 1,000 labels. */
  checkPages?: boolean;
  /** What the operator has to do if the file is damaged. */
  ifDamaged: string;
  log: Log;
}

interface Connection {
  sqlite: DatabaseSync;
  /** The file that was opened. */
  file: Stats;
  isReadOnly: boolean;
  isDamaged: boolean;
}

/** A statement that is prepared for each connection once. */
type Statement = <T>(work: (statement: StatementSync) => T) => T;

/** A SQLite file with our schema. Until it is opened, and if it can't be, its statements reject with `StoreUnavailable`. */
export function createDatabase(path: string, options: DatabaseOptions) {
  const damage = `${path} is damaged. ${options.ifDamaged}`;
  let current: Connection | null = null;
  let isClosed = false;

  function use<T>(work: (connection: Connection) => T): T {
    if (!current) throw new StoreUnavailable(`${path} can't be read.`);
    try {
      return work(current);
    } catch (error) {
      if (!isDamage(error)) throw asStoreError(error);
      if (!current.isDamaged) options.log.error(`store: ${damage}`);
      current.isDamaged = true;
      throw new StoreUnavailable(damage, { cause: error });
    }
  }

  function replace(open: () => Connection | null): void {
    if (isClosed) throw new StoreUnavailable(`${path} is closed.`);
    // First: connections of one process share the -shm file, also if one may only read it.
    current?.sqlite.close();
    current = null;
    current = namingFile(path, damage, open);
  }

  function prepare(sql: string): Statement {
    const text = inDialect(SQLITE, sql);
    let owner: Connection | null = null;
    let statement: StatementSync;
    return (work) =>
      use((connection) => {
        if (owner !== connection) {
          statement = connection.sqlite.prepare(text);
          // A tuple is a third faster than an object.
          statement.setReturnArrays(true);
          owner = connection;
        }
        return work(statement);
      });
  }

  return {
    /** Opens the file, and creates it if there is none. Does nothing if it is open already, unless only for reading. */
    open(): void {
      if (current?.isReadOnly === false) return;
      const wasReadable = current !== null;
      try {
        replace(() => openForWriting(path, options));
      } catch (error) {
        if (wasReadable) replace(() => openForReading(path, { ...options, checkPages: false }));
        throw error;
      }
    },
    /**
     * Opens the file for reading, on a disk that can't be written. Does nothing if it is open for writing, or can't be read.
     * Throws if it is damaged.
     */
    openForReading(): void {
      if (current?.isReadOnly === false) return;
      const checkPages = options.checkPages && !current;
      replace(() => openForReading(path, { ...options, checkPages }));
    },
    one: <Row extends unknown[]>(sql: string) => {
      const run = prepare(sql);
      return async (...values: Value[]) =>
        run((statement) => (statement.get(...values) as unknown as Row | undefined) ?? null);
    },
    all: <Row extends unknown[]>(sql: string) => {
      const run = prepare(sql);
      return async (...values: Value[]) => run((statement) => statement.all(...values) as unknown as Row[]);
    },
    run: (sql: string) => {
      const run = prepare(sql);
      return async (...values: Value[]) => run((statement) => Number(statement.run(...values).changes));
    },
    /**
     * Throws `StoreUnavailable` if the file is known to be damaged, or was removed or replaced, because what we write then is
     * lost at the next start.
     */
    assertUsable: () =>
      use(({ isDamaged, file }) => {
        if (isDamaged) throw new StoreUnavailable(damage);
        assertSameFile(path, file);
      }),
    /** Empties the write-ahead log: until then, deleted rows are still in it. */
    checkpoint: () => use(({ sqlite }) => sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)')),
    /** For good. */
    close(): void {
      isClosed = true;
      current?.sqlite.close();
      current = null;
    },
  } satisfies Sql & Record<string, unknown>;
}

/** SQLite's messages name no file. */
function namingFile<T>(path: string, damage: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (isDamage(error)) throw new StoreUnavailable(damage, { cause: error });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_SQLITE_ERROR') throw error;
    // It says "disk I/O error" if the disk is full.
    const text = `${path} can't be opened: ${message}. Check that its disk works and isn't full.`;
    throw new StoreUnavailable(text, { cause: error });
  }
}

function openForWriting(path: string, options: DatabaseOptions): Connection {
  assertNoLinks(path);
  // SQLite gives its mode to the -wal and -shm files.
  const file = createFile(path);
  return connect({ file, isReadOnly: false }, new DatabaseSync(path, { timeout: 5000 }), (sqlite) => {
    sqlite.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = ${options.synchronous};
      PRAGMA cache_size = -8192;
      -- Deleted contacts must not stay readable in free pages.
      PRAGMA secure_delete = ON;
      PRAGMA journal_size_limit = 16777216;
    `);
    if (options.checkPages) checkPages(sqlite);
    createSchema(sqlite, path, options.schema);
  });
}

/** Null if the file isn't there, or can't be read. */
function openForReading(path: string, options: DatabaseOptions): Connection | null {
  assertNoLinks(path);
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file) return null;
  const open = (location: string | URL) =>
    connect(
      { file, isReadOnly: true },
      new DatabaseSync(location, { readOnly: true, timeout: 5000 }),
      (sqlite) => {
        if (versionOf(sqlite) !== SCHEMA_VERSION) throw new StoreUnavailable('another version');
        if (options.checkPages) checkPages(sqlite);
      },
    );
  // SQLite has to create files beside this one, unless they are there, or it is told that nobody changes this one. Then
  // it ignores the write-ahead log, and what was written last.
  const immutable = Object.assign(pathToFileURL(path), { search: 'immutable=1' });
  const hasLog = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  for (const location of hasLog ? [path] : [path, immutable]) {
    try {
      return open(location);
    } catch (error) {
      if (isDamage(error)) throw error;
    }
  }
  return null;
}

function connect(
  how: Pick<Connection, 'file' | 'isReadOnly'>,
  sqlite: DatabaseSync,
  setUp: (sqlite: DatabaseSync) => void,
): Connection {
  try {
    // The clock of this process, which tests can set.
    sqlite.function('now_ms', () => Date.now());
    setUp(sqlite);
    return { ...how, sqlite, isDamaged: false };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Looks at the structure of every page, so that no damaged one is used; what rows say is not checked. */
function checkPages(sqlite: DatabaseSync): void {
  const [found] = Object.values(sqlite.prepare('PRAGMA quick_check(1)').get()!);
  if (found !== 'ok') throw new DamagedDatabase(String(found));
  // It read all of them, and most won't be needed soon.
  sqlite.exec('PRAGMA shrink_memory');
}

/** SQLite would follow links, and an admin command that root runs would write wherever they point. */
function assertNoLinks(path: string): void {
  for (const suffix of ['', '-wal', '-shm'])
    if (lstatSync(path + suffix, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Error(`${path}${suffix} is a symbolic link. The store doesn't follow links; remove it.`);
}

function assertSameFile(path: string, opened: Stats): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.ino === opened.ino && found.dev === opened.dev) return;
  const change = found ? 'replaced' : 'removed';
  throw new StoreUnavailable(
    `${basename(path)} was ${change} while the service was running. Restart the service.`,
  );
}

const versionOf = (sqlite: DatabaseSync) =>
  Number(sqlite.prepare('PRAGMA user_version').get()?.['user_version']);

function createSchema(sqlite: DatabaseSync, path: string, schema: string): void {
  if (versionOf(sqlite) === SCHEMA_VERSION) return;
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    // Read again inside the transaction: another process may have created it while this one waited.
    const found = versionOf(sqlite);
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

/** What SQLite said about the pages of a database. */
class DamagedDatabase extends Error {
  override name = 'DamagedDatabase';
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Whether SQLite found that its file is damaged. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
  const isFound = error instanceof DamagedDatabase || code === SQLITE_CORRUPT || code === SQLITE_NOTADB;
  return isFound || isDamage(error.cause);
}
