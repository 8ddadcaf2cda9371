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
import { writeFlushed, openPrepared } from './prepared.ts';
import { createFileReader, READ_FLAGS, assertRegularFile } from './file-reader.ts';
import { asReadError, mapFileErrors } from './store-errors.ts';

/** Temporary files of an admin command are removed only after this time: the command may still be running. */
const ADMIN_TEMP_MAX_AGE_MS = 3_600_000;

/**
 * Files named by the SHA-256 of a label: `labels/ab/cdef….pdf`, `previews/ab/cdef…-640.webp`. A file gets its name only
 * after all of it is flushed to disk. Renames are synchronous: they are fast, and the thread pool took most of the time
 * of keeping a label.
 */
export interface Files {
  /** Starts writing bytes that will probably be kept; returns a function that cancels. */
  prepare: (pdf: Uint8Array) => () => void;
  /** Writes the bytes, then runs `record`. `cleanUp` completes what a crash interrupts in between. */
  keepLabel: <T>(row: HeldLabel, pdf: Uint8Array, record: () => T) => Promise<T>;
  dropLabel: (sha256: string) => Promise<void>;
  label: (sha256: string) => Promise<Buffer>;
  labelInto: (sha256: string, allocate: () => Buffer) => MaybePromise<Buffer>;
  labelRange: (sha256: string, start: number, end: number) => Promise<Readable>;
  /** In bytes; null when there is no file. */
  labelSize: (sha256: string) => number | null;
  keepPreview: (sha256: string, width: number, webp: Uint8Array) => Promise<void>;
  preview: (sha256: string, width: number) => Promise<Buffer | null>;
  dropPreviews: (sha256: string) => Promise<void>;
  /**
   * Removes temporary files left by a crash and returns their number. Calls `record` with the row of each label whose
   * file was complete when it was interrupted.
   */
  cleanUp: (
    hasRow: (sha256: string) => boolean,
    record: (row: HeldLabel) => Promise<void>,
  ) => Promise<number>;
  /** Digests of all label files. */
  digests: () => Promise<string[]>;
  /** Writes and removes a temporary file, to check that this works. */
  probe: () => Promise<void>;
}

const CHUNK_BYTES = 256 * 1024;
const MAX_VERIFIED_FILES = 20_000;
/** An unchanged file is hashed again after this time, to find damage by a failing disk. */
const VERIFIED_MS = 600_000;

