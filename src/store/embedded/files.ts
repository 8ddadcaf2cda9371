import { createHash, hash, randomUUID } from 'node:crypto';
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
import { giveToFolderOwner } from '../../lib/folder.ts';
import { asReadError, isMissing, mapFileErrors } from '../errors.ts';
import {
  folderOf,
  type LabelBytes,
  parseLabelName,
  parseLabelRow,
  parseWithdrawal,
  parseWithdrawalName,
  pdfName,
  rowName,
  withdrawalName,
} from '../label-bytes.ts';
import { labelJson } from '../rows.ts';
import { type HeldLabel, LabelCorrupted, LabelMissing } from '../store.ts';

/** Temporary files of an admin command are removed only after this time: the command may still be running. */
const ADMIN_TEMP_MAX_AGE_MS = 3_600_000;
const PAGE_SIZE = 500;
const CHUNK_BYTES = 256 * 1024;
const MAX_VERIFIED_FILES = 20_000;
/** An unchanged file is checked again after this time, to find damage by a failing disk. */
const VERIFIED_MS = 600_000;

/** Windows has no such flag. */
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
/** Follows no links, and does not wait for a writer when the path is a pipe. */
const READ_FLAGS = constants.O_RDONLY | NO_FOLLOW | (constants.O_NONBLOCK ?? 0);

/** Labels in a folder. A file is written and flushed in `tmp/` and then gets its name, so a file with a name is complete. */
export interface Files extends LabelBytes {
  /** Removes what an interrupted run left in `tmp/`; returns the number of files. */
  cleanUp(): Promise<number>;
}

export function openFiles(dataDir: string, owner: 'service' | 'admin'): Files {
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

  /** Writes and flushes a temporary file, then gives it its name. */
  async function write(name: string, bytes: Uint8Array | string): Promise<void> {
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
  }

  const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  const isVerified = (label: HeldLabel, stat: Stats) => verified.get(pdfName(label)) === stampOf(stat);

  function assertDigest(digest: string, label: HeldLabel, stat: Stats): void {
    if (digest !== label.sha256) throw new LabelCorrupted(`The file of label ${label.sha256} is corrupted.`);
    verified.set(pdfName(label), stampOf(stat));
  }

  async function readText(name: string): Promise<string | null> {
    try {
      return await withFile(pathOf(name), async (file) => (await file.readFile()).toString());
    } catch (error) {
      if (isMissing(error) || error instanceof LabelMissing) return null;
      throw error;
    }
  }

  async function get(label: HeldLabel): Promise<Buffer> {
    try {
      return await withFile(pathOf(pdfName(label)), async (file, stat) => {
        const bytes = await file.readFile();
        if (!isVerified(label, stat)) assertDigest(hash('sha256', bytes, 'hex'), label, stat);
        return bytes;
      });
    } catch (error) {
      throw asReadError(error, label.sha256);
    }
  }

  const check: Files['check'] = async (label) => {
    verified.delete(pdfName(label));
    // Reads corrupted bytes twice: the fault may be in memory.
    for (let attempt = 1; ; attempt++) {
      try {
        await get(label);
        return 'intact';
      } catch (error) {
        if (error instanceof LabelMissing) return 'missing';
        if (!(error instanceof LabelCorrupted)) throw error;
        if (attempt === 2) return 'corrupted';
      }
    }
  };

  return {
    // A file of this name has these bytes, or is damaged.
    put: (label, pdf) => mapFileErrors(() => write(pdfName(label), pdf)),
    get,
    async getRange(label, start, end) {
      try {
        const file = await open(pathOf(pdfName(label)), READ_FLAGS);
        try {
          const stat = assertRegularFile(await file.stat());
          if (!isVerified(label, stat)) assertDigest(await digestOf(file), label, stat);
        } catch (error) {
          await file.close();
          throw error;
        }
        return file.createReadStream({ start, end, highWaterMark: CHUNK_BYTES });
      } catch (error) {
        throw asReadError(error, label.sha256);
      }
    },
    has: (label) =>
      mapFileErrors(async () => {
        const found = statOf(pathOf(pdfName(label)));
        return !!found?.isFile() && found.size === label.bytes;
      }),
    check,
    drop: (label) => mapFileErrors(async () => rmSync(pathOf(pdfName(label)), { force: true })),
    erase: (vin) =>
      mapFileErrors(async () => {
        const folder = pathOf(folderOf(vin));
        const names = (await namesIn(folder)).filter((name) => parseLabelName(name)?.vin === vin);
        for (const name of names) await unlink(join(folder, name)).catch(unlessMissing);
        if (names.length > 0) await flushFolder(folder);
      }),
    putRow: (label) => mapFileErrors(() => write(rowName(label.vin), labelJson(label))),
    row: (vin) =>
      mapFileErrors(async () => {
        const text = await readText(rowName(vin));
        return text === null ? null : parseLabelRow(vin, text);
      }),
    hasRow: (vin) => mapFileErrors(async () => statOf(pathOf(rowName(vin)))?.isFile() ?? false),
    putWithdrawal: (withdrawal) =>
      mapFileErrors(() => write(withdrawalName(withdrawal.vin), JSON.stringify(withdrawal))),
    withdrawal: (vin) =>
      mapFileErrors(async () => {
        const text = await readText(withdrawalName(vin));
        return text === null ? null : parseWithdrawal(vin, text);
      }),
    withdrawnVins: () =>
      mapFileErrors(
        async () =>
          new Set((await namesIn(pathOf('withdrawn'))).flatMap((name) => parseWithdrawalName(name) ?? [])),
      ),
    async *list() {
      for (const folder of await namesIn(pathOf('labels'))) {
        const files = (await namesIn(join(pathOf('labels'), folder))).flatMap(
          (name) => parseLabelName(name) ?? [],
        );
        for (let from = 0; from < files.length; from += PAGE_SIZE) yield files.slice(from, from + PAGE_SIZE);
      }
    },
    // Always the same name, so that crashes leave one file at most. Fails if `labels` is on another file system.
    probe: () =>
      mapFileErrors(async () => {
        const name = `labels/${owner}.probe`;
        await write(name, Buffer.alloc(4096));
        rmSync(pathOf(name), { force: true });
      }),
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

/** Works on a regular file, without following links. */
async function withFile<T>(path: string, work: (file: FileHandle, stat: Stats) => Promise<T>): Promise<T> {
  const file = await open(path, READ_FLAGS);
  try {
    return await work(file, assertRegularFile(await file.stat()));
  } finally {
    await file.close();
  }
}

function assertRegularFile(stat: Stats): Stats {
  if (!stat.isFile()) throw new LabelMissing('Not a regular file.');
  return stat;
}

async function digestOf(file: FileHandle): Promise<string> {
  const digest = createHash('sha256');
  const chunk = Buffer.alloc(CHUNK_BYTES);
  for (let position = 0; ;) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) return digest.digest('hex');
    digest.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
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
  // Node's permission model allows only a file handle here.
  const folder = await open(path, constants.O_RDONLY | NO_FOLLOW);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

const namesIn = (folder: string): Promise<string[]> =>
  readdir(folder).catch((error) => (unlessMissing(error), []));

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
