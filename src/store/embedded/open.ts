import { chmodSync, existsSync, lstatSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../lib/file-system.ts';
import type { Log } from '../../lib/log.ts';
import { lazy } from '../../lib/promises.ts';
import { createStore, type StoreCore } from '../create-store.ts';
import { StoreUnavailable } from '../errors.ts';
import type { Files } from '../label-bytes.ts';
import { CACHE_SCHEMA, MAIN_SCHEMA } from '../sql.ts';
import type { Store, StoreOptions } from '../store.ts';
import { createDatabase, type Database, isDamage } from './database.ts';
import { createFile, type FolderFiles, giveToFolderOwner, openFiles, writeFlushed } from './files.ts';
import { mayPass, readUntilWritable, unwritable } from './read-only.ts';

const LABELS_DAMAGED =
  'Stop the service and restore the file from a backup. Without a backup, move it away, and labels.sqlite-wal and ' +
  'labels.sqlite-shm too: the next start restores the rows of all labels, but switches and contacts are lost.';
const CACHE_DAMAGED =
  'Stop the service and delete it, and cache.sqlite-wal and cache.sqlite-shm too: it will be created again.';

/** A lock does not survive `rm`, so its owner looks this often whether the file is still there. */
const LOCK_CHECK_MS = 250;

/** In DATA_DIR. */
export const DATABASE = 'labels.sqlite';
const CACHE = 'cache.sqlite';
const FOLDERS = ['labels', 'withdrawn', 'tmp'];
/** There while a backup is being restored. */
export const UNFINISHED_RESTORE = 'restore.unfinished';

/** There from the creation of a database until the rows of all labels are in it. */
const UNFINISHED_REBUILD = 'rebuild.unfinished';

/**
 * SQLite for rows and plain files for bytes, in one folder. On a disk that can't be written a service reads what is there,
 * and goes on with the start when it can.
 */
export async function openEmbedded({ dataDir, log, exclusive = true }: StoreOptions): Promise<Store> {
  const { main, cache } = databasesIn(dataDir, exclusive, log);
  const files = openFiles(dataDir, exclusive ? 'service' : 'admin');
  let lock: ReturnType<typeof lockFolder> | null = null;
  let isReadOnly = true;
  let isClosed = false;
  const core = createStore({
    main,
    cache,
    files,
    log,
    isReadOnly: () => isReadOnly,
    async assertUsable() {
      await openForWriting().catch((error: Error) => {
        throw unwritable(dataDir, error);
      });
      lock?.assertHeld();
      for (const database of [main, cache]) database.assertUsable();
    },
  });
  const { store } = core;
  /** Writes nothing without the lock: another service may have started while this one couldn't write. */
  const openForWriting = lazy(async () => {
    if (isClosed) throw new StoreUnavailable('The store is closed.');
    assertComplete(dataDir);
    makeFolders(dataDir);
    if (exclusive) lock ??= lockFolder(dataDir, log);
    await announceNewDatabase(dataDir);
    main.open();
    openCache(cache, dataDir, log);
    if (exclusive) await assertOneFileSystem(dataDir, files);
    await core.syncWithdrawals();
    if (exclusive) await finishInterruptedWork(dataDir, store, files, log);
    isReadOnly = false;
  });
  const closers: (() => void)[] = [() => lock?.release(), () => main.close(), () => cache.close()];
  function close(): void {
    isClosed = true;
    for (const closer of closers.splice(0).reverse()) closer();
  }
  try {
    await openForWriting().catch((error: Error) => {
      if (!exclusive || !mayPass(error)) throw error;
      closers.push(readUntilWritable(error, { dataDir, main, cache, openForWriting, log }));
    });
  } catch (error) {
    close();
    throw error;
  }
  if (exclusive) closers.push(core.watchWithdrawals());
  return {
    ...withCheckpoints(store, main, cache),
    kind: 'embedded',
    coordination: null,
    close: async () => close(),
  };
}

/** What was withdrawn or forgotten must not stay in a write-ahead log. */
function withCheckpoints(store: StoreCore['store'], main: Database, cache: Database): StoreCore['store'] {
  return {
    ...store,
    async withdraw(withdrawal) {
      await store.withdraw(withdrawal);
      for (const database of [main, cache]) database.checkpoint();
    },
    contacts: {
      ...store.contacts,
      async forget(contact) {
        const rows = await store.contacts.forget(contact);
        main.checkpoint();
        return rows;
      },
    },
  };
}

function databasesIn(dataDir: string, checkPages: boolean, log: Log) {
  const main = createDatabase(join(dataDir, DATABASE), {
    synchronous: 'FULL',
    schema: MAIN_SCHEMA,
    checkPages,
    ifDamaged: LABELS_DAMAGED,
    log,
  });
  // Its pages aren't checked: there are many, and what is in them has checksums or can be computed again.
  const cache = createDatabase(join(dataDir, CACHE), {
    synchronous: 'NORMAL',
    schema: CACHE_SCHEMA,
    ifDamaged: CACHE_DAMAGED,
    log,
  });
  return { main, cache };
}

/** Throws before anything in the folder is touched. Formats before 1.0 were never released. */
function assertComplete(dataDir: string): void {
  if (existsSync(join(dataDir, 'labels', 'rows.jsonl')))
    throw new Error(
      `DATA_DIR ${dataDir} was written by a version before 1.0, which this one can't read: use another folder.`,
    );
  if (existsSync(join(dataDir, UNFINISHED_RESTORE)))
    throw new Error(`A backup was only partly restored to DATA_DIR ${dataDir}: run admin restore again.`);
}

/** If there is no database, the next start must know that it may lack rows. */
async function announceNewDatabase(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, DATABASE))) return;
  const path = join(dataDir, UNFINISHED_REBUILD);
  // A link would be removed, not followed. Another command may create it at the same moment.
  rmSync(path, { force: true });
  await writeFlushed(path, '').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