export function openFiles(dataDir: string, owner: 'service' | 'admin'): Files {
  const tempDir = join(dataDir, 'tmp');
  const labelPath = (sha256: string) => join(dataDir, 'labels', sha256.slice(0, 2), `${sha256.slice(2)}.pdf`);
  const previewPath = (sha256: string, width: number) =>
    join(dataDir, 'previews', sha256.slice(0, 2), `${sha256.slice(2)}-${width}.webp`);
  const readInto = createFileReader(() => performance.now());
  let serial = 0;
  const tempPath = (sha256: string, extension: string) =>
    join(tempDir, `${owner}-${process.pid}-${serial++}.${sha256}.${extension}`);
  const prepared = openPrepared(() => tempPath('0', 'part'));

  async function flushFolder(path: string): Promise<void> {
    // Windows can't flush a folder; NTFS journals names.
    if (process.platform === 'win32') return;
    // Node's permission model allows only a file handle here.
    const folder = await open(path, constants.O_RDONLY);
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Resolves when the file has its name; the returned function flushes the name to disk. */
  async function writeAtomically(bytes: Uint8Array, path: string): Promise<() => Promise<void>> {
    let temporary = await prepared.take(bytes);
    const folder = dirname(path);
    try {
      if (temporary === null) await writeFlushed((temporary = tempPath('0', 'part')), bytes);
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

  // A verified file that has not changed since need not be hashed again for a while.
  const verified = new LRUCache<string, string>({ max: MAX_VERIFIED_FILES, ttl: VERIFIED_MS });
  const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats) => `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  const isVerified = (sha256: string, stat: Stats) => verified.get(sha256) === stampOf(stat);

  function checkDigest(digest: string, sha256: string, stat: Stats): void {
    if (digest !== sha256) {
      verified.delete(sha256);
      throw new LabelCorrupted(`The file of label ${sha256} is corrupted.`);
    }
    verified.set(sha256, stampOf(stat));
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

  async function stateOf(sha256: string): Promise<'intact' | 'corrupted' | 'missing'> {
    const bytes = await readFile(labelPath(sha256)).catch((error) => (unlessMissing(error), null));
    if (bytes === null) return 'missing';
    return hash('sha256', bytes, 'hex') === sha256 ? 'intact' : 'corrupted';
  }

  return {
    prepare: prepared.begin,
    keepLabel: (row, pdf, record) =>
      mapFileErrors(async () => {
        // The marker is removed last, so that after a crash a file without a row is found without scanning all files.
        const { sha256 } = row;
        const marker = tempPath(sha256, 'keeping');
        writeFileSync(marker, JSON.stringify(row), { mode: 0o600 });
        const flushName = await writeAtomically(pdf, labelPath(sha256));
        // Flushes the name and the row at the same time: the next start finds a row whose file was lost in a power cut.
        const flushed = flushName();
        flushed.catch(() => {});
        const result = record();
        await flushed;
        rmSync(marker, { force: true });
        return result;
      }),
    dropLabel: (sha256) => mapFileErrors(() => unlink(labelPath(sha256)).catch(unlessMissing)),
    label: async (sha256) => {
      try {
        const file = await open(labelPath(sha256), READ_FLAGS);
        try {
          const stat = await file.stat();
          assertRegularFile(stat, labelPath(sha256));
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
          if (!isVerified(sha256, stat)) checkDigest(hash('sha256', read, 'hex'), sha256, stat);
        });
        return bytes instanceof Promise ? bytes.catch((error) => throwReadError(error, sha256)) : bytes;
      } catch (error) {
        return throwReadError(error, sha256);
      }
    },
    labelRange: async (sha256, start, end) => {
      try {
        const file = await open(labelPath(sha256), READ_FLAGS);
        try {
          const stat = await file.stat();
          assertRegularFile(stat, labelPath(sha256));
          if (stat.size <= end) throw new LabelMissing(`Label ${sha256} has only ${stat.size} bytes.`);
          if (!isVerified(sha256, stat)) checkDigest(await digestOf(file), sha256, stat);
        } catch (error) {
          await file.close();
          throw error;
        }
        return createReadStream('', { fd: file, start, end, highWaterMark: CHUNK_BYTES });
      } catch (error) {
        throw asReadError(error, sha256);
      }
    },
    labelSize: (sha256) => {
      const stat = lstatSync(labelPath(sha256), { throwIfNoEntry: false });
      return stat?.isFile() ? stat.size : null;
    },
    keepPreview: (sha256, width, webp) =>
      mapFileErrors(async () => (await writeAtomically(webp, previewPath(sha256, width)))()),
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
    cleanUp: async (hasRow, record) => {
      let removed = 0;
      for (const name of await readdir(tempDir)) {
        const path = join(tempDir, name);
        const [writer = '', sha256 = '', extension] = name.split('.');
        if (!writer.startsWith('service-') && Date.now() - (await stat(path)).mtimeMs < ADMIN_TEMP_MAX_AGE_MS)
          continue;
        if (extension === 'keeping') {
          const state = await stateOf(sha256);
          // An intact label is never deleted, with or without a row.
          if (state === 'corrupted' && !hasRow(sha256)) await unlink(labelPath(sha256)).catch(unlessMissing);
          const row = state === 'intact' ? parseMarker(await readFile(path, 'utf8'), sha256) : null;
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
        const path = tempPath('0', 'probe');
        try {
          await writeFile(path, Buffer.alloc(4096), { mode: 0o600, flush: true });
        } finally {
          await unlink(path).catch(() => {});
        }
      }),
  };
}

/** The row in a marker file; null when the file was emptied by a power cut. */
function parseMarker(text: string, sha256: string): HeldLabel | null {
  try {
    const row = JSON.parse(text) as HeldLabel;
    return row.sha256 === sha256 ? row : null;
  } catch {
    return null;
  }
}

function throwReadError(error: unknown, sha256: string): never {
  throw asReadError(error, sha256);
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
