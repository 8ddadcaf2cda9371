import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { HeldLabel } from '../store/store.ts';
import type { Shared } from './answer.ts';
import { createSeen } from '../lib/seen.ts';
import { createRooms } from './rooms.ts';

/**
 * PDFs in memory, bounded in bytes. What was pushed out stays in memory as long as somebody is still reading
 * it, however slowly: that too is counted, and past its bound (or for very large files) the answer is null and
 * the file is streamed instead.
 */
export interface PdfCache {
  /** The whole PDF for one reader, who calls `done` in the end. */
  take(label: HeldLabel): MaybePromise<Shared | null>;
  /** Bytes kept, and bytes that only slow readers and reads under way hold. */
  bytes(): { kept: number; lingering: number };
}

interface Entry extends Shared {
  sha256: string;
  readers: number;
  kept: boolean;
  /** What its bytes lie in, to be used again; null when they belong to somebody else. */
  room: Buffer | null;
  /** Its room has been given back: nobody may read it any more. */
  gone: boolean;
}

const LARGEST = 4 * 1024 * 1024;
const MOST_LINGERING = 24 * 1024 * 1024;
// As much as is usually on its way: with less, rooms would be thrown away and made anew.
const MOST_SPARE = 8 * 1024 * 1024;

/** So many others later a label counts as new: who goes through all of them does not push out what many ask for. */
const SEEN = 128;

export function createPdfCache(parts: {
  /** `room` gives a buffer of exactly the label's bytes; whoever reads it from elsewhere answers with its own. */
  read(label: HeldLabel, room: () => Buffer): MaybePromise<Buffer>;
  most: number;
  mostLingering?: number;
}): PdfCache {
  const { most, mostLingering = MOST_LINGERING } = parts;
  const entries = new Map<string, Entry>();
  const reading = new Map<string, Promise<Entry>>();
  const rooms = createRooms(MOST_SPARE);
  const seen = createSeen(SEEN);
  let newest: Entry | undefined;
  let kept = 0;
  let lingering = 0;

  function release(entry: Entry): void {
    if (entry.room) rooms.give(entry.room);
    entry.gone = true;
  }

  function entryOf(sha256: string, bytes: Buffer, room: Buffer | null): Entry {
    const entry: Entry = {
      sha256,
      bytes,
      readers: 0,
      kept: false,
      room,
      gone: false,
      done() {
        entry.readers--;
        if (entry.kept || entry.readers > 0) return;
        lingering -= bytes.length;
        release(entry);
      },
    };
    return entry;
  }

  function keep(entry: Entry): void {
    entries.set(entry.sha256, entry);
    newest = entry;
    entry.kept = true;
    kept += entry.bytes.length;
    makeRoom();
  }

  function makeRoom(): void {
    for (const entry of entries.values()) {
      if (kept <= most) return;
      entries.delete(entry.sha256);
      if (entry === newest) newest = undefined;
      entry.kept = false;
      kept -= entry.bytes.length;
      if (entry.readers > 0) lingering += entry.bytes.length;
      else release(entry);
    }
  }

  function handOut(entry: Entry): Entry {
    entry.readers++;
    if (entry !== newest && entry.kept) {
      entries.delete(entry.sha256);
      entries.set(entry.sha256, entry);
      newest = entry;
    }
    return entry;
  }

  /** For its first reader; who asks a second time for what is read in no time finds it in memory the third time. */
  function arrived(sha256: string, bytes: Buffer, room: Buffer | null, lasting: boolean): Entry {
    const entry = entryOf(sha256, bytes, room);
    entry.readers++;
    if (lasting) keep(entry);
    else lingering += bytes.length;
    return entry;
  }

  function read(label: HeldLabel): MaybePromise<Entry | null> {
    const under = reading.get(label.sha256);
    // One that was waited for may have been pushed out and read to its end in the meantime.
    if (under) return under.then((entry) => (entry.gone ? take(label) : handOut(entry)));
    let room: Buffer | null = null;
    const bytes = parts.read(label, () => (room = rooms.take(label.bytes)));
    const own = (whole: Buffer, lasting: boolean) =>
      arrived(label.sha256, whole, whole === room ? room : null, lasting);
    if (!(bytes instanceof Promise)) return own(bytes, seen(label.sha256));
    lingering += label.bytes;
    const entry = bytes
      .finally(() => {
        lingering -= label.bytes;
        reading.delete(label.sha256);
      })
      .then((whole) => own(whole, true));
    reading.set(label.sha256, entry);
    return entry;
  }

  function take(label: HeldLabel): MaybePromise<Entry | null> {
    const known = entries.get(label.sha256);
    if (known) return handOut(known);
    if (label.bytes > LARGEST || lingering + label.bytes > mostLingering) return null;
    return read(label);
  }

  return {
    take,
    bytes: () => ({ kept, lingering }),
  };
}
