import { createHash, hash } from 'node:crypto';
import { createReadStream, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { LabelCorrupted, LabelMissing } from '../store.ts';
import { assertRegularFile, createFileReader, READ_FLAGS } from './file-reader.ts';
import { asReadError } from './store-errors.ts';

const CHUNK_BYTES = 256 * 1024;
const MAX_VERIFIED_FILES = 20_000;
/** An unchanged file is hashed again after this time, to find damage by a failing disk. */
const VERIFIED_MS = 600_000;

/** Reads label files and checks their SHA-256. Rejects with `LabelMissing` or `LabelCorrupted`. */
export interface LabelReader {
  label: (sha256: string) => Promise<Buffer>;
  labelInto: (sha256: string, allocate: () => Buffer) => MaybePromise<Buffer>;
  labelRange: (sha256: string, start: number, end: number) => Promise<Readable>;
}

export function labelReader(labelPath: (sha256: string) => string): LabelReader {
  const readInto = createFileReader(() => performance.now());
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

  return {
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
  };
}

function throwReadError(error: unknown, sha256: string): never {
  throw asReadError(error, sha256);
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
