/** A temporary failure. */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';
}

/**
 * The bytes that were read don't match the SHA-256 in the row. They may be intact in storage and corrupted in transit, so
 * this counts as a temporary failure and the label is kept; `admin verify` checks again.
 */
export class LabelCorrupted extends StoreUnavailable {
  override name = 'LabelCorrupted';
}

/** There is a row, but its bytes are missing or incomplete: the label must be fetched again. */
export class LabelMissing extends Error {
  override name = 'LabelMissing';
}

/** The operator withdrew the label of this VIN: it must be neither kept nor served. */
export class LabelWithdrawn extends Error {
  override name = 'LabelWithdrawn';
}

/** SQLite's transient result codes: busy, locked, read-only, I/O, full, cannot open. */
const TRANSIENT_SQLITE_CODES = new Set([5, 6, 8, 10, 13, 14]);
const TRANSIENT_FILE_CODES = new Set([
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

/** Maps transient SQLite and file system errors to `StoreUnavailable`. Any other error is a bug and is returned unchanged. */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, errcode } = error as Error & { code?: string; errcode?: number };
  const isTransient =
    errcode === undefined ? TRANSIENT_FILE_CODES.has(code ?? '') : TRANSIENT_SQLITE_CODES.has(errcode & 0xff);
  return isTransient
    ? new StoreUnavailable(`The store is unavailable: ${error.message}`, { cause: error })
    : error;
}

/** Runs synchronous SQLite work. */
export function mapErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Runs file system work. */
export async function mapFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Like `asStoreError`, but maps a missing file to `LabelMissing`. */
export function asReadError(error: unknown, sha256: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  // ELOOP: a symbolic link in place of the file; links are not followed.
  if (error instanceof Error && (code === 'ENOENT' || code === 'ELOOP')) {
    return new LabelMissing(`The file of label ${sha256} is missing.`, { cause: error });
  }
  return asStoreError(error);
}
