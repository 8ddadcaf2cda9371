import { LRUCache } from 'lru-cache';
import { HELD_CACHE_CONTROL } from '../lookup/finding-response.ts';
import type { Metrics } from '../lib/metrics.ts';
import type { Lookup } from '../lookup/find.ts';
import type { Switches } from '../lookup/source-states.ts';
import type { HeldLabel, Store } from '../store/store.ts';
import { etagOf, type HeaderSets, type ValidatedFields } from './response.ts';

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
/** A larger file would displace many. */
const MAX_CACHED_FILE_BYTES = 4 * 1024 * 1024;
/** Bounds the memory of files that are being read. What is being sent is bounded by `send.ts`. */
const MAX_READING_BYTES = 64 * 1024 * 1024;

export function createResponseCache(options: {
  lookup: Pick<Lookup, 'pdf'> & { switches: Pick<Switches, 'onWithheldChange'> };
  store: Pick<Store, 'onReplaced'>;
  pdfCacheBytes: number;
  headerSets: HeaderSets;
  metrics: Pick<Metrics, 'counter' | 'read'>;
}): ResponseCache {
  const { lookup, store, pdfCacheBytes, headerSets, metrics } = options;
  const cache = new LRUCache<string, Entry>({
    maxSize: MAX_ROW_BYTES + pdfCacheBytes,
    ttl: FRESH_MS,
    // An entry is as old as its first part. To remember the time for a moment, lru-cache would set a timer.
    noUpdateTTL: true,
    ttlResolution: 0,
    sizeCalculation: ({ lookup, label }) =>
      ROW_BYTES + (lookup?.body.length ?? 0) + (label?.pdf?.length ?? 0),
  });
  const counter = (name: string, result: string) =>
    metrics.counter('monroney_cache_requests_total', { cache: name, result });
  const [hits, misses] = [counter('answer', 'hit'), counter('answer', 'miss')];
  const pdfs = { hit: counter('pdf', 'hit'), miss: counter('pdf', 'miss') };

  const add = (vin: string, part: Entry) => void cache.set(vin, { ...cache.get(vin), ...part });
  const drop = (vin: string | null) => void (vin === null ? cache.clear() : cache.delete(vin));
  store.onReplaced(drop);
  lookup.switches.onWithheldChange(() => drop(null));

  const reading = new Map<string, Promise<Buffer>>();
  let readingBytes = 0;
  /** When the last file that was requested is being read. */
  let lastStarted = Promise.resolve();
  /** Lets the first that waits look again whether it fits. */
  let wake = () => {};

  /** First come, first served, so that small files can't pass a large one forever. */
  function waitForRoom(bytes: number): Promise<void> {
    const fits = () => readingBytes === 0 || readingBytes + bytes <= MAX_READING_BYTES;
    lastStarted = lastStarted.then(async () => {
      while (!fits()) await new Promise<void>((resolve) => (wake = resolve));
      readingBytes += bytes;
    });
    return lastStarted;
  }

  async function readInTurn(label: HeldLabel): Promise<Buffer> {
    await waitForRoom(label.bytes);
    try {
      return await lookup.pdf(label);
    } finally {
      readingBytes -= label.bytes;
      reading.delete(label.sha256);
      wake();
    }
  }

  /** Several requests for one file read it once. */
  function read(label: HeldLabel): Promise<Buffer> {
    const pdf = reading.get(label.sha256) ?? readInTurn(label);
    reading.set(label.sha256, pdf);
    return pdf;
  }

  metrics.read('monroney_pdf_cache_bytes', () => [[{ state: 'kept' }, cache.calculatedSize]]);

  return {
    lookup(vin) {
      const found = cache.get(vin)?.lookup;
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
    label: (vin) => cache.get(vin)?.label,
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
      const isSmall = bytes.length <= Math.min(pdfCacheBytes, MAX_CACHED_FILE_BYTES);
      if (isSmall && cache.get(label.vin)?.label === cached)
        add(label.vin, { label: { ...cached, pdf: bytes } });
      return bytes;
    },
    drop,
  };
}