async function finishInterruptedWork(
  dataDir: string,
  store: Pick<Store, 'rebuild'>,
  files: FolderFiles,
  log: Log,
): Promise<void> {
  const unfinishedRebuild = join(dataDir, UNFINISHED_REBUILD);
  if (existsSync(unfinishedRebuild)) {
    // A new database in a folder with labels means that the old one is lost.
    const { added, missing } = await store.rebuild(() => {});
    if (added > 0) log.warn(`store: restored the rows of a lost ${DATABASE}`, { added });
    if (missing > 0)
      log.error('store: files of labels are missing; restore them from a backup and run admin rebuild', {
        missing,
      });
  }
  rmSync(unfinishedRebuild, { force: true });
  const removed = await files.cleanUp();
  if (removed > 0) log.info('store: removed what an interrupted run left', { files: removed });
}

/** Other failures, such as a full disk, may be temporary: the service starts and isn't ready. */
async function assertOneFileSystem(dataDir: string, files: Files): Promise<void> {
  try {
    await files.probe(0);
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EXDEV') return;
    throw new Error(
      `${join(dataDir, 'labels')} is on another file system than ${join(dataDir, 'tmp')}, but label files are moved from ` +
        'one to the other. Mount a disk on all of DATA_DIR, not on a folder in it.',
      { cause: error },
    );
  }
}

/** Creates the folder and those in it, which must not be links. */
export function makeFolders(dataDir: string): void {
  makeFolder(dataDir, 0o700);
  for (const name of FOLDERS) {
    const path = join(dataDir, name);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw new Error(
        `${path} is a symbolic link. The store doesn't follow links; mount a disk on DATA_DIR.`,
      );
    makeFolder(path, 0o700);
    giveToFolderOwner(path);
  }
  try {
    chmodSync(dataDir, 0o700);
  } catch {
    // A mounted folder of another owner, who sets its permissions.
  }
}

/** Replaces a damaged cache: it contains nothing that can't be fetched or computed again. */
function openCache(cache: Database, dataDir: string, log: Log): void {
  try {
    cache.open();
  } catch (error) {
    if (!isDamage(error)) throw error;
    log.warn('store: cache.sqlite is damaged; creating a new one');
    const path = join(dataDir, CACHE);
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.damaged${suffix}`);
    }
    cache.open();
  }
}

/**
 * Locks a folder for one service, with an operating system lock on an empty SQLite file: it is released however the
 * process ends, so no stale lock file needs to be removed by hand. The owner restores a removed lock file; if another
 * service was faster, it asks no source any more.
 */
export function lockFolder(dataDir: string, log: Log) {
  const path = join(dataDir, 'service.lock');
  const inUse =
    `DATA_DIR ${dataDir} is in use by another running service. Stop that one, give this one a DATA_DIR of its own, ` +
    'or run several on shared stores (DATABASE_URL, REDIS_URL, S3_URL).';
  let lock = lockFile(path, inUse);
  let isLost = false;
  const timer = setInterval(() => {
    try {
      if (lstatSync(path, { throwIfNoEntry: false })?.ino === lock.ino) return;
      const restored = lockFile(path, inUse);
      lock.release();
      lock = restored;
      isLost = false;
      log.warn('store: service.lock was removed; restored it');
    } catch (error) {
      // A full disk is reported elsewhere.
      if ((error as Error).message !== inUse) return;
      if (!isLost) log.error(`store: ${inUse}`);
      isLost = true;
    }
  }, LOCK_CHECK_MS).unref();
  return {
    /** Throws `StoreUnavailable` if another service has the folder too, after someone removed the lock file. */
    assertHeld() {
      if (isLost) throw new StoreUnavailable(inUse);
    },
    release() {
      clearInterval(timer);
      lock.release();
    },
  };
}

/** Throws `inUse` when another process has the lock. */
export function lockFile(path: string, inUse: string): { release(): void; ino: number } {
  const { ino } = createFile(path);
  const sqlite = new DatabaseSync(path, { timeout: 0 });
  try {
    // A rollback journal in memory leaves no file behind.
    sqlite.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    sqlite.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new Error(inUse, { cause: error });
  }
  return { release: () => sqlite.close(), ino };
}
