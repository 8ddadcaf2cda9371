import { closeSync, existsSync, fstatSync, openSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { giveToFolderOwner } from '../../lib/folder.ts';
import type { Log } from '../../lib/log.ts';

const HEARTBEAT_MS = 500;
/** How long a starting service that finds no lock file watches for a heartbeat. */
const WATCH_MS = 2000;

/**
 * Locks a folder for one service, with an operating system lock on an empty SQLite file: it is released however the
 * process ends, so no stale lock file needs to be removed by hand.
 *
 * A lock on a file does not survive `rm`. So the owner touches `tmp` twice a second, and a starting service that finds a
 * used folder without a lock file watches for that first. The owner restores a removed lock file.
 */
export async function lockFolder(dataDir: string, log: Log): Promise<{ release(): void }> {
  const path = join(dataDir, 'service.lock');
  const heartbeat = join(dataDir, 'tmp');
  const inUse =
    `DATA_DIR ${dataDir} is in use by another running service. Stop that one, give this one a DATA_DIR of its own, ` +
    'or run several on shared stores (DATABASE_URL, REDIS_URL, S3_URL).';
  const wasRemoved = !existsSync(path) && existsSync(join(dataDir, 'labels.sqlite'));
  let lock = lockFile(path, inUse);
  if (wasRemoved && (await isTouched(heartbeat))) {
    lock.release();
    throw new Error(inUse);
  }
  const timer = setInterval(() => {
    try {
      const now = new Date();
      utimesSync(heartbeat, now, now);
      if (statSync(path, { throwIfNoEntry: false })?.ino === lock.ino) return;
      const restored = lockFile(path, inUse);
      lock.release();
      lock = restored;
      log.warn('store: service.lock was removed; restored it');
    } catch (error) {
      // A starting service has it while it watches for our heartbeat, or the disk is full. Try again next time.
      log.debug('store: could not restore service.lock', { error: String(error) });
    }
  }, HEARTBEAT_MS).unref();
  return {
    release() {
      clearInterval(timer);
      lock.release();
    },
  };
}

async function isTouched(path: string): Promise<boolean> {
  const modified = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const first = modified();
  const until = performance.now() + WATCH_MS;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (modified() !== first) return true;
  }
  return false;
}

/** Throws `inUse` when another process has the lock. */
export function lockFile(path: string, inUse: string): { release(): void; ino: number } {
  const file = openSync(path, 'a', 0o600);
  const { ino } = fstatSync(file);
  closeSync(file);
  giveToFolderOwner(path);
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
