import { LabelMissing, StoreUnavailable } from '../store.ts';

/** SQLite's primary result codes that time, space or the operator can mend: busy, locked, read-only, I/O, full, cannot open. */
const passing = new Set([5, 6, 8, 10, 13, 14]);
/** The same for the file system, and running out of file handles. */
const passingCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'EMFILE',
  'ENFILE',
  'ENOENT',
  'EBUSY',
]);

/** What an error of SQLite or the file system means to callers. Anything unknown is a bug and stays as it is. */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  const may = errcode === undefined ? passingCodes.has(code ?? '') : passing.has(errcode & 0xff);
  return may
    ? new StoreUnavailable(`The store cannot do this now: ${error.message}`, { cause: error })
    : error;
}

/** Runs synchronous work of SQLite. */
export function mapErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Runs work on files. */
export async function mapFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Like `asStoreError`, for reading a label's bytes, where a missing file has a meaning of its own. */
export function asReadError(error: unknown, sha256: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // ELOOP: a link where the file should be, which is not followed.
  if (error instanceof Error && (code === 'ENOENT' || code === 'ELOOP')) {
    return new LabelMissing(`The bytes of label ${sha256} are not there.`, { cause: error });
  }
  return asStoreError(error);
}
