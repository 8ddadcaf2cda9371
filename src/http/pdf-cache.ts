import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { HeldLabel } from '../store/store.ts';
import type { SharedBody } from './response.ts';
import { createSeenFilter } from '../lib/seen-filter.ts';
import { createMetrics, type Metrics } from '../lib/metrics.ts';
import { createBufferPool } from './buffer-pool.ts';

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
  /** From the pool, to be given back; null when the bytes aren't the pool's. */
  pooled: Buffer | null;
  /** Its buffer is back in the pool and must not be read. */
  gone: boolean;
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_LINGERING_BYTES = 24 * 1024 * 1024;
// As much as is usually being sent: with less, buffers would be dropped and allocated again.
const MAX_SPARE_BYTES = 8 * 1024 * 1024;

/** Only labels requested twice within this many are cached, so a crawler doesn't evict popular ones. */
const SEEN_SLOTS = 128;

export function createPdfCache(parts: {
  /** `allocate` gives a buffer of exactly the label's size; a reader that has its own returns that. */
  read(label: HeldLabel, allocate: () => Buffer): MaybePromise<Buffer>;
  maxBytes: number;
  maxLingeringBytes?: number;
  metrics?: Pick<Metrics, 'counter' | 'read'>;
}): PdfCache {
  const { maxBytes, maxLingeringBytes = MAX_LINGERING_BYTES, metrics = createMetrics() } = parts;
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
    entry.gone = true;
  }

  function entryOf(sha256: string, bytes: Buffer, pooled: Buffer | null): Entry {
    const entry: Entry = {
      sha256,
      bytes,
      readers: 0,
      kept: false,
      pooled,
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

  /** Creates the entry for its first reader. Synchronous reads are cheap, so those are cached on the second request. */
  function arrived(sha256: string, bytes: Buffer, pooled: Buffer | null, lasting: boolean): Entry {
    const entry = entryOf(sha256, bytes, pooled);
    entry.readers++;
    if (lasting) keep(entry);
    else lingering += bytes.length;
    return entry;
  }

  function read(label: HeldLabel): MaybePromise<Entry | null> {
    const under = reading.get(label.sha256);
    // It may have been evicted and released while we waited.
    if (under) return under.then((entry) => (entry.gone ? take(label) : handOut(entry)));
    let pooled: Buffer | null = null;
    const bytes = parts.read(label, () => (pooled = pool.take(label.bytes)));
    const own = (whole: Buffer, lasting: boolean) =>
      arrived(label.sha256, whole, whole === pooled ? pooled : null, lasting);
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
    if (known) {
      hits.value++;
      return handOut(known);
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
