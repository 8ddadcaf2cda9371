import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { HeldLabel } from '../store/store.ts';
import { createBufferPool } from './buffer-pool.ts';
import type { SharedBody } from './response.ts';
import { createSeenFilter } from '../lib/recent-cache.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';

/**
 * PDFs in memory, bounded in bytes. An evicted PDF stays in memory until its last reader is done (it lingers). When too
 * many bytes linger, or for very large files, `take` returns null and the file is streamed instead.
 */
export interface PdfCache {
  /** The PDF for one reader, which must call `done`. */
  take(label: HeldLabel): MaybePromise<SharedBody | null>;
  /** Bytes cached, and bytes that only slow readers and reads in progress use. */
  bytes(): { kept: number; lingering: number };
}

interface Entry extends SharedBody {
  sha256: string;
  readers: number;
  kept: boolean;
  /** The buffer to return to the pool; null if the bytes aren't from the pool. */
  pooled: Buffer | null;
  /** Its buffer is back in the pool and must not be read. */
  released: boolean;
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_LINGERING_BYTES = 24 * 1024 * 1024;
// As much as is usually being sent: with less, buffers would be dropped and allocated again.
const MAX_SPARE_BYTES = 8 * 1024 * 1024;

/** Only labels requested twice within this many are cached, so a crawler doesn't evict popular ones. */
const SEEN_SLOTS = 128;

export function createPdfCache(options: {
  /** `allocate` gives a buffer of exactly the label's size; a reader that has its own returns that. */
  read(label: HeldLabel, allocate: () => Buffer): MaybePromise<Buffer>;
  maxBytes: number;
  maxLingeringBytes?: number;
  metrics?: Pick<Metrics, 'counter' | 'read'>;
}): PdfCache {
  const { maxBytes, maxLingeringBytes = MAX_LINGERING_BYTES, metrics = createMetrics() } = options;
  const entries = new Map<string, Entry>();
  const reading = new Map<string, Promise<Entry>>();
  const pool = createBufferPool(MAX_SPARE_BYTES);
  const seen = createSeenFilter(SEEN_SLOTS);
  const counter = (result: string) =>
    metrics.counter('monroney_cache_requests_total', { cache: 'pdf', result });
  const [hits, misses, streamed] = [counter('hit'), counter('miss'), counter('streamed')];
  let newest: Entry | undefined;
  let kept = 0;
  let lingering = 0;

  function release(entry: Entry): void {
    if (entry.pooled) pool.release(entry.pooled);
    entry.released = true;
  }

  function entryOf(sha256: string, bytes: Buffer, pooled: Buffer | null): Entry {
    const entry: Entry = {
      sha256,
      bytes,
      readers: 0,
      kept: false,
      pooled,
      released: false,
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
    evict();
  }

  function evict(): void {
    for (const entry of entries.values()) {
      if (kept <= maxBytes) return;
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

  /** Creates the entry for its first reader. `cache` is false for the first synchronous read of a file, which is cheap. */
  function createEntry(sha256: string, bytes: Buffer, pooled: Buffer | null, cache: boolean): Entry {
    const entry = entryOf(sha256, bytes, pooled);
    entry.readers++;
    if (cache) keep(entry);
    else lingering += bytes.length;
    return entry;
  }

  function read(label: HeldLabel): MaybePromise<Entry | null> {
    const inProgress = reading.get(label.sha256);
    // It may have been evicted and released while we waited.
    if (inProgress) return inProgress.then((entry) => (entry.released ? take(label) : handOut(entry)));
    let pooled: Buffer | null = null;
    const bytes = options.read(label, () => (pooled = pool.take(label.bytes)));
    const create = (file: Buffer, cache: boolean) =>
      createEntry(label.sha256, file, file === pooled ? pooled : null, cache);
    if (!(bytes instanceof Promise)) return create(bytes, seen(label.sha256));
    lingering += label.bytes;
    const entry = bytes
      .finally(() => {
        lingering -= label.bytes;
        reading.delete(label.sha256);
      })
      .then((file) => create(file, true));
    reading.set(label.sha256, entry);
    return entry;
  }

  function take(label: HeldLabel): MaybePromise<Entry | null> {
    const cached = entries.get(label.sha256);
    if (cached) {
      hits.value++;
      return handOut(cached);
    }
    if (label.bytes > MAX_FILE_BYTES || lingering + label.bytes > maxLingeringBytes) {
      streamed.value++;
      return null;
    }
    misses.value++;
    return read(label);
  }

  metrics.read('monroney_pdf_cache_bytes', () => [
    [{ state: 'kept' }, kept],
    [{ state: 'lingering' }, lingering],
  ]);

  return {
    take,
    bytes: () => ({ kept, lingering }),
  };
}
