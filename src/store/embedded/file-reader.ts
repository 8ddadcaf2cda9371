import {
  close,
  closeSync,
  constants,
  fstat,
  fstatSync,
  open,
  openSync,
  read,
  readSync,
  type Stats,
} from 'node:fs';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { LabelMissing } from '../store.ts';

/** Reads a file into the buffer that `allocate` returns, which must have exactly its size. `check` may throw. */
export type FileReader = (
  path: string,
  allocate: () => Buffer,
  check?: (bytes: Buffer, stat: Stats) => void,
) => MaybePromise<Buffer>;

/** Follows no links, and does not wait for a writer when the path is a pipe. Windows has neither flag. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Fifty times as long as reading a file from the page cache. */
const SLOW_MS = 10;
/** This many slow reads within a minute mean a slow disk, not a busy machine. */
const SLOW_READS = 3;
const SLOW_DISK_MS = 60_000;

/**
 * Most requested labels are in the page cache, where a synchronous read costs half as much as an asynchronous one. On a
 * slow disk synchronous reads would block all requests, so after a few slow reads all reads are asynchronous for a minute.
 */
export function createFileReader(clock: () => number): FileReader {
  let asyncUntil = 0;
  let slowReads: number[] = [];
  return (path, allocate, check) => {
    const started = clock();
    if (started < asyncUntil) return readAsync(path, allocate, check);
    try {
      return readBlocking(path, allocate, check);
    } finally {
      const ended = clock();
      if (ended - started > SLOW_MS) {
        slowReads = [...slowReads.filter((time) => ended - time < SLOW_DISK_MS), ended];
        if (slowReads.length >= SLOW_READS) asyncUntil = ended + SLOW_DISK_MS;
      }
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
        } catch (error) {
          return fail(error);
        }
        readAll(file, stat);
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

type Check = (bytes: Buffer, stat: Stats) => void;

export function assertRegularFile(stat: Stats, path: string): void {
  if (!stat.isFile()) throw new LabelMissing(`${path} is not a file.`);
}

function assertComplete(bytes: Buffer, end: number, path: string): void {
  if (end < bytes.length) throw new LabelMissing(`${path} has only ${end} bytes.`);
}
