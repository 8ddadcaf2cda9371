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

/** There is nothing where the settings say that the store is. */
export class NoStore extends Error {
  override name = 'NoStore';
}

/** For `catch`: null in place of errors of these classes. */
export function nullFor(...classes: (new () => Error)[]): (error: unknown) => null {
  return (error) => {
    if (classes.some((each) => error instanceof each)) return null;
    throw error;
  };
}

/**
 * SQLite's result codes that are no bug of ours: no permission, busy, locked, out of memory, read-only, I/O, corrupt,
 * full, cannot open, lock protocol, not a database.
 */
const SQLITE_FAILURES = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

/** What SQLite said about the pages of a database. */
export class DamagedDatabase extends Error {
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

/**
 * Maps failures of SQLite and of the file system to `StoreUnavailable`. Any other error is a bug and is returned
 * unchanged. All system errors count, because there are too many to list: a full disk, a folder in place of a file, a
 * network disk that is gone, a folder on another disk. So does what Node's permission model refuses.
 */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, syscall, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  const isRefused = syscall !== undefined || code === 'ERR_ACCESS_DENIED';
  const isFailure = errcode === undefined ? isRefused : SQLITE_FAILURES.has(errcode & 0xff);
  return isFailure
    ? new StoreUnavailable(`The store is unavailable: ${error.message}`, { cause: error })
    : error;
}

/** Runs file system work. */
export async function mapFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** ELOOP: a symbolic link in place of the file or its folder; links are not followed. ENOTDIR: a file in place of its folder. */
const MISSING_CODES = new Set<unknown>(['ENOENT', 'ELOOP', 'ENOTDIR']);

export function isMissing(error: unknown): boolean {
  return error instanceof Error && MISSING_CODES.has((error as NodeJS.ErrnoException).code);
}

/** Like `asStoreError`, but maps a missing file to `LabelMissing` and an unreadable one to `LabelCorrupted`. */
export function asReadError(error: unknown, name: string): unknown {
  if (isMissing(error)) return new LabelMissing(`The file ${name} is missing.`, { cause: error });
  // A bad sector: the rest of the disk may work.
  if ((error as NodeJS.ErrnoException).code === 'EIO')
    return new LabelCorrupted(`The file ${name} can't be read.`, { cause: error });
  return asStoreError(error);
}
