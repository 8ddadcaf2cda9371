import { createHash, hash } from 'node:crypto';
import {
  close,
  closeSync,
  constants,
  createReadStream,
  fstat,
  fstatSync,
  open,
  openSync,
  read,
  readSync,
  type Stats,
} from 'node:fs';
import { type FileHandle, open as openHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { LabelCorrupted, LabelMissing } from '../legacy-store.ts';
import { asReadError } from '../errors.ts';

const CHUNK_BYTES = 256 * 1024;
const MAX_VERIFIED_FILES = 20_000;
/** An unchanged file is hashed again after this time, to find damage by a failing disk. */
const VERIFIED_MS = 600_000;

/** Tells whether a file has changed. */
type Stamp = Pick<Stats, 'ino' | 'size' | 'mtimeMs' | 'ctimeMs'>;

/** Reads label files and checks their SHA-256. Rejects with `LabelMissing` or `LabelCorrupted`. */
export interface LabelReader {
  label: (sha256: string) => Promise<Buffer>;
  labelInto: (sha256: string, allocate: () => Buffer) => MaybePromise<Buffer>;
  labelRange: (sha256: string, start: number, end: number) => Promise<Readable>;
}

export function labelReader(labelPath: (sha256: string) => string): LabelReader {
  const readInto = createFileReader(() => performance.now());
  // A verified file that has not changed since need not be hashed again for a while.
  const verified = new LRUCache<string, Stamp>({ max: MAX_VERIFIED_FILES, ttl: VERIFIED_MS });
  function isVerified(sha256: string, { ino, size, mtimeMs, ctimeMs }: Stamp): boolean {
    const known = verified.get(sha256);
    if (known === undefined || known.ino !== ino || known.size !== size) return false;
    return known.mtimeMs === mtimeMs && known.ctimeMs === ctimeMs;
  }

  function checkDigest(digest: string, sha256: string, stat: Stats): void {
    if (digest !== sha256) {
      verified.delete(sha256);
      throw new LabelCorrupted(`The file of label ${sha256} is corrupted.`);
    }
    const { ino, size, mtimeMs, ctimeMs } = stat;
    verified.set(sha256, { ino, size, mtimeMs, ctimeMs });
  }

  return {
    label: async (sha256) => {
      try {
        const file = await openHandle(labelPath(sha256), READ_FLAGS);
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
        const file = await openHandle(labelPath(sha256), READ_FLAGS);
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

type Check = (bytes: Buffer, stat: Stats) => void;

/** Reads a file into the buffer that `allocate` returns, which must have exactly its size. `check` may throw. */
type FileReader = (path: string, allocate: () => Buffer, check?: Check) => MaybePromise<Buffer>;

/** Follows no links, and does not wait for a writer when the path is a pipe. Windows has neither flag. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Fifty times as long as reading a file from the page cache. */
const SLOW_MS = 10;
/** This many slow reads within a minute may mean a slow disk. */
const SLOW_READS = 3;
/** If they take less of the time of all reads than this, it is the machine that is busy: they waited for a processor. */
const SLOW_SHARE = 0.1;
const MINUTE_MS = 60_000;

/**
 * Most requested labels are in the page cache, where a synchronous read costs half as much as an asynchronous one. On a
 * slow disk synchronous reads would block all requests, so after a few slow reads all reads are asynchronous for a minute.
 */
export function createFileReader(clock: () => number): FileReader {
  let asyncUntil = 0;
  let minuteEnds = 0;
  let readingMs = 0;
  let slow = { reads: 0, ms: 0 };

  function count(started: number, ended: number): void {
    if (ended > minuteEnds) {
      minuteEnds = ended + MINUTE_MS;
      readingMs = 0;
      slow = { reads: 0, ms: 0 };
    }
    const ms = ended - started;
    readingMs += ms;
    if (ms <= SLOW_MS) return;
    slow.reads++;
    slow.ms += ms;
    if (slow.reads >= SLOW_READS && slow.ms > SLOW_SHARE * readingMs) asyncUntil = ended + MINUTE_MS;
  }

  return (path, allocate, check) => {
    const started = clock();
    if (started < asyncUntil) return readAsync(path, allocate, check);
    try {
      return readBlocking(path, allocate, check);
    } finally {
      count(started, clock());
    }
  };
}

function readBlocking(path: string, allocate: () => Buffer, check?: Check): Buffer {
  const file = openSync(path, READ_FLAGS);
  try {
    const stat = fstatSync(file);
    assertRegularFile(stat, path);
    const bytes = allocate();
    let end = 0;
    for (let count = 1; count > 0 && end < bytes.length; end += count)
      count = readSync(file, bytes, end, bytes.length - end, end);
    assertComplete(bytes, end, path);
    check?.(bytes, stat);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** With callbacks: twice as fast as with promises. */
function readAsync(path: string, allocate: () => Buffer, check?: Check): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    open(path, READ_FLAGS, (openError, file) => {
      if (openError) return reject(openError);
      fstat(file, (statError, stat) => {
        const fail = (error: unknown) => {
          close(file, () => {});
          reject(error);
        };
        if (statError) return fail(statError);
        try {
          assertRegularFile(stat, path);
          readAll(file, stat);
        } catch (error) {
          fail(error);
        }
      });
    });
    function readAll(file: number, stat: Stats): void {
      const bytes = allocate();
      const readFrom = (start: number) =>
        read(file, bytes, start, bytes.length - start, start, (error, count) => {
          const end = start + count;
          if (!error && count > 0 && end < bytes.length) return readFrom(end);
          close(file, () => {});
          if (error) return reject(error);
          try {
            assertComplete(bytes, end, path);
            check?.(bytes, stat);
            resolve(bytes);
          } catch (failure) {
            reject(failure);
          }
        });
      readFrom(0);
    }
  });
}

function assertRegularFile(stat: Stats, path: string): void {
  if (!stat.isFile()) throw new LabelMissing(`${path} is not a file.`);
}

function assertComplete(bytes: Buffer, end: number, path: string): void {
  if (end < bytes.length) throw new LabelMissing(`${path} has only ${end} bytes.`);
}
