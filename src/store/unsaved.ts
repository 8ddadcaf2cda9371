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

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MISSES = 10_000;
const RETRY_MS = 2000;
/** After a successful write the store counts as writable for this long. */
const WRITABLE_MS = 1000;

interface Unsaved {
  label: HeldLabel;
  newLabel: NewLabel;
  pdf: Buffer;
}

/**
 * Keeps labels that can't be written in memory, serves them from there and writes them when the store is back. Until then
 * `ready` fails, so that we don't fetch more labels that we can't store. Not for commands
 * that copy labels: they must know that each label is on disk.
 */
export function withUnsaved(
  store: Store,
  { log, maxBytes = MAX_BYTES, retryMs = RETRY_MS }: { log: Log; maxBytes?: number; retryMs?: number },
): Store {
  const labels = new Map<string, Unsaved>();
  const misses = new LRUCache<string, Miss>({ max: MAX_MISSES });
  const listeners: ((vin: string | null) => void)[] = [];
  let bytes = 0;
  let writtenAt = -Infinity;
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
  /** Stops at the first failure. The label that failed comes last the next time, because the others may succeed. */
  async function saveAll(): Promise<void> {
    for (const [vin, unsaved] of labels) {
      const { label, newLabel, pdf } = unsaved;
      try {
        const kept = await store.keep(newLabel, pdf).catch((error: unknown) => {
          if (error instanceof LabelWithdrawn) return null;
          throw error;
        });
        writtenAt = performance.now();
        forget(vin);
        // Another instance kept its own copy in the meantime, or the operator withdrew the label.
        if (kept?.sha256 !== label.sha256) for (const listener of listeners) listener(vin);
        if (kept) log.info('store: wrote a label that was buffered in memory', { source: newLabel.source });
      } catch (error) {
        if (labels.delete(vin)) labels.set(vin, unsaved);
        if (!(error instanceof StoreUnavailable))
          log.error('store: cannot write a label', { error: String(error) });
        return;
      }
    }
  }

  async function keep(newLabel: NewLabel, pdf: Uint8Array): Promise<HeldLabel> {
    try {
      const label = await store.keep(newLabel, pdf);
      writtenAt = performance.now();
      misses.delete(newLabel.vin);
      return label;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || bytes + pdf.byteLength > maxBytes) throw error;
      writtenAt = -Infinity;
      const unsaved = labels.get(newLabel.vin);
      if (unsaved) return unsaved.label;
      const copy = Buffer.from(pdf);
      const label: HeldLabel = { ...newLabel, bytes: copy.length, sha256: hash('sha256', copy, 'hex') };
      labels.set(newLabel.vin, { label, newLabel, pdf: copy });
      bytes += copy.length;
      log.warn('store: cannot write a label; buffering it in memory', {
        source: newLabel.source,
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
      const miss = misses.get(vin);
      return miss && miss.until > Date.now() ? miss : store.miss(vin);
    },
    async keepMiss(miss) {
      misses.delete(miss.vin);
      try {
        await store.keepMiss(miss);
      } catch (error) {
        writtenAt = -Infinity;
        misses.set(miss.vin, miss);
        throw error;
      }
    },
    onReplaced(listener) {
      listeners.push(listener);
      store.onReplaced(listener);
    },
    // Both can be computed again from the label.
    text: (sha256) => orNull(() => store.text(sha256)),
    reading: (sha256, reader) => orNull(() => store.reading(sha256, reader)),
    async ready() {
      if (labels.size > 0) {
        throw new StoreUnavailable(`${labels.size} labels in memory could not be written yet.`);
      }
      if (performance.now() - writtenAt < WRITABLE_MS) return;
      await store.ready();
    },
    async close() {
      clearInterval(timer);
      await save();
      // Those behind one that failed.
      if (labels.size > 1) await save();
      if (labels.size > 0) log.error('store: lost labels that could not be written', { lost: labels.size });
      await store.close();
    },
  };
}

function orNull<T>(read: () => MaybePromise<T | null>): MaybePromise<T | null> {
  const nullIfUnavailable = (error: unknown) => {
    if (error instanceof StoreUnavailable) return null;
    throw error;
  };
  try {
    const value = read();
    return value instanceof Promise ? value.catch(nullIfUnavailable) : value;
  } catch (error) {
    return nullIfUnavailable(error);
  }
}
