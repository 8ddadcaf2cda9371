import { createHash, hash } from 'node:crypto';
import {
  constants,
  createReadStream,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open, readFile, readdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { type HeldLabel, LabelMissing, LabelCorrupted } from '../store.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { flushedFile, openPrepared } from './prepared.ts';
import { createFileReader, READ_FLAGS, regular } from './file-reader.ts';
import { asReadError, mapFileErrors } from './store-errors.ts';

/** Leftovers of an admin command beside the service are touched only when they are this old: it may be running. */
const ADMIN_LEFTOVER_MS = 3_600_000;

/**
 * Whole files under a folder, named by the SHA-256 of a label: `labels/ab/cdef….pdf`, `previews/ab/cdef…-640.webp`.
 * A file appears under its name only when all of it is on the disk. Names are given without another thread: that is
 * quick, and handing each over was most of what keeping a label took.
 */
export interface Files {
  /** Begins to write bytes that will most likely be kept; answers with how to stop. */
  prepare: (pdf: Uint8Array) => () => void;
  /** Keeps the bytes, then runs `record`; a crash in between is found and finished by `tidy`. */
  keepLabel: <T>(row: HeldLabel, pdf: Uint8Array, record: () => T) => Promise<T>;
  dropLabel: (sha256: string) => Promise<void>;
  label: (sha256: string) => Promise<Buffer>;
  labelInto: (sha256: string, allocate: () => Buffer) => MaybePromise<Buffer>;
  labelPart: (sha256: string, start: number, end: number) => Promise<Readable>;
  /** Bytes of the file, null when it is not there. */
  labelSize: (sha256: string) => number | null;
  keepPreview: (sha256: string, width: number, webp: Uint8Array) => Promise<void>;
  preview: (sha256: string, width: number) => Promise<Buffer | null>;
  dropPreviews: (sha256: string) => Promise<void>;
  /**
   * Removes what a crash left. `record` is given the row of each label whose keeping was interrupted after its file was
   * whole, and answers whether it could use it.
   */
  tidy: (recorded: (sha256: string) => boolean, record: (row: HeldLabel) => Promise<void>) => Promise<number>;
  /** Digests of all label files. */
  digests: () => Promise<string[]>;
  /** Writes and removes a few bytes, to see whether that works. */
  probe: () => Promise<void>;
}

const CHUNK = 256 * 1024;
/** Files remembered as checked, and for how long: what a failing disk changes is found after that at the latest. */
const CHECKED = 20_000;
const CHECKED_MS = 600_000;

export function openFiles(dataDir: string, owner: 'service' | 'admin'): Files {
  const passing = join(dataDir, 'tmp');
  const labelPath = (sha256: string) => join(dataDir, 'labels', sha256.slice(0, 2), `${sha256.slice(2)}.pdf`);
  const previewPath = (sha256: string, width: number) =>
    join(dataDir, 'previews', sha256.slice(0, 2), `${sha256.slice(2)}-${width}.webp`);
  const readInto = createFileReader(() => performance.now());
  let serial = 0;
  const passingName = (sha256: string, end: string) =>
    join(passing, `${owner}-${process.pid}-${serial++}.${sha256}.${end}`);
  const prepared = openPrepared(() => passingName('0', 'part'));

  async function flushFolder(path: string): Promise<void> {
    // Windows cannot flush a folder, and orders names by its journal.
    if (process.platform === 'win32') return;
    // By a handle: Node's permission model allows no other way.
    const folder = await open(path, constants.O_RDONLY);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Answers when the file has its name, with what makes the name outlast a power cut. */
  async function place(bytes: Uint8Array, path: string): Promise<() => Promise<void>> {
    let temporary = await prepared.take(bytes);
    const folder = dirname(path);
    try {
      if (temporary === null) await flushedFile((temporary = passingName('0', 'part')), bytes);
      const isNew = mkdirSync(folder, { recursive: true, mode: 0o700 });
      renameSync(temporary, path);
      return async () => {
        await flushFolder(folder);
        if (isNew) await flushFolder(dirname(folder));
      };
    } catch (error) {
      if (temporary !== null) await unlink(temporary).catch(() => {});
      throw error;
    }
  }

  // A file that was whole, and that nobody has written to since, need not be hashed again for a while.
  const checked = new LRUCache<string, string>({ max: CHECKED, ttl: CHECKED_MS });
  const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  const isChecked = (sha256: string, stat: Stats) => checked.get(sha256) === stampOf(stat);

  function checkDigest(digest: string, sha256: string, stat: Stats): void {
    if (digest !== sha256) {
      checked.delete(sha256);
      throw new LabelCorrupted(`The bytes of label ${sha256} have changed on the disk.`);
    }
    checked.set(sha256, stampOf(stat));
  }

  async function digestOf(file: FileHandle): Promise<string> {
    const digest = createHash('sha256');
    const chunk = Buffer.alloc(CHUNK);
    for (let from = 0; ;) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, from);
      if (bytesRead === 0) return digest.digest('hex');
      digest.update(chunk.subarray(0, bytesRead));
      from += bytesRead;
    }
  }

  async function stateOf(sha256: string): Promise<'intact' | 'corrupted' | 'missing'> {
    const bytes = await readFile(labelPath(sha256)).catch((error) => (unlessMissing(error), null));
    if (bytes === null) return 'missing';
    return hash('sha256', bytes, 'hex') === sha256 ? 'intact' : 'corrupted';
  }

  return {
    prepare: prepared.begin,
    keepLabel: (row, pdf, record) =>
      mapFileErrors(async () => {
        // The mark outlives the rename, so that a file whose row was never written can be found without a search.
        const { sha256 } = row;
        const mark = passingName(sha256, 'keeping');
        writeFileSync(mark, JSON.stringify(row), { mode: 0o600 });
        const flushName = await place(pdf, labelPath(sha256));
        // The name and the row go to the disk together: a row whose file a power cut took is found by the next start.
        const flushed = flushName();
        flushed.catch(() => {});
        const recorded = record();
        await flushed;
        rmSync(mark, { force: true });
        return recorded;
      }),
    dropLabel: (sha256) => mapFileErrors(() => unlink(labelPath(sha256)).catch(unlessMissing)),
    label: async (sha256) => {
      try {
        const file = await open(labelPath(sha256), READ_FLAGS);
        try {
          const stat = await file.stat();
          regular(stat, labelPath(sha256));
          const bytes = await file.readFile();
          checkDigest(hash('sha256', bytes, 'hex'), sha256, stat);
          return bytes;
        } finally {
          await file.close();
        }
      } catch (error) {
        throw asReadError(error, sha256);
      }
    },
    labelInto: (sha256, allocate) => {
      try {
        const bytes = readInto(labelPath(sha256), allocate, (read, stat) => {
          if (!isChecked(sha256, stat)) checkDigest(hash('sha256', read, 'hex'), sha256, stat);
        });
        return bytes instanceof Promise ? bytes.catch((error) => unread(error, sha256)) : bytes;
      } catch (error) {
        return unread(error, sha256);
      }
    },
    labelPart: async (sha256, start, end) => {
      try {
        const file = await open(labelPath(sha256), READ_FLAGS);
        try {
          const stat = await file.stat();
          regular(stat, labelPath(sha256));
          if (stat.size <= end) throw new LabelMissing(`Label ${sha256} has only ${stat.size} bytes.`);
          if (!isChecked(sha256, stat)) checkDigest(await digestOf(file), sha256, stat);
        } catch (error) {
          await file.close();
          throw error;
        }
        return createReadStream('', { fd: file, start, end, highWaterMark: CHUNK });
      } catch (error) {
        throw asReadError(error, sha256);
      }
    },
    labelSize: (sha256) => {
      const stat = lstatSync(labelPath(sha256), { throwIfNoEntry: false });
      return stat?.isFile() ? stat.size : null;
    },
    keepPreview: (sha256, width, webp) =>
      mapFileErrors(async () => (await place(webp, previewPath(sha256, width)))()),
    preview: (sha256, width) =>
      mapFileErrors(() =>
        readFile(previewPath(sha256, width)).catch((error) => (unlessMissing(error), null)),
      ),
    dropPreviews: (sha256) =>
      mapFileErrors(async () => {
        const folder = dirname(previewPath(sha256, 0));
        const names = await readdir(folder).catch((error) => (unlessMissing(error), []));
        for (const name of names)
          if (name.startsWith(`${sha256.slice(2)}-`)) await unlink(join(folder, name)).catch(unlessMissing);
      }),
    tidy: async (recorded, record) => {
      let removed = 0;
      for (const name of await readdir(passing)) {
        const path = join(passing, name);
        const [by = '', sha256 = '', end] = name.split('.');
        if (!by.startsWith('service-') && Date.now() - (await stat(path)).mtimeMs < ADMIN_LEFTOVER_MS)
          continue;
        if (end === 'keeping') {
          const found = await stateOf(sha256);
          // A whole label is never deleted, with or without a row.
          if (found === 'corrupted' && !recorded(sha256))
            await unlink(labelPath(sha256)).catch(unlessMissing);
          const row = found === 'intact' ? rowIn(await readFile(path, 'utf8'), sha256) : null;
          if (row) await record(row);
        }
        await unlink(path).catch(unlessMissing);
        removed++;
      }
      return removed;
    },
    digests: async () => {
      const names = await readdir(join(dataDir, 'labels'), { recursive: true });
      return names.flatMap((name) => {
        const digest = name.replace(/[/\\]|\.pdf$/g, '');
        return name.endsWith('.pdf') && /^[0-9a-f]{64}$/.test(digest) ? [digest] : [];
      });
    },
    probe: () =>
      mapFileErrors(async () => {
        const path = passingName('0', 'probe');
        try {
          await writeFile(path, Buffer.alloc(4096), { mode: 0o600, flush: true });
        } finally {
          await unlink(path).catch(() => {});
        }
      }),
  };
}

/** The row that a mark carries; null when a power cut emptied it. */
function rowIn(text: string, sha256: string): HeldLabel | null {
  try {
    const row = JSON.parse(text) as HeldLabel;
    return row.sha256 === sha256 ? row : null;
  } catch {
    return null;
  }
}

function unread(error: unknown, sha256: string): never {
  throw asReadError(error, sha256);
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
