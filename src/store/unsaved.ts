import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import type { Log } from '../lib/log.ts';
import { inMemorySingleFlight } from '../lib/single-flight.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import {
  type HeldLabel,
  LabelMissing,
  LabelWithdrawn,
  type Miss,
  type NewLabel,
  type Store,
  StoreUnavailable,
} from './store.ts';

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_MISSES = 10_000;
/** How often writing is tried again. */
const RETRY_MS = 2000;
/** A write that worked this recently shows that the store is writable. */
const PROVEN_MS = 1000;

interface Unsaved {
  label: HeldLabel;
  fresh: NewLabel;
  pdf: Buffer;
}

/**
 * A store that does not lose what a manufacturer just sent. A label that cannot be written is served from memory and
 * written when the store is back; until then `ready` fails, so that nobody else is asked for labels we cannot keep.
 * For the service only: a command that copies labels must know that they are on the disk.
 */
export function withUnsaved(
  store: Store,
  { log, mostBytes = MOST_BYTES, retryMs = RETRY_MS }: { log: Log; mostBytes?: number; retryMs?: number },
): Store {
  const labels = new Map<string, Unsaved>();
  const misses = new LRUCache<string, Miss>({ max: MOST_MISSES });
  const listeners: ((vin: string | null) => void)[] = [];
  let bytes = 0;
  let provenAt = -Infinity;
  const saving = inMemorySingleFlight();
  const timer = setInterval(() => void save(), retryMs).unref();

  const bySha256 = (sha256: string): Buffer | null => {
    for (const { label, pdf } of labels.values()) if (label.sha256 === sha256) return pdf;
    return null;
  };

  function forget(vin: string): void {
    const unsaved = labels.get(vin);
    if (!unsaved) return;
    labels.delete(vin);
    bytes -= unsaved.pdf.length;
  }

  const save = () => saving.once('save', saveAll);
  /** One after the other, and no further than the first that fails. */
  async function saveAll(): Promise<void> {
    try {
      for (const [vin, { label, fresh, pdf }] of labels) {
        const kept = await store.keep(fresh, pdf).catch((error: unknown) => {
          if (error instanceof LabelWithdrawn) return null;
          throw error;
        });
        provenAt = performance.now();
        forget(vin);
        // Another instance fetched and kept its own copy meanwhile, or the operator withdrew the label.
        if (kept?.sha256 !== label.sha256) for (const heard of listeners) heard(vin);
        if (kept) log.info('store: a label that waited in memory was written', { source: fresh.source });
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailable))
        log.error('store: a label cannot be written', { error: String(error) });
    }
  }

  async function keep(fresh: NewLabel, pdf: Uint8Array): Promise<HeldLabel> {
    try {
      const label = await store.keep(fresh, pdf);
      provenAt = performance.now();
      misses.delete(fresh.vin);
      return label;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || bytes + pdf.byteLength > mostBytes) throw error;
      provenAt = -Infinity;
      const known = labels.get(fresh.vin);
      if (known) return known.label;
      const copy = Buffer.from(pdf);
      const label: HeldLabel = { ...fresh, bytes: copy.length, sha256: hash('sha256', copy, 'hex') };
      labels.set(fresh.vin, { label, fresh, pdf: copy });
      bytes += copy.length;
      log.warn('store: a label cannot be written and waits in memory', {
        source: fresh.source,
        waiting: labels.size,
        error: error.message,
      });
      return label;
    }
  }

  return {
    ...store,
    keep,
    label: (vin) => labels.get(vin)?.label ?? store.label(vin),
    async pdf(sha256) {
      return bySha256(sha256) ?? store.pdf(sha256);
    },
    pdfInto: (sha256, allocate) => (labels.size > 0 && bySha256(sha256)) || store.pdfInto(sha256, allocate),
    async pdfStream(sha256, start, end) {
      const pdf = labels.size > 0 ? bySha256(sha256) : null;
      if (!pdf) return store.pdfStream(sha256, start, end);
      if (pdf.length <= end) throw new LabelMissing(`Label ${sha256} has only ${pdf.length} bytes.`);
      return Readable.from([pdf.subarray(start, end + 1)]);
    },
    miss(vin) {
      const known = misses.get(vin);
      return known && known.until > Date.now() ? known : store.miss(vin);
    },
    async keepMiss(miss) {
      misses.delete(miss.vin);
      try {
        await store.keepMiss(miss);
      } catch (error) {
        provenAt = -Infinity;
        misses.set(miss.vin, miss);
        throw error;
      }
    },
    onReplaced(heard) {
      listeners.push(heard);
      store.onReplaced(heard);
    },
    // Both can be made again from the label.
    text: (sha256) => orNull(() => store.text(sha256)),
    reading: (sha256, reader) => orNull(() => store.reading(sha256, reader)),
    async ready() {
      if (labels.size > 0) {
        throw new StoreUnavailable(`${labels.size} labels wait in memory to be written.`);
      }
      if (performance.now() - provenAt < PROVEN_MS) return;
      await store.ready();
    },
    async close() {
      clearInterval(timer);
      await save();
      if (labels.size > 0) log.error('store: labels were not written', { lost: labels.size });
      await store.close();
    },
  };
}

function orNull<T>(read: () => MaybePromise<T | null>): MaybePromise<T | null> {
  const away = (error: unknown) => {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  };
  try {
    const value = read();
    return value instanceof Promise ? value.catch(away) : value;
  } catch (error) {
    return away(error);
  }
}
