import { hash, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { type FileHandle, open, readdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { LabelCorrupted, LabelMissing, nullFor, StoreUnavailable } from '../errors.ts';
import type { Files } from '../label-bytes.ts';

/** Temporary files of an admin command are removed only after this time: the command may still be running. */
const ADMIN_TEMP_MAX_AGE_MS = 3_600_000;
const PAGE_SIZE = 500;
const MAX_VERIFIED_FILES = 20_000;
/** An unchanged file is checked again after this time, to find damage by a failing disk. */
const VERIFIED_MS = 600_000;

/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Follows no links, and does not wait for a writer when the path is a pipe. */
export const READ_FLAGS = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

export type FolderFiles = ReturnType<typeof openFiles>;

/** A file is written and flushed in `tmp/` and then gets its name, so a file with a name is complete. */
export function openFiles(dataDir: string, owner: 'service' | 'admin') {
  const pathOf = (name: string) => join(dataDir, name);
  const flushedFolders = new Set<string>();
  // Computing the digest is more than half the work of reading a label. An unchanged file needs it only now and then.
  const verified = new LRUCache<string, string>({ max: MAX_VERIFIED_FILES, ttl: VERIFIED_MS });

  /** Creates the folder of a name, which must not be a link. Returns a function that flushes the names in it. */
  function makeFolderOf(name: string): () => Promise<void> {
    const folder = dirname(pathOf(name));
    if (!statOf(folder)?.isDirectory()) {
      // Fails if it is a file or a link.
      mkdirSync(folder, { mode: 0o700 });
      giveToFolderOwner(folder);
      flushedFolders.delete(folder);
    }
    return async () => {
      await flushFolder(folder);
      // Not only by whoever created it: a label that was added meanwhile is lost with the folder's own name.
      if (!flushedFolders.has(folder)) await flushFolder(dirname(folder));
      flushedFolders.add(folder);
    };
  }

  const put: Files['put'] = (name, bytes) =>
    mapFileErrors(async () => {
      const temporary = join(dataDir, 'tmp', `${owner}-${randomUUID()}`);
      try {
        await writeFlushed(temporary, bytes);
        const flushNames = makeFolderOf(name);
        renameSync(temporary, pathOf(name));
        await flushNames();
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
    });

  const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;

  async function withFile<T>(name: string, work: (file: FileHandle, stat: Stats) => Promise<T>): Promise<T> {
    try {
      const file = await open(pathOf(name), READ_FLAGS);
      try {
        const stat = await file.stat();
        if (!stat.isFile()) throw new LabelMissing(`${name} is not a regular file.`);
        return await work(file, stat);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw asReadError(error, name);
    }
  }

  /** Compares the digest, unless the file is unchanged since. */
  const get: Files['get'] = (name, expected) =>
    withFile(name, async (file, stat) => {
      const corrupted = () => new LabelCorrupted(`The file ${name} is corrupted.`);
      if (stat.size !== expected.bytes) throw corrupted();
      const bytes = await readUpTo(file, expected.bytes);
      if (verified.get(name) === stampOf(stat)) return bytes;
      if (hash('sha256', bytes, 'hex') !== expected.sha256) throw corrupted();
      verified.set(name, stampOf(stat));
      return bytes;
    });

  const sizeOf: Files['size'] = (name) =>
    mapFileErrors(async () => {
      const found = statOf(pathOf(name));
      return found?.isFile() ? found.size : null;
    });

  return {
    put,
    get,
    size: sizeOf,
    async text(name, maxBytes) {
      // Most VINs have no such file, and an exception would cost more than the call.
      if ((await sizeOf(name)) === null) return null;
      const read = withFile(name, (file, stat) => readUpTo(file, stat.size > maxBytes ? 0 : stat.size));
      return (await read.catch(nullFor(LabelMissing)))?.toString() ?? null;
    },
    async check(name, expected) {
      verified.delete(name);
      // Reads corrupted bytes twice: the fault may be in memory.
      for (let attempt = 1; ; attempt++) {
        try {
          await get(name, expected);
          return 'intact';
        } catch (error) {
          if (error instanceof LabelMissing) return 'missing';
          if (!(error instanceof LabelCorrupted)) throw error;
          if (attempt === 2) return 'corrupted';
        }
      }
    },
    async *list(prefix) {
      const folder = dirname(`${prefix}.`);
      // `labels` has a folder for each beginning of a VIN.
      const folders =
        folder === 'labels' ? (await namesIn(pathOf(folder))).map((name) => `${folder}/${name}`) : [folder];
      for (const each of folders) {
        const names = (await namesIn(pathOf(each))).map((name) => `${each}/${name}`);
        const wanted = names.filter((name) => name.startsWith(prefix));
        for (let from = 0; from < wanted.length; from += PAGE_SIZE)
          yield wanted.slice(from, from + PAGE_SIZE);
      }
    },
    remove: (name) =>
      mapFileErrors(async () => {
        await unlink(pathOf(name)).catch(unlessMissing);
        await flushFolder(dirname(pathOf(name)));
      }),
    // Always the same name, so that crashes leave one file at most. Fails if `labels` is on another file system.
    async probe(bytes) {
      const name = `labels/${owner}.probe`;
      await put(name, Buffer.alloc(Math.max(bytes, 4096)));
      rmSync(pathOf(name), { force: true });
    },
    /** Removes what an interrupted run left in `tmp/`; returns the number of files. */
    async cleanUp(): Promise<number> {
      let removed = 0;
      for (const name of await namesIn(pathOf('tmp'))) {
        const path = join(dataDir, 'tmp', name);
        const found = statOf(path);
        // Not ours, or removed by a command that is running.
        if (!found?.isFile()) continue;
        if (!name.startsWith('service-') && Date.now() - found.mtimeMs < ADMIN_TEMP_MAX_AGE_MS) continue;
        await unlink(path).catch(unlessMissing);
        removed++;
      }
      return removed;
    },
  } satisfies Files & Record<'cleanUp', unknown>;
}

/** Without following a link; null when there is nothing. */
function statOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    unlessMissing(error);
    return null;
  }
}

/** Creates an empty file if there is none; fails if there is a link. */
export function createFile(path: string): Stats {
  const { O_WRONLY, O_CREAT, O_APPEND } = constants;
  const file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | NO_FOLLOW, 0o600);
  try {
    giveToFolderOwner(path);
    return fstatSync(file);
  } finally {
    closeSync(file);
  }
}

/** Creates a file; fails if there is one, or a link. */
export async function writeFlushed(path: string, bytes: Uint8Array | string): Promise<void> {
  await writeFile(path, bytes, { flag: 'wx', mode: 0o600, flush: true });
  giveToFolderOwner(path);
}

export async function flushFolder(path: string): Promise<void> {
  // Windows can't flush a folder; NTFS journals names.
  if (process.platform === 'win32') return;
  // Node's permission model allows only a file handle here. DATA_DIR itself may be a link: systemd makes it one.
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Gives what root created to the owner of the folder it is in, as SQLite does with its own files. Otherwise a service that
 * runs as another user couldn't open what an admin command left.
 */
export function giveToFolderOwner(path: string): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (uid === 0) return;
  try {
    lchownSync(path, uid, gid);
  } catch {
    // A container may not let root do it, nor may a network file system. Root itself can use the file.
  }
}

/** The first bytes of a file, or fewer if it has fewer. */
export async function readUpTo(file: FileHandle, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

const namesIn = (folder: string): Promise<string[]> =>
  mapFileErrors(() => readdir(folder).catch((error) => (unlessMissing(error), [])));

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/**
 * SQLite's result codes that are no bug of ours: no permission, busy, locked, out of memory, read-only, I/O, corrupt,
 * full, cannot open, lock protocol, not a database.
 */
const SQLITE_FAILURES = new Set([3, 5, 6, 7, 8, 10, 11, 13, 14, 15, 26]);

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
async function mapFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** ELOOP: a symbolic link in place of the file or its folder; links are not followed. ENOTDIR: a file in place of its folder. */
const MISSING_CODES = new Set<unknown>(['ENOENT', 'ELOOP', 'ENOTDIR']);

function isMissing(error: unknown): boolean {
  return error instanceof Error && MISSING_CODES.has((error as NodeJS.ErrnoException).code);
}

/** Like `asStoreError`, but maps a missing file to `LabelMissing` and an unreadable one to `LabelCorrupted`. */
function asReadError(error: unknown, name: string): unknown {
  if (isMissing(error)) return new LabelMissing(`The file ${name} is missing.`, { cause: error });
  // A bad sector: the rest of the disk may work.
  if ((error as NodeJS.ErrnoException).code === 'EIO')
    return new LabelCorrupted(`The file ${name} can't be read.`, { cause: error });
  return asStoreError(error);
}
