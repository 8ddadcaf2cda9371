import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';
import { type Database, isDamage } from './database.ts';
import { asStoreError } from './files.ts';

/** What a service does if it starts on a disk that can't be written: it reads what is there, and tries again. */

const RETRY_MS = 1000;

/** A file or a link in place of a folder or a file: the operator has to change something, and then restart. */
const MISTAKES = new Set(['EEXIST', 'ENOTDIR', 'ELOOP']);

/** Whether a start failed because of the disk or its permissions, which may change while the service runs. */
export function mayPass(error: Error): boolean {
  return asStoreError(error) instanceof StoreUnavailable && !isDamage(error) && !MISTAKES.has(codeOf(error));
}

/** Ours have the system's error as their cause. */
const codeOf = (error: Error): string =>
  ((error.cause ?? error) as NodeJS.ErrnoException).code ?? error.message;

const PROBLEMS: Record<string, string> = {
  ENOENT: "can't be created",
  EACCES: "can't be written to by this user",
  EPERM: "can't be written to by this user",
  EROFS: 'is on a read-only disk',
  ENOSPC: 'is on a full disk',
};

/** Why the folder can't be written, for the operator. */
export function unwritable(dataDir: string, error: Error): StoreUnavailable {
  const code = codeOf(error);
  // Node's permission model allows the service to create DATA_DIR only.
  const text =
    code === 'ERR_ACCESS_DENIED'
      ? "can't be created, because the folder above it is missing"
      : `${PROBLEMS[code] ?? "can't be written to"} (${error.message})`;
  return new StoreUnavailable(`DATA_DIR ${dataDir} ${text}.`, { cause: error });
}

interface ReadOnlyOptions {
  dataDir: string;
  main: Database;
  cache: Database;
  /** The start that failed. */
  openForWriting(): Promise<void>;
  log: Log;
}

/** Throws if the database is damaged. Returns a function that stops. */
export function readUntilWritable(
  failure: Error,
  { dataDir, main, cache, openForWriting, log }: ReadOnlyOptions,
): () => void {
  let logged = '';

  /** Opened again each time, because another process may have changed the file. */
  function read(error: Error): void {
    try {
      main.openForReading();
    } catch (unreadable) {
      // It is damaged, or a link.
      if (!mayPass(unreadable as Error)) throw unreadable;
    }
    try {
      cache.openForReading();
    } catch {
      // Everything in it can be computed again.
    }
    const code = codeOf(error);
    if (code === logged) return;
    logged = code;
    log.error(
      `store: ${unwritable(dataDir, error).message} Until it can be written to, stored labels are served, and new ones are ` +
        'refused. No restart is needed.',
    );
  }

  read(failure);
  const timer = setInterval(() => {
    openForWriting()
      .then(() => {
        clearInterval(timer);
        log.info(`store: DATA_DIR ${dataDir} can be written to`);
      }, read)
      // Damage: then nothing is read, and the store is not ready.
      .catch(() => {});
  }, RETRY_MS).unref();
  return () => clearInterval(timer);
}
