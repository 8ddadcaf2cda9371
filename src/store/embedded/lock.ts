import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * Holds a folder for one service. The lock is the operating system's, taken through an empty SQLite file, so it
 * ends with the process however that ends: no stale lock file to remove by hand.
 */
export function lockFolder(dataDir: string): { release(): void } {
  return lockFile(
    join(dataDir, 'service.lock'),
    `DATA_DIR ${dataDir} is in use by another running service. Stop that one, give this one a DATA_DIR of its own, ` +
      'or run several on shared stores (DATABASE_URL, REDIS_URL, S3_URL).',
  );
}

/** `held` is told to whoever comes second. */
export function lockFile(path: string, held: string): { release(): void } {
  closeSync(openSync(path, 'a', 0o600));
  const sqlite = new DatabaseSync(path, { timeout: 0 });
  try {
    // A rollback journal in memory leaves no file of its own behind.
    sqlite.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    sqlite.close();
    if ((error as { errcode?: number }).errcode !== 5) throw error;
    throw new Error(held, { cause: error });
  }
  return { release: () => sqlite.close() };
}
