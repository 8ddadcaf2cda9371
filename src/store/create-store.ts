import { hash } from 'node:crypto';
import { createFailureLog, type Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { createPeriodic, inMemorySingleFlight } from '../lib/promises.ts';
import { cacheRows, stateRows, vinRows } from './rows.ts';
import { contactRows } from './contact-store.ts';
import { type Files, labelBytes } from './label-bytes.ts';
import { rebuild, syncWithdrawals } from './rebuild.ts';
import type { Sql } from './sql.ts';
import {
  type HeldLabel,
  LabelWithdrawn,
  type NewLabel,
  type Store,
  StoreUnavailable,
  type VinRow,
} from './store.ts';
import { vpicFiles } from './vpic-files.ts';

/** How often a running service looks for labels that another process withdrew. */
const POLL_MS = 2000;
/** Transactions may be committed in another order than they read the clock. */
const OVERLAP_MS = 10_000;
/** The store counts as writable for this long after a successful write. */
const WRITABLE_MS = 1000;

interface StoreParts {
  /** For what must not be lost, and for what can be computed again. */
  main: Sql;
  cache: Sql;
  files: Files;
  log: Log;
  /** Rejects when the store must not be used, whether or not it can be written. */
  assertUsable(): Promise<void>;
  /** True until what only the database or only the files have is in both: they can't be written. */
  isReadOnly?(): boolean;
  /** Tells other processes that cached data of the VIN is stale. */
  publishReplaced?(vin: string): void;
}

export type StoreCore = ReturnType<typeof createStore>;

/** What doesn't depend on where rows and bytes are. */
export function createStore(parts: StoreParts) {
  const { main, cache, log, assertUsable, publishReplaced } = parts;
  const bytes = labelBytes(parts.files);
  const rows = vinRows(main);
  const { forget, probe: probeRows, ...cached } = cacheRows(cache);
  const listeners: ((vin: string | null) => void)[] = [];
  let writtenAt = -Infinity;
  /** The size of the label that could not be written. */
  let unwritten = 0;

  /** Calls the listeners of `Store.onReplaced`. */
  function notifyReplaced(vin: string | null): void {
    for (const listener of listeners) listener(vin);
  }

  /** Tells this and other processes that what they say about a VIN has changed. */
  function announce(vin: string): void {
    notifyReplaced(vin);
    publishReplaced?.(vin);
  }

  /** Drops what this and other processes have cached for a VIN. */
  async function invalidate(vin: string): Promise<void> {
    await forget(vin);
    announce(vin);
  }

  const find: Store['find'] = async (vin) => {
    const row = await rows.find(vin);
    // The database may be an older one that lost the withdrawal.
    const withdrawal = row.label && parts.isReadOnly?.() ? await bytes.withdrawal(vin) : null;
    if (withdrawal) return { label: null, miss: null, withdrawal };
    return row.label?.damaged ? recheck(row) : row;
  };

  /** The bytes of a damaged label may be back. */
  async function recheck(row: VinRow): Promise<VinRow> {
    const { damaged: _, ...label } = row.label!;
    if ((await bytes.check(label)) !== 'intact') return row;
    await rows.clearDamaged(label);
    log.info('store: a damaged label is intact again', { sha256: label.sha256 });
    return { ...row, label };
  }

  /**
   * The row of a VIN that has none, from what is beside the bytes: a crash may have come before the row, or the database
   * may be an older backup, or a replica that lost the last transactions. Otherwise a withdrawn label could be served
   * again, or "none" reported for a label we have.
   */
  async function recover(vin: string): Promise<VinRow> {
    const [withdrawal, label] = await Promise.all([bytes.withdrawal(vin), bytes.row(vin)]);
    if (withdrawal) await withdraw(withdrawal);
    else if (label) {
      const { label: stored } = await rows.add(label, null);
      const state = await bytes.check(label);
      if (stored?.sha256 === label.sha256 && state !== 'intact') await rows.markDamaged(label);
      await invalidate(vin);
      log.info('store: added a missing row from the file beside a label', {
        sha256: label.sha256,
        bytes: state,
      });
    }
    return rows.find(vin);
  }

  const findOrRecover: Store['findOrRecover'] = async (vin) => {
    const row = await find(vin);
    return row.label || row.withdrawal ? row : recover(vin);
  };

  async function addLabel(newLabel: NewLabel, pdf: Uint8Array): Promise<HeldLabel> {
    try {
      return await addIfAbsent(newLabel, pdf);
    } catch (error) {
      // The next check of readiness has to write, and as much as this: a disk may have room for a few bytes only.
      writtenAt = -Infinity;
      unwritten = pdf.byteLength;
      // A withdrawal that erases the bytes meanwhile looks like a failure of the store.
      const isWithdrawn = error instanceof StoreUnavailable && (await rows.find(newLabel.vin)).withdrawal;
      throw isWithdrawn ? new LabelWithdrawn(newLabel.vin) : error;
    }
  }

  async function addIfAbsent(newLabel: NewLabel, pdf: Uint8Array): Promise<HeldLabel> {
    const { vin } = newLabel;
    const label: HeldLabel = { ...newLabel, bytes: pdf.byteLength, sha256: hash('sha256', pdf, 'hex') };
    const before = await findOrRecover(vin);
    if (before.withdrawal) throw new LabelWithdrawn(vin);
    const held = before.label;
    if (held) {
      // The database may be an older one that lost the withdrawal.
      const withdrawal = await bytes.withdrawal(vin);
      if (withdrawal) {
        await withdraw(withdrawal);
        throw new LabelWithdrawn(vin);
      }
      const state = await bytes.check(held);
      if (state === 'intact') return held;
      if (state === 'unclear')
        throw new StoreUnavailable('It is unclear whether the stored label is intact.');
    }
    await bytes.put(label, pdf);
    // The row last: if it can't be written, `recover` adds it later.
    await bytes.putRow(label);
    let row = await rows.add(label, held);
    if (row.label && row.label.sha256 !== label.sha256) {
      // Another copy was first.
      await bytes.putRow(row.label);
      await bytes.drop(label);
      row = await rows.find(vin);
    }
    if (!row.label) {
      // It was withdrawn while these files were written.
      await bytes.erase(vin);
      throw new LabelWithdrawn(vin);
    }
    if (held && held.sha256 !== row.label.sha256) await invalidate(vin);
    else await forget(vin);
    return row.label;
  }

  const withdraw: Store['withdraw'] = async ({ vin, reason, at }) => {
    const before = await rows.find(vin);
    // The file first: whatever fails after this, the label is not served after the next start.
    await bytes.putWithdrawal({ vin, reason, at: before.withdrawal?.at ?? at });
    await rows.withdraw({ vin, reason, at });
    await bytes.erase(vin);
    await invalidate(vin);
  };

  const endWithdrawal: Store['endWithdrawal'] = async (vin) => {
    const { withdrawal } = await findOrRecover(vin);
    if (!withdrawal) return null;
    // The file first: a lookup between the two would restore the row from it.
    await bytes.dropWithdrawal(vin);
    await rows.endWithdrawal(vin);
    announce(vin);
    return withdrawal;
  };

  /** Finds labels that other processes withdraw. Returns a function that stops. */
  function watchWithdrawals(): () => void {
    let since: number | null = null;
    async function poll(): Promise<void> {
      const now = await rows.now();
      for (const vin of await rows.withdrawnSince((since ?? now) - OVERLAP_MS)) {
        notifyReplaced(vin);
        // A request that had read the label before may have cached something since.
        await forget(vin);
      }
      since = now;
    }
    const polling = createPeriodic(POLL_MS, () =>
      poll().catch((error: unknown) => {
        // An unavailable store is reported elsewhere; try again next time.
        if (!(error instanceof StoreUnavailable))
          log.error('store: cannot read withdrawals', { error: String(error) });
      }),
    );
    return () => void polling.stop();
  }

  const probing = inMemorySingleFlight();
  async function probe(): Promise<void> {
    await Promise.all([parts.files.probe(unwritten), probeRows()]);
    writtenAt = performance.now();
    unwritten = 0;
  }

  const store: Omit<Store, 'kind' | 'coordination' | 'close'> = {
    find,
    findOrRecover,
    addLabel,
    async addMiss(miss) {
      await findOrRecover(miss.vin);
      await rows.addMiss(miss);
    },
    async updateRead(vin, read) {
      await rows.updateRead(vin, read);
      announce(vin);
    },
    pdf: bytes.get,
    checkBytes: bytes.check,
    async markDamaged(label) {
      await rows.markDamaged(label);
      await invalidate(label.vin);
    },
    withdraw,
    endWithdrawal,
    withdrawals: rows.withdrawals,
    onReplaced: (listener) => void listeners.push(listener),
    ...cached,
    ...stateRows(main),
    contacts: contactRows(main),
    vpic: vpicFiles(parts.files),
    labels: rows.labels,
    counts: rows.counts,
    rebuild: (progress) => rebuild({ rows, bytes, withdraw }, progress),
    async ready() {
      await assertUsable();
      if (performance.now() - writtenAt >= WRITABLE_MS) await probing.once('probe', probe);
    },
  };
  return {
    store,
    notifyReplaced,
    watchWithdrawals,
    /** Adds withdrawals that only the database or only the files have. */
    syncWithdrawals: () => syncWithdrawals({ rows, bytes, withdraw }),
  };
}

/** Operations that a request may wait for. */
const OPERATIONS = [
  'find',
  'findOrRecover',
  'addLabel',
  'addMiss',
  'pdf',
  'cached',
  'cache',
  'preview',
  'cachePreview',
  'switches',
  'ready',
] as const satisfies (keyof Store)[];

type Operation = (...args: unknown[]) => Promise<unknown>;

/**
 * Adds metrics for the duration and the errors of each operation. For the embedded store it also logs when an operation
 * starts to fail and when it works again; the shared store logs this for each server.
 */
export function measuredStore(store: Store, metrics: Metrics, log: Log): Store {
  const measured = OPERATIONS.map((name) => {
    const operation = store[name] as Operation;
    const seconds = metrics.histogram('monroney_store_operation_duration_seconds', { operation: name });
    const failures = metrics.counter('monroney_store_errors_total', { operation: name });
    const logState =
      store.kind === 'embedded'
        ? createFailureLog(log, `store: ${name} fails`, `store: ${name} works again`)
        : null;
    const timed: Operation = async (...args) => {
      const started = performance.now();
      try {
        const value = await operation(...args);
        logState?.(null);
        return value;
      } catch (error) {
        failures.value++;
        if (error instanceof StoreUnavailable) logState?.(error.message);
        throw error;
      } finally {
        seconds((performance.now() - started) / 1000);
      }
    };
    return [name, timed];
  });
  return { ...store, ...(Object.fromEntries(measured) as Partial<Store>) };
}
