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
  pdf(cached: CachedLabel): Promise<Buffer>;
  /** Drops one VIN, or all (null). */
  drop(vin: string | null): void;
}

/** Another process may have read a label again, or replaced it. */
const FRESH_MS = 600_000;
/** For lookups and labels, about 2 KB each, in addition to the bytes for PDFs. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;
const ROW_BYTES = 1024;
/** Bounds the memory of files that are being read. What is being sent is bounded by `send.ts`. */
const MAX_READING_BYTES = 64 * 1024 * 1024;

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
  const pdfs = { hit: counter('pdf', 'hit'), miss: counter('pdf', 'miss') };

  function entryOf(vin: string): Entry | undefined {
    const entry = cache.get(vin);
    if (entry === undefined || now() - entry.since < FRESH_MS) return entry;
    cache.delete(vin);
    return undefined;
  }

  const add = (vin: string, part: Omit<Entry, 'since'>) =>
    void cache.set(vin, { ...(entryOf(vin) ?? { since: now() }), ...part });

  const reading = new Map<string, Promise<Buffer>>();
  let readingBytes = 0;

  /** Several requests for one file read it once. One that doesn't fit waits for others. */
  async function read(label: HeldLabel): Promise<Buffer> {
    const { sha256, bytes } = label;
    const fits = () => readingBytes === 0 || readingBytes + bytes <= MAX_READING_BYTES;
    while (!reading.has(sha256) && !fits()) await Promise.race(reading.values()).catch(() => {});
    const inProgress = reading.get(sha256);
    if (inProgress) return inProgress;
    readingBytes += bytes;
    const pdf = options.readPdf(label).finally(() => {
      reading.delete(sha256);
      readingBytes -= bytes;
    });
    reading.set(sha256, pdf);
    return pdf;
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
      pdfs.miss.value++;
      const bytes = await read(label);
      if (pdfCacheBytes >= bytes.length && entryOf(label.vin)?.label === cached)
        add(label.vin, { label: { ...cached, pdf: bytes } });
      return bytes;
    },
    drop: (vin) => void (vin === null ? cache.clear() : cache.delete(vin)),
  };
}
