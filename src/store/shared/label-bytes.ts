import { createHash, hash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { open, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { makeFolder } from '../../lib/folder.ts';
import {
  type BytesCheck,
  LabelMissing,
  LabelCorrupted,
  type Store,
  StoreUnavailable,
} from '../legacy-store.ts';
import { type Bucket, type ByteRange, UploadMismatch } from './bucket.ts';

/** After a successful upload the bucket counts as writable for this long. */
const WRITABLE_MS = 10_000;

export const labelKey = (sha256: string): string => `labels/${sha256}.pdf`;
const previewKey = (sha256: string, width: number) => `previews/${sha256}-${width}.webp`;

/** The bytes of labels and their previews: in the bucket, and cached on disk. */
export interface LabelBytes extends Pick<Store, 'pdf' | 'pdfStream' | 'preview' | 'keepPreview'> {
  /** Null when the object is missing. */
  size(sha256: string): Promise<number | null>;
  /** Uploads a label and reads it back to verify it. */
  put(sha256: string, bytes: Uint8Array): Promise<void>;
  /** Reads a label from the bucket. Rejects with `LabelMissing` or `LabelCorrupted`. */
  readBack(sha256: string): Promise<Buffer>;
  check(sha256: string): Promise<BytesCheck>;
  /** Rejects when the bucket isn't writable. */
  probeWritable(): Promise<void>;
  /** Makes the next `probeWritable` write, whatever was uploaded before. */
  doubtWritable(): void;
}

export function labelBytes(bucket: Bucket, diskCache: DiskCache): LabelBytes {
  let putAt = -Infinity;

  /** Retries once, in case the bytes were corrupted in transit. */
  async function readBack(sha256: string): Promise<Buffer> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const bytes = await bucket.get(labelKey(sha256));
      if (hash('sha256', bytes, 'hex') === sha256) return bytes;
    }
    throw new LabelCorrupted(`The bytes of label ${sha256} are corrupted.`);
  }

  return {
    readBack,
    size: (sha256) => bucket.size(labelKey(sha256)),
    async put(sha256, bytes) {
      for (let attempt = 1; ; attempt++) {
        try {
          await bucket.put(labelKey(sha256), bytes, sha256, 'application/pdf');
          await readBack(sha256);
          putAt = performance.now();
          return;
        } catch (error) {
          const isDamaged =
            error instanceof LabelMissing ||
            error instanceof LabelCorrupted ||
            error instanceof UploadMismatch;
          if (isDamaged && attempt === 1) continue;
          throw error instanceof LabelMissing
            ? new StoreUnavailable('The bucket lost a label right after its upload.')
            : error;
        }
      }
    },
    /** An object is missing only when GET, HEAD and the listing agree; any of them may be wrong for a moment. */
    async check(sha256) {
      try {
        await readBack(sha256);
        return 'intact';
      } catch (error) {
        if (error instanceof LabelCorrupted) return 'corrupted';
        if (!(error instanceof LabelMissing)) throw error;
      }
      const key = labelKey(sha256);
      if ((await bucket.size(key)) !== null) return 'unclear';
      for await (const page of bucket.list(key)) if (page.length > 0) return 'unclear';
      return 'missing';
    },
    /** Writes an object, because a bucket may be readable but not writable. After a recent upload, reading is enough. */
    async probeWritable() {
      if (performance.now() - putAt < WRITABLE_MS) return bucket.probe();
      const bytes = Buffer.from('writable\n');
      await bucket.put('probe', bytes, hash('sha256', bytes, 'hex'), 'text/plain');
      putAt = performance.now();
    },
    doubtWritable() {
      putAt = -Infinity;
    },
    async pdf(sha256) {
      const cached = await diskCache.get(sha256);
      if (cached) return cached;
      const bytes = await readBack(sha256);
      await diskCache.put(sha256, bytes);
      return bytes;
    },
    async pdfStream(sha256, start, end) {
      const cached = await diskCache.getRange(sha256, start, end);
      const { stream, totalBytes } = cached ?? (await bucket.getRange(labelKey(sha256), start, end));
      return start === 0 && end + 1 === totalBytes ? verifiedStream(stream, sha256) : stream;
    },
    preview: (sha256, width) =>
      bucket.get(previewKey(sha256, width)).catch((error: unknown) => {
        if (error instanceof LabelMissing) return null;
        throw error;
      }),
    keepPreview: (sha256, width, webp) =>
      bucket.put(previewKey(sha256, width), webp, hash('sha256', webp, 'hex'), 'image/webp'),
  };
}

/**
 * Checks the SHA-256 of a label that is too large to buffer. Sends the last chunk only if the digest matches, so a
 * corrupted label is cut short instead of looking complete.
 */
function verifiedStream(stream: Readable, sha256: string): Readable {
  const verified = Readable.from(checked(stream, sha256), { objectMode: false });
  // A generator that was never started doesn't end what it would have read.
  return verified.once('close', () => stream.destroy());
}

async function* checked(stream: Readable, sha256: string): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let last: Buffer | null = null;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    digest.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (digest.digest('hex') !== sha256)
    throw new LabelCorrupted(`The bytes of label ${sha256} are corrupted.`);
  if (last) yield last;
}

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
