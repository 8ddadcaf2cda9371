import { hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { open, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { makeFolder } from '../../lib/folder.ts';
import type { Part } from './bucket.ts';

/** Hot labels on this instance's own disk: bounded in bytes, the longest unused leave first. */
export interface DiskCache {
  /** Null when it is not there, or is not what its name says. */
  get(sha256: string): Promise<Buffer | null>;
  /** Part of a file, without the check of the whole; null when it is not there. */
  part(sha256: string, start: number, end: number): Promise<Part | null>;
  put(sha256: string, bytes: Uint8Array): Promise<void>;
  drop(sha256: string): void;
  readonly bytes: number;
}

export function openDiskCache(folder: string, maxBytes: number): DiskCache {
  makeFolder(folder, 0o700);
  const pathOf = (sha256: string) => join(folder, `${sha256}.pdf`);
  const remove = (path: string) => void unlink(path).catch(() => {});
  const held = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => Math.max(1, size),
    dispose: (_, sha256, reason) => {
      if (reason === 'evict' || reason === 'delete') remove(pathOf(sha256));
    },
  });
  const found = readdirSync(folder)
    .map((name) => ({ name, ...pick(statSync(join(folder, name), { throwIfNoEntry: false })) }))
    .sort((a, b) => a.used - b.used);
  for (const { name, size } of found) {
    if (/^[0-9a-f]{64}\.pdf$/.test(name) && size <= maxBytes) held.set(name.slice(0, 64), size);
    else remove(join(folder, name));
  }
  let serial = 0;

  return {
    async get(sha256) {
      if (held.get(sha256) === undefined) return null;
      const bytes = await readFile(pathOf(sha256)).catch(() => null);
      // A power cut may have left less than was written: it costs a fifth of a millisecond to be sure.
      if (bytes && hash('sha256', bytes, 'hex') === sha256) return bytes;
      held.delete(sha256);
      return null;
    },
    async part(sha256, start, end) {
      const size = held.get(sha256);
      if (size === undefined || end >= size) return null;
      const file = await open(pathOf(sha256)).catch(() => null);
      return file && { stream: file.createReadStream({ start, end, highWaterMark: 256 * 1024 }), of: size };
    },
    async put(sha256, bytes) {
      if (bytes.byteLength > maxBytes / 4) return;
      const temporary = join(folder, `${process.pid}-${serial++}.part`);
      try {
        await writeFile(temporary, bytes, { mode: 0o600 });
        await rename(temporary, pathOf(sha256));
        held.set(sha256, bytes.byteLength);
      } catch {
        // A full or read-only disk only means that the next reader asks the bucket again.
        remove(temporary);
      }
    },
    drop: (sha256) => void held.delete(sha256),
    get bytes() {
      return held.calculatedSize;
    },
  };
}

const pick = (stat: { size: number; mtimeMs: number } | undefined) => ({
  size: stat?.size ?? Infinity,
  used: stat?.mtimeMs ?? 0,
});
