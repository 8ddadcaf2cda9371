import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';
import { createFile } from './files.ts';

/** A lock does not survive `rm`, so its owner looks this often whether the file is still there. */
const CHECK_MS = 250;

export interface FolderLock {
  /** Throws `StoreUnavailable` if another service has the folder too, after someone removed the lock file. */
  assertHeld(): void;
  release(): void;
}

/**
 * Locks a folder for one service, with an operating system lock on an empty SQLite file: it is released however the
 * process ends, so no stale lock file needs to be removed by hand. The owner restores a removed lock file; if another
 * service was faster, it asks no source any more.
 */
export function lockFolder(dataDir: string, log: Log): FolderLock {
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
  }, CHECK_MS).unref();
  return {
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
