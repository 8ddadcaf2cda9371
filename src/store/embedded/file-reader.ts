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

/** Reads a whole file into what `allocate` gives, a buffer of exactly its bytes; `check` may refuse them. */
export type Reader = (
  path: string,
  allocate: () => Buffer,
  check?: (bytes: Buffer, stat: Stats) => void,
) => MaybePromise<Buffer>;

/** No link is followed, and opening a pipe does not wait for a writer. Windows has neither flag. */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A file in the kernel's memory is read in a fiftieth of this. */
const SLOW_MS = 10;
/** So many slow reads within a minute are the disk's doing, not a busy machine's. */
const SLOW_READS = 3;
const MINUTE_MS = 60_000;

/**
 * Most labels asked for lie in the kernel's memory, where reading one at once costs half of what it costs by way of
 * another thread. A disk that lets us wait would keep everybody waiting: after some slow reads all go by way of the
 * other threads for a minute.
 */
export function createFileReader(clock: () => number): Reader {
  let carefulUntil = 0;
  let slow: number[] = [];
  return (path, allocate, check) => {
    const from = clock();
    if (from < carefulUntil) return readElsewhere(path, allocate, check);
    try {
      return readHere(path, allocate, check);
    } finally {
      const to = clock();
      if (to - from > SLOW_MS) {
        slow = [...slow.filter((at) => to - at < MINUTE_MS), to];
        if (slow.length >= SLOW_READS) carefulUntil = to + MINUTE_MS;
      }
    }
  };
}

function readHere(path: string, allocate: () => Buffer, check?: Check): Buffer {
  const file = openSync(path, READ_FLAGS);
  try {
    const stat = fstatSync(file);
    regular(stat, path);
    const bytes = allocate();
    let end = 0;
    for (let got = 1; got > 0 && end < bytes.length; end += got)
      got = readSync(file, bytes, end, bytes.length - end, end);
    whole(bytes, end, path);
    check?.(bytes, stat);
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** By callbacks: half the work of the same with promises. */
function readElsewhere(path: string, allocate: () => Buffer, check?: Check): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    open(path, READ_FLAGS, (failed, file) => {
      if (failed) return reject(failed);
      fstat(file, (unknown, stat) => {
        const give = (error: unknown) => {
          close(file, () => {});
          reject(error);
        };
        if (unknown) return give(unknown);
        try {
          regular(stat, path);
        } catch (error) {
          return give(error);
        }
        readAll(file, stat);
      });
    });
    function readAll(file: number, stat: Stats): void {
      const bytes = allocate();
      const more = (from: number) =>
        read(file, bytes, from, bytes.length - from, from, (error, got) => {
          const end = from + got;
          if (!error && got > 0 && end < bytes.length) return more(end);
          close(file, () => {});
          if (error) return reject(error);
          try {
            whole(bytes, end, path);
            check?.(bytes, stat);
            resolve(bytes);
          } catch (gone) {
            reject(gone);
          }
        });
      more(0);
    }
  });
}

type Check = (bytes: Buffer, stat: Stats) => void;

export function regular(stat: Stats, path: string): void {
  if (!stat.isFile()) throw new LabelMissing(`${path} is not a file.`);
}

function whole(bytes: Buffer, end: number, path: string): void {
  if (end < bytes.length) throw new LabelMissing(`${path} has only ${end} bytes.`);
}
