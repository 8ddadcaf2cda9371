import { hash, randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { type FileHandle, open, readdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { giveToFolderOwner, NO_FOLLOW, READ_FLAGS, readUpTo } from '../../lib/file-system.ts';
import { asReadError, isMissing, mapFileErrors, nullFor } from '../errors.ts';
import type { Files } from '../label-bytes.ts';
import { LabelCorrupted, LabelMissing } from '../store.ts';

/** Temporary files of an admin command are removed only after this time: the command may still be running. */
const ADMIN_TEMP_MAX_AGE_MS = 3_600_000;
const PAGE_SIZE = 500;
const MAX_VERIFIED_FILES = 20_000;
/** An unchanged file is checked again after this time, to find damage by a failing disk. */
const VERIFIED_MS = 600_000;

/** A file is written and flushed in `tmp/` and then gets its name, so a file with a name is complete. */
export interface FolderFiles extends Files {
  /** Removes what an interrupted run left in `tmp/`; returns the number of files. */
  cleanUp(): Promise<number>;
}

export function openFiles(dataDir: string, owner: 'service' | 'admin'): FolderFiles {
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

  return {
    put,
    get,
    async text(name, maxBytes) {
      const read = withFile(name, (file, { size }) => readUpTo(file, size > maxBytes ? 0 : size));
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
    size: (name) =>
      mapFileErrors(async () => {
        const found = statOf(pathOf(name));
        return found?.isFile() ? found.size : null;
      }),
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
    async cleanUp() {
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
  };
}

/** Without following a link; null when there is nothing. */
function statOf(path: string): Stats | null {
  try {
    // Most VINs have no file, and an exception would cost more than the call.
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

const namesIn = (folder: string): Promise<string[]> =>
  mapFileErrors(() => readdir(folder).catch((error) => (unlessMissing(error), [])));

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
