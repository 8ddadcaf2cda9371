import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { LabelCorrupted, LabelMissing, nullFor, StoreUnavailable } from '../errors.ts';
import type { Expected, Files } from '../label-bytes.ts';
import { type Bucket, UploadMismatch } from './bucket.ts';

/** After a successful check the bucket counts as writable for this long: each is a request that costs money. */
const WRITABLE_MS = 10_000;

const TYPES: Record<string, string> = { '.pdf': 'application/pdf', '.bin': 'application/octet-stream' };

/** The objects of a bucket, checked: servers may store or send other bytes than they should. */
export function bucketFiles(bucket: Bucket): Files {
  let writtenAt = -Infinity;

  /** Retries once, in case the bytes were corrupted in transit. */
  async function get(name: string, expected: Expected): Promise<Buffer> {
    for (let attempt = 1; attempt <= 2; attempt++) {
      const bytes = await bucket.get(name, expected.bytes);
      if (bytes && hash('sha256', bytes, 'hex') === expected.sha256) return bytes;
    }
    throw new LabelCorrupted(`The object ${name} is corrupted.`);
  }

  /** Reads a PDF or data file that it wrote: some servers respond with 200 and store something else. */
  async function put(name: string, bytes: Uint8Array): Promise<void> {
    const sha256 = hash('sha256', bytes, 'hex');
    const type = TYPES[extname(name)] ?? 'application/json';
    const isNamedByContent = name.includes(sha256);
    for (let attempt = 1; ; attempt++) {
      try {
        await bucket.put(name, bytes, sha256, type);
        // Other files may have been replaced meanwhile.
        if (isNamedByContent) await get(name, { bytes: bytes.byteLength, sha256 });
        return;
      } catch (error) {
        if (isDamage(error) && attempt === 1) continue;
        // Perhaps the bucket can no longer be written.
        writtenAt = -Infinity;
        throw error instanceof LabelMissing
          ? new StoreUnavailable('The bucket lost an object right after its upload.')
          : error;
      }
    }
  }

  return {
    get,
    put,
    async text(name, maxBytes) {
      try {
        return String((await bucket.get(name, maxBytes)) ?? '');
      } catch (error) {
        return nullFor(LabelMissing)(error);
      }
    },
    /** An object is missing only when GET, HEAD and the listing agree; any of them may be wrong for a moment. */
    async check(name, expected) {
      try {
        await get(name, expected);
        return 'intact';
      } catch (error) {
        if (error instanceof LabelCorrupted) return 'corrupted';
        if (!(error instanceof LabelMissing)) throw error;
      }
      if ((await bucket.size(name)) !== null) return 'unclear';
      for await (const page of bucket.list(name)) if (page.length > 0) return 'unclear';
      return 'missing';
    },
    size: (name) => bucket.size(name),
    list: (prefix) => bucket.list(prefix),
    remove: (name) => bucket.remove(name),
    // Writes an object where labels are, because a bucket may be readable but not writable. It has room for any.
    async probe() {
      if (bucket.up && performance.now() - writtenAt < WRITABLE_MS) return;
      await put('labels/probe', Buffer.from('"writable"'));
      writtenAt = performance.now();
    },
  };
}

const isDamage = (error: unknown): boolean =>
  error instanceof LabelMissing || error instanceof LabelCorrupted || error instanceof UploadMismatch;
