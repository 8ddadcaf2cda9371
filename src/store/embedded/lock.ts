import { closeSync, existsSync, fstatSync, openSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../lib/log.ts';

/** How often the holder shows that it is there, and looks whether its lock file is. */
const BEAT_MS = 500;
/** How long a newcomer that finds no lock file watches for a holder. */
const WATCH_MS = 2000;

/**
 * Holds a folder for one service. The lock is the operating system's, taken through an empty SQLite file, so it
 * ends with the process however that ends: no stale lock file to remove by hand.
 *
 * A lock on a file does not survive `rm`. So the holder touches `tmp` twice a second, and a newcomer that finds a used
 * folder without a lock file watches for that first. The holder puts a removed lock file back.
 */
export async function lockFolder(dataDir: string, log: Log): Promise<{ release(): void }> {
  const path = join(dataDir, 'service.lock');
  const pulse = join(dataDir, 'tmp');
  const held =
    `DATA_DIR ${dataDir} is in use by another running service. Stop that one, give this one a DATA_DIR of its own, ` +
    'or run several on shared stores (DATABASE_URL, REDIS_URL, S3_URL).';
  const removed = !existsSync(path) && existsSync(join(dataDir, 'labels.sqlite'));
  let lock = lockFile(path, held);
  if (removed && (await changes(pulse))) {
    lock.release();
    throw new Error(held);
  }
  const timer = setInterval(() => {
    try {
      const now = new Date();
      utimesSync(pulse, now, now);
      if (statSync(path, { throwIfNoEntry: false })?.ino === lock.ino) return;
      const again = lockFile(path, held);
      lock.release();
      lock = again;
      log.warn('store: service.lock was removed; it is back');
    } catch (error) {
      // A newcomer watching for us holds it, or the disk is full: the next turn tries again.
      log.debug('store: service.lock is not ours', { error: String(error) });
    }
  }, BEAT_MS).unref();
  return {
    release() {
      clearInterval(timer);
      lock.release();
    },
  };
}

async function changes(path: string): Promise<boolean> {
  const modified = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const first = modified();
  const until = performance.now() + WATCH_MS;
  while (performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (modified() !== first) return true;
  }
  return false;
}

/** `held` is told to whoever comes second. */
export function lockFile(path: string, held: string): { release(): void; ino: number } {
  const file = openSync(path, 'a', 0o600);
  const { ino } = fstatSync(file);
  closeSync(file);
  const sqlite = new DatabaseSync(path, { timeout: 0 });
  try {
    // A rollback journal in memory leaves no file of its own behind.
    sqlite.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    sqlite.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new Error(held, { cause: error });
  }
  return { release: () => sqlite.close(), ino };
}
