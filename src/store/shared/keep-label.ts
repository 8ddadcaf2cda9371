import { hash } from 'node:crypto';
import type { Log } from '../../lib/log.ts';
import {
  type HeldLabel,
  LabelWithdrawn,
  type NewLabel,
  type Store,
  StoreUnavailable,
  type Withdrawal,
} from '../legacy-store.ts';
import type { DiskCache, LabelBytes } from './label-bytes.ts';
import { type LabelRows, type RowCopies, withoutDamaged } from './label-rows.ts';
import type { openWithdrawals } from './withdrawals.ts';

/** Longer than the breaker stays open. */
const RETRY_MS = 1200;

interface KeepDependencies {
  labels: LabelRows;
  copies: RowCopies;
  bytes: LabelBytes;
  diskCache: DiskCache;
  withdrawn: Pick<ReturnType<typeof openWithdrawals>, 'withdrawal' | 'recover' | 'clear'>;
  /** Deletes the VIN's miss and cached response. */
  forget(vin: string): Promise<void>;
  publishReplaced(vin: string): Promise<unknown>;
  log: Log;
}

/** Stores labels: the bytes, then the row, then the row's copy. Finds them again, and repairs damaged ones. */
export function labelKeeper(dependencies: KeepDependencies): Pick<Store, 'keep' | 'recover'> & {
  label(vin: string): Promise<HeldLabel | null>;
} {
  const { labels, copies, bytes, diskCache, withdrawn, log } = dependencies;

  /** Reads a damaged label's bytes once more: they may be back, or in this instance's disk cache. */
  async function recheck(label: HeldLabel): Promise<HeldLabel> {
    if ((await bytes.check(label.sha256)) !== 'intact') {
      const cached = await diskCache.get(label.sha256);
      if (!cached) return label;
      await bytes.put(label.sha256, cached);
    }
    await labels.clearDamaged(label.vin, label.sha256);
    log.info('store: a damaged label is intact again', { sha256: label.sha256 });
    return withoutDamaged(label);
  }

  const withRecheck = (find: (vin: string) => Promise<HeldLabel | null>) => async (vin: string) => {
    const label = await find(vin);
    return label?.damaged ? recheck(label) : label;
  };
  const labelInDatabase = withRecheck(labels.label);

  async function add(label: HeldLabel, pdf: Uint8Array, replaces: HeldLabel | null): Promise<HeldLabel> {
    if (await withdrawn.withdrawal(label.vin)) throw new LabelWithdrawn(label.vin);
    await bytes.put(label.sha256, pdf);
    const stored = await addUnlessWithdrawn(dependencies, label, replaces);
    if (!stored) throw new LabelWithdrawn(label.vin);
    // Before the row was written, `reconcile` could have removed these bytes as orphans.
    if (stored.sha256 === label.sha256 && (await bytes.size(label.sha256)) === null)
      await bytes.put(label.sha256, pdf);
    return stored;
  }

  async function recover(vin: string): Promise<HeldLabel | Withdrawal | null> {
    const [withdrawal, copy] = await Promise.all([withdrawn.recover(vin), copies.copyOf(vin)]);
    if (withdrawal || !copy) return withdrawal;
    const { sha256 } = copy;
    const state = await bytes.check(sha256);
    const stored = await addUnlessWithdrawn(dependencies, copy, null);
    if (!stored) return withdrawn.withdrawal(vin);
    if (stored.sha256 === sha256 && state !== 'intact') await labels.markDamaged(vin, sha256);
    await dependencies.forget(vin);
    log.warn('store: restored a row that the database had lost', { sha256, bytes: state });
    return labelInDatabase(vin);
  }

  async function keep(label: NewLabel, pdf: Uint8Array): Promise<HeldLabel> {
    const sha256 = hash('sha256', pdf, 'hex');
    const held = await labelInDatabase(label.vin);
    const isIntact = held && !held.damaged && (await bytes.size(held.sha256)) === held.bytes;
    if (isIntact && held.sha256 !== sha256) return held;
    // The same label: an earlier attempt may have failed after writing the row, so do the rest again.
    const stored = isIntact ? held : await add({ ...label, bytes: pdf.byteLength, sha256 }, pdf, held);
    if (stored.sha256 === sha256) await diskCache.put(sha256, pdf);
    await dependencies.forget(label.vin);
    if (held && stored.sha256 !== held.sha256) await dependencies.publishReplaced(label.vin);
    // The label is stored. Without the copy it just isn't found while PostgreSQL is down.
    await copies.write(stored).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
      log.warn('store: cannot write the copy of a row', { error: error.message });
    });
    return stored;
  }

  return {
    label: withRecheck(copies.label),
    recover,
    keep: (label, pdf) =>
      keep(label, pdf).catch(async (error: unknown) => {
        if (!(error instanceof StoreUnavailable)) throw error;
        bytes.doubtWritable();
        // Retry: otherwise the label would have to be fetched from the manufacturer again.
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        return keep(label, pdf);
      }),
  };
}

/** Adds a label's row and returns the VIN's label; null if it was withdrawn, even a moment ago. */
export async function addUnlessWithdrawn(
  {
    labels,
    withdrawn,
  }: Pick<KeepDependencies, 'labels'> & {
    withdrawn: Pick<KeepDependencies['withdrawn'], 'withdrawal' | 'clear'>;
  },
  label: HeldLabel,
  replaces: HeldLabel | null,
): Promise<HeldLabel | null> {
  const stored = await labels.add(label, replaces);
  // Checked after writing the row, because withdrawing removes rows after recording the withdrawal.
  if (stored && !(await withdrawn.withdrawal(label.vin))) return stored;
  await withdrawn.clear(label.vin, label.sha256);
  return null;
}
