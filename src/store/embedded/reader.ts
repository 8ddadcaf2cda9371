import { close, closeSync, open, openSync, read, readSync } from 'node:fs';
import type { Soon } from '../../lib/soon.ts';
import { LabelGone } from '../store.ts';

/** Reads a whole file into what `room` gives: a buffer of exactly its bytes. */
export type Reader = (path: string, room: () => Buffer) => Soon<Buffer>;

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
export function createReader(clock: () => number): Reader {
  let carefulUntil = 0;
  let slow: number[] = [];
  return (path, room) => {
    const from = clock();
    if (from < carefulUntil) return readElsewhere(path, room);
    try {
      return readHere(path, room);
    } finally {
      const to = clock();
      if (to - from > SLOW_MS) {
        slow = [...slow.filter((at) => to - at < MINUTE_MS), to];
        if (slow.length >= SLOW_READS) carefulUntil = to + MINUTE_MS;
      }
    }
  };
}

function readHere(path: string, room: () => Buffer): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = room();
    let end = 0;
    for (let got = 1; got > 0 && end < bytes.length; end += got)
      got = readSync(file, bytes, end, bytes.length - end, end);
    return whole(bytes, end, path);
  } finally {
    closeSync(file);
  }
}

/** By callbacks: half the work of the same with promises. */
function readElsewhere(path: string, room: () => Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    open(path, 'r', (failed, file) => {
      if (failed) return reject(failed);
      const bytes = room();
      const more = (from: number) =>
        read(file, bytes, from, bytes.length - from, from, (error, got) => {
          const end = from + got;
          if (!error && got > 0 && end < bytes.length) return more(end);
          close(file, () => {});
          if (error) return reject(error);
          try {
            resolve(whole(bytes, end, path));
          } catch (gone) {
            reject(gone);
          }
        });
      more(0);
    });
  });
}

function whole(bytes: Buffer, end: number, path: string): Buffer {
  if (end < bytes.length) throw new LabelGone(`${path} has only ${end} bytes.`);
  return bytes;
}
