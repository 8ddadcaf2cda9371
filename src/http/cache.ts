import { LRUCache } from 'lru-cache';
import { HELD_CACHE_CONTROL } from '../lookup/finding-response.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { HeldLabel } from '../store/store.ts';
import { etagOf, type HeaderSets } from './headers.ts';
import type { ValidatedFields } from './response.ts';

/** The response to a lookup of a held label, ready to send. It doesn't depend on the state of a source. */
export interface CachedLookup {
  body: string;
  headers: ValidatedFields;
}

/** A held label, with the headers of its PDF, and the PDF if it is in memory. */
export interface CachedLabel {
  label: HeldLabel;
  headers: ValidatedFields;
  pdf?: Buffer;
}

interface Entry {
  /** When its first part was read. */
  since: number;
  lookup?: CachedLookup;
  label?: CachedLabel;
}

/** What was requested last, by VIN: bounded in bytes, and read from the store again after ten minutes. */
export interface ResponseCache {
  /** Only if `vin` is spelled exactly as it was cached. */
  lookup(vin: string): CachedLookup | undefined;
  setLookup(vin: string, body: string): CachedLookup;
  label(vin: string): CachedLabel | undefined;
  setLabel(label: HeldLabel): CachedLabel;
  /** Null for a file that should be streamed: it is very large, or many are being read. */
  pdf(cached: CachedLabel): Promise<Buffer | null>;
  /** Drops one VIN, or all (null). */
  drop(vin: string | null): void;
}

/** Another process may have read a label again, or replaced it. */
const FRESH_MS = 600_000;
/** For lookups and labels, about 2 KB each, in addition to the bytes for PDFs. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;
const ROW_BYTES = 1024;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Bounds the memory of files that are being read. What is being sent is bounded by `send.ts`. */
const MAX_READS = 16;

export function createResponseCache(options: {
  readPdf(label: HeldLabel): Promise<Buffer>;
  pdfCacheBytes: number;
  headerSets: HeaderSets;
  metrics: Pick<Metrics, 'counter' | 'read'>;
  now(): number;
}): ResponseCache {
  const { pdfCacheBytes, headerSets, metrics, now } = options;
  const cache = new LRUCache<string, Entry>({
    maxSize: MAX_ROW_BYTES + pdfCacheBytes,
    sizeCalculation: ({ lookup, label }) =>
      ROW_BYTES + (lookup?.body.length ?? 0) + (label?.pdf?.length ?? 0),
  });
  const counter = (name: string, result: string) =>
    metrics.counter('monroney_cache_requests_total', { cache: name, result });
  const [hits, misses] = [counter('answer', 'hit'), counter('answer', 'miss')];
  const pdfs = {
    hit: counter('pdf', 'hit'),
    miss: counter('pdf', 'miss'),
    stream: counter('pdf', 'streamed'),
  };

  function entryOf(vin: string): Entry | undefined {
    const entry = cache.get(vin);
    if (entry === undefined || now() - entry.since < FRESH_MS) return entry;
    cache.delete(vin);
    return undefined;
  }

  const add = (vin: string, part: Omit<Entry, 'since'>) =>
    void cache.set(vin, { ...(entryOf(vin) ?? { since: now() }), ...part });

  const reading = new Map<string, Promise<Buffer>>();

  /** Several requests for one file read it once. */
  function read(label: HeldLabel): Promise<Buffer> {
    const inProgress = reading.get(label.sha256);
    if (inProgress) return inProgress;
    const bytes = options.readPdf(label).finally(() => reading.delete(label.sha256));
    reading.set(label.sha256, bytes);
    return bytes;
  }

  metrics.read('monroney_pdf_cache_bytes', () => [[{ state: 'kept' }, cache.calculatedSize]]);

  return {
    lookup(vin) {
      const found = entryOf(vin)?.lookup;
      if (found) hits.value++;
      return found;
    },
    setLookup(vin, body) {
      misses.value++;
      const etag = etagOf(body);
      const lookup = { body, headers: { ...headerSets.json(body, etag, HELD_CACHE_CONTROL), etag } };
      add(vin, { lookup });
      return lookup;
    },
    label: (vin) => entryOf(vin)?.label,
    setLabel(held) {
      const label = { label: held, headers: headerSets.pdf(held) };
      add(held.vin, { label });
      return label;
    },
    async pdf(cached) {
      const { label, pdf } = cached;
      if (pdf) {
        pdfs.hit.value++;
        return pdf;
      }
      const isTooMany = reading.size >= MAX_READS && !reading.has(label.sha256);
      if (label.bytes > MAX_FILE_BYTES || isTooMany) {
        pdfs.stream.value++;
        return null;
      }
      pdfs.miss.value++;
      const bytes = await read(label);
      if (pdfCacheBytes >= bytes.length && entryOf(label.vin)?.label === cached)
        add(label.vin, { label: { ...cached, pdf: bytes } });
      return bytes;
    },
    drop: (vin) => void (vin === null ? cache.clear() : cache.delete(vin)),
  };
}
