import { hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { open, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { makeFolder } from '../../lib/folder.ts';
import type { ByteRange } from './bucket.ts';

/** An LRU cache of labels on this instance's disk, bounded in bytes. */
export interface DiskCache {
  /** Null when the file is missing or its SHA-256 is wrong. */
  get(sha256: string): Promise<Buffer | null>;
  /** Does not check the SHA-256. Null when there is no such file. */
  getRange(sha256: string, start: number, end: number): Promise<ByteRange | null>;
  put(sha256: string, bytes: Uint8Array): Promise<void>;
  drop(sha256: string): void;
  readonly bytes: number;
}

export function openDiskCache(folder: string, maxBytes: number): DiskCache {
  makeFolder(folder, 0o700);
  const pathOf = (sha256: string) => join(folder, `${sha256}.pdf`);
  const remove = (path: string) => void unlink(path).catch(() => {});
  const sizes = new LRUCache<string, number>({
    maxSize: maxBytes,
    sizeCalculation: (size) => Math.max(1, size),
    dispose: (_, sha256, reason) => {
      if (reason === 'evict' || reason === 'delete') remove(pathOf(sha256));
    },
  });
  const files = readdirSync(folder)
    .map((name) => ({ name, ...sizeAndTime(statSync(join(folder, name), { throwIfNoEntry: false })) }))
    .sort((a, b) => a.modified - b.modified);
  for (const { name, size } of files) {
    if (/^[0-9a-f]{64}\.pdf$/.test(name) && size <= maxBytes) sizes.set(name.slice(0, 64), size);
    else remove(join(folder, name));
  }
  let serial = 0;

  return {
    async get(sha256) {
      if (sizes.get(sha256) === undefined) return null;
      const bytes = await readFile(pathOf(sha256)).catch(() => null);
      // A power cut may have truncated the file; checking takes a fifth of a millisecond.
      if (bytes && hash('sha256', bytes, 'hex') === sha256) return bytes;
      sizes.delete(sha256);
      return null;
    },
    async getRange(sha256, start, end) {
      const totalBytes = sizes.get(sha256);
      if (totalBytes === undefined || end >= totalBytes) return null;
      const file = await open(pathOf(sha256)).catch(() => null);
      return file && { stream: file.createReadStream({ start, end, highWaterMark: 256 * 1024 }), totalBytes };
    },
    async put(sha256, bytes) {
      if (bytes.byteLength > maxBytes / 4) return;
      const temporary = join(folder, `${process.pid}-${serial++}.part`);
      try {
        await writeFile(temporary, bytes, { mode: 0o600 });
        await rename(temporary, pathOf(sha256));
        sizes.set(sha256, bytes.byteLength);
      } catch {
        // A full or read-only disk only means that the next read goes to the bucket.
        remove(temporary);
      }
    },
    drop: (sha256) => void sizes.delete(sha256),
    get bytes() {
      return sizes.calculatedSize;
    },
  };
}

const sizeAndTime = (stat: { size: number; mtimeMs: number } | undefined) => ({
  size: stat?.size ?? Infinity,
  modified: stat?.mtimeMs ?? 0,
});
