import { hash } from 'node:crypto';
import { constants, lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { lstat, open, readFile, readdir, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { giveToFolderOwner } from '../../lib/folder.ts';
import type { HeldLabel } from '../legacy-store.ts';
import { labelReader, type LabelReader } from './label-reader.ts';
import { asStoreError, isMissing, mapFileErrors } from '../errors.ts';

/** Temporary files of an admin command are removed only after this time: the command may still be running. */
const ADMIN_TEMP_MAX_AGE_MS = 3_600_000;

/**
 * Files named by the SHA-256 of a label: `labels/ab/cdef….pdf`, `previews/ab/cdef…-640.webp`. A file gets its name only
 * after all of it is flushed to disk. Renames are synchronous: they are fast, and the thread pool took most of the time
 * of keeping a label.
 */
export interface Files extends LabelReader {
  /** Starts writing bytes that will probably be kept; returns a function that cancels. */
  prepare: (pdf: Uint8Array) => () => void;
  /** Writes the bytes, then runs `record`. `cleanUp` completes what a crash interrupts in between. */
  keepLabel: <T>(row: HeldLabel, pdf: Uint8Array, record: () => T) => Promise<T>;
  dropLabel: (sha256: string) => Promise<void>;
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
  /** Writes a temporary file, moves it to the labels and removes it, to check that this works. */
  probe: () => Promise<void>;
}

export function openFiles(dataDir: string, owner: 'service' | 'admin'): Files {
  const tempDir = join(dataDir, 'tmp');
  const labelPath = (sha256: string) => join(dataDir, 'labels', sha256.slice(0, 2), `${sha256.slice(2)}.pdf`);
  const previewPath = (sha256: string, width: number) =>
    join(dataDir, 'previews', sha256.slice(0, 2), `${sha256.slice(2)}-${width}.webp`);
  let serial = 0;
  const tempPath = (sha256: string, extension: string) =>
    join(tempDir, `${owner}-${process.pid}-${serial++}.${sha256}.${extension}`);
  const prepared = openPrepared(() => tempPath('0', 'part'));

  /** Resolves when the file has its name; the returned function flushes the name to disk. */
  async function writeAtomically(bytes: Uint8Array, path: string): Promise<() => Promise<void>> {
    let temporary = await prepared.take(bytes);
    const folder = dirname(path);
    try {
      if (temporary === null) await writeFlushed((temporary = tempPath('0', 'part')), bytes);
      const created = mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (created) giveToFolderOwner(folder);
      renameSync(temporary, path);
      return async () => {
        await flushFolder(folder);
        if (created) await flushFolder(dirname(folder));
      };
    } catch (error) {
      if (temporary !== null) await unlink(temporary).catch(() => {});
      throw error;
    }
  }

  return {
    ...labelReader(labelPath),
    prepare: prepared.begin,
    keepLabel: (row, pdf, record) =>
      mapFileErrors(async () => {
        // The marker is removed last, so that after a crash a file without a row is found without scanning all files.
        const { vin, sha256 } = row;
        // Named by its label, so that attempts that fail again and again leave only one.
        const marker = join(tempDir, `${owner}-${process.pid}-${vin}.${sha256}.keeping`);
        writeFileSync(marker, JSON.stringify(row), { mode: 0o600 });
        giveToFolderOwner(marker);
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
    labelSize: (sha256) => {
      try {
        const found = lstatSync(labelPath(sha256));
        return found.isFile() ? found.size : null;
      } catch (error) {
        if (isMissing(error)) return null;
        throw asStoreError(error);
      }
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
    cleanUp: (hasRow, record) => cleanUpTempFiles({ tempDir, labelPath, hasRow, record }),
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
        // Always the same name, so that crashes leave one file at most: only `tmp` is cleaned up.
        const renamed = join(dataDir, 'labels', `${owner}.probe`);
        try {
          await writeFile(path, Buffer.alloc(4096), { mode: 0o600, flush: true });
          // Fails if `labels` can't be written, or is on another file system.
          renameSync(path, renamed);
        } finally {
          rmSync(path, { force: true });
          rmSync(renamed, { force: true });
        }
      }),
  };
}

/** Writes a label's bytes to disk while the label is still being checked, so that keeping it is a rename. */
interface Prepared {
  /** Starts writing; returns a function that cancels. Errors surface when the label is kept. */
  begin: (bytes: Uint8Array) => () => void;
  /** The flushed file with these bytes (the same array, not an equal one); null when there is none. */
  take: (bytes: Uint8Array) => Promise<string | null>;
}

/** Longer than checking any label takes. */
const PREPARED_MAX_AGE_MS = 60_000;

export function openPrepared(newPath: () => string): Prepared {
  const files = new Map<Uint8Array, { path: string; written: Promise<boolean>; expiry: NodeJS.Timeout }>();

  function drop(bytes: Uint8Array): void {
    const file = files.get(bytes);
    if (!file) return;
    files.delete(bytes);
    clearTimeout(file.expiry);
    void file.written.then(() => unlink(file.path)).catch(() => {});
  }

  return {
    begin(bytes) {
      const path = newPath();
      const written = writeFlushed(path, bytes).then(
        () => true,
        () => false,
      );
      const cancel = () => drop(bytes);
      files.set(bytes, { path, written, expiry: setTimeout(cancel, PREPARED_MAX_AGE_MS).unref() });
      return cancel;
    },
    async take(bytes) {
      const file = files.get(bytes);
      if (!file) return null;
      files.delete(bytes);
      clearTimeout(file.expiry);
      if (await file.written) return file.path;
      await unlink(file.path).catch(() => {});
      return null;
    },
  };
}

async function writeFlushed(path: string, bytes: Uint8Array): Promise<void> {
  await writeFile(path, bytes, { mode: 0o600, flush: true });
  giveToFolderOwner(path);
}

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

interface CleanUpOptions {
  tempDir: string;
  labelPath(sha256: string): string;
  hasRow(sha256: string): boolean;
  record(row: HeldLabel): Promise<void>;
}

/** See `Files.cleanUp`. */
async function cleanUpTempFiles({ tempDir, labelPath, hasRow, record }: CleanUpOptions): Promise<number> {
  let removed = 0;
  for (const name of await readdir(tempDir)) {
    const path = join(tempDir, name);
    const [writer = '', sha256 = '', extension] = name.split('.');
    const found = await lstat(path).catch((error) => (unlessMissing(error), null));
    // Not ours, or removed by a command that is running.
    if (!found?.isFile()) continue;
    if (!writer.startsWith('service-') && Date.now() - found.mtimeMs < ADMIN_TEMP_MAX_AGE_MS) continue;
    if (extension === 'keeping') {
      const state = await fileState(labelPath(sha256), sha256);
      // An intact label is never deleted, with or without a row.
      if (state === 'corrupted' && !hasRow(sha256)) await unlink(labelPath(sha256)).catch(unlessMissing);
      const row = state === 'intact' ? parseMarker(await readFile(path, 'utf8'), sha256) : null;
      if (row) await record(row);
    }
    await unlink(path).catch(unlessMissing);
    removed++;
  }
  return removed;
}

async function fileState(path: string, sha256: string): Promise<'intact' | 'corrupted' | 'missing'> {
  const found = await lstat(path).catch((error) => (unlessMissing(error), null));
  // A folder or a link in its place is no label; like the reader, don't follow it.
  if (!found?.isFile()) return 'missing';
  const bytes = await readFile(path);
  return hash('sha256', bytes, 'hex') === sha256 ? 'intact' : 'corrupted';
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

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}
