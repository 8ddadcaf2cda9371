import { hash } from 'node:crypto';
import type { Log } from '../lib/log.ts';
import { inMemorySingleFlight } from '../lib/single-flight.ts';
import { LabelWithdrawn, nullFor, StoreUnavailable } from './errors.ts';
import type { HeldLabel, NewLabel, Store, VinRow } from './store.ts';

const MAX_BYTES = 64 * 1024 * 1024;
const RETRY_MS = 2000;

interface Unsaved {
  label: HeldLabel;
  newLabel: NewLabel;
  pdf: Buffer;
}

/**
 * Keeps labels that can't be written in memory, serves them from there and writes them when the store is back, before
 * `ready` resolves. Not for commands that copy labels: they must know that each label is on disk.
 */
export function withUnsaved(
  store: Store,
  { log, maxBytes = MAX_BYTES, retryMs = RETRY_MS }: { log: Log; maxBytes?: number; retryMs?: number },
): Store {
  const labels = new Map<string, Unsaved>();
  /** Those that can't be written although the store can. */
  const stuck = new Set<string>();
  const listeners: ((vin: string | null) => void)[] = [];
  const saving = inMemorySingleFlight();
  const timer = setInterval(() => void save(), retryMs).unref();
  const bytes = () => labels.values().reduce((sum, { pdf }) => sum + pdf.length, 0);

  const save = () => saving.once('save', saveAll);
  /** The second time for those behind one that failed. */
  async function saveTwice(): Promise<void> {
    await save();
    if (labels.size > 1) await save();
  }
  /** Stops at the first failure. The label that failed comes last the next time, because the others may succeed. */
  async function saveAll(): Promise<void> {
    for (const [vin, unsaved] of labels) {
      const { label, newLabel, pdf } = unsaved;
      try {
        const stored = await store.addLabel(newLabel, pdf).catch(nullFor(LabelWithdrawn));
        labels.delete(vin);
        stuck.delete(vin);
        // Another instance stored its own copy in the meantime, or the operator withdrew the label.
        if (stored?.sha256 !== label.sha256) for (const listener of listeners) listener(vin);
        if (stored) log.info('store: wrote a label that was buffered in memory', { source: newLabel.source });
      } catch (error) {
        labels.delete(vin);
        labels.set(vin, unsaved);
        if (!(error instanceof StoreUnavailable))
          log.error('store: cannot write a label', { error: String(error) });
        return;
      }
    }
  }

  async function addLabel(newLabel: NewLabel, pdf: Uint8Array): Promise<HeldLabel> {
    try {
      return await store.addLabel(newLabel, pdf);
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || bytes() + pdf.byteLength > maxBytes) throw error;
      const earlier = labels.get(newLabel.vin);
      if (earlier) return earlier.label;
      const copy = Buffer.from(pdf);
      const label: HeldLabel = { ...newLabel, bytes: copy.length, sha256: hash('sha256', copy, 'hex') };
      labels.set(newLabel.vin, { label, newLabel, pdf: copy });
      log.warn('store: cannot write a label; buffering it in memory', {
        source: newLabel.source,
        waiting: labels.size,
        error: error.message,
      });
      return label;
    }
  }

  /** What the store finds, unless the VIN's label is only in memory. */
  async function orUnsaved(vin: string, find: Store['find']): Promise<VinRow> {
    const unsaved = labels.get(vin);
    if (!unsaved) return find(vin);
    const withdrawal = await find(vin).then(
      (row) => row.withdrawal,
      () => null,
    );
    return { label: withdrawal ? null : unsaved.label, miss: null, withdrawal };
  }

  return {
    ...store,
    addLabel,
    find: (vin) => orUnsaved(vin, store.find),
    findOrRecover: (vin) => orUnsaved(vin, store.findOrRecover),
    async pdf(label) {
      const unsaved = labels.get(label.vin);
      return unsaved?.label.sha256 === label.sha256 ? unsaved.pdf : store.pdf(label);
    },
    onReplaced(listener) {
      listeners.push(listener);
      store.onReplaced(listener);
    },
    // It can be computed again from the label.
    cached: (label, kind, version) => store.cached(label, kind, version).catch(nullFor(StoreUnavailable)),
    async ready() {
      if (bytes() > maxBytes / 2)
        throw new StoreUnavailable(`${labels.size} labels in memory could not be written yet.`);
      await store.ready();
      // Other instances can't see what is only here. But a single label that can't be written must not keep all others out.
      if (labels.keys().every((vin) => stuck.has(vin))) return;
      await saveTwice();
      if (labels.size > 0) await store.ready();
      for (const vin of labels.keys()) stuck.add(vin);
    },
    async close() {
      clearInterval(timer);
      await saveTwice();
      if (labels.size > 0) log.error('store: lost labels that could not be written', { lost: labels.size });
      await store.close();
    },
  };
}
