import { hash } from 'node:crypto';
import type { Log } from '../../lib/log.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import {
  type BytesCheck,
  type HeldLabel,
  LabelCorrupted,
  LabelMissing,
  LabelWithdrawn,
  type NewLabel,
  type Store,
} from '../legacy-store.ts';
import type { Files } from './files.ts';
import type { Journal } from './journal.ts';
import type { LabelRows } from './label-rows.ts';
import type { Withdrawn } from './withdrawals.ts';

interface KeepDependencies {
  labels: LabelRows;
  files: Files;
  journal: Journal;
  withdrawn: Pick<Withdrawn, 'withdrawal'>;
  /** Throws `StoreUnavailable` if a row would be lost at the next start. */
  assertWritable(): void;
  /** Deletes the VIN's miss and cached response. */
  forget(vin: string): void;
  notifyReplaced(vin: string): void;
  log: Log;
}

/** Stores labels: the file, then the row, then the row's line in the journal. Finds and checks them again. */
export function labelKeeper(dependencies: KeepDependencies): Pick<Store, 'label' | 'keep' | 'checkBytes'> {
  const { labels, files, journal, withdrawn, forget, notifyReplaced, log } = dependencies;

  async function checkBytes({ sha256 }: HeldLabel): Promise<BytesCheck> {
    // Reads corrupted bytes twice: the fault may be in memory.
    for (let attempt = 1; ; attempt++) {
      try {
        await files.label(sha256);
        return 'intact';
      } catch (error) {
        if (error instanceof LabelMissing) return 'missing';
        if (!(error instanceof LabelCorrupted)) throw error;
        if (attempt === 2) return 'corrupted';
      }
    }
  }

  /** Reads a damaged label's bytes once more: the file may have been restored. */
  async function recheck(label: HeldLabel): Promise<HeldLabel> {
    if ((await checkBytes(label)) !== 'intact') return label;
    labels.clearDamaged(label.vin, label.sha256);
    const { damaged: _, ...intact } = label;
    return intact;
  }

  function label(vin: string): MaybePromise<HeldLabel | null> {
    const held = labels.label(vin);
    return held?.damaged ? recheck(held) : held;
  }

  async function keep(newLabel: NewLabel, pdf: Uint8Array): Promise<HeldLabel> {
    const sha256 = hash('sha256', pdf, 'hex');
    dependencies.assertWritable();
    if (withdrawn.withdrawal(newLabel.vin)) throw new LabelWithdrawn(newLabel.vin);
    const held = await label(newLabel.vin);
    if (held && !held.damaged && files.labelSize(held.sha256) === held.bytes) return held;
    const row: HeldLabel = { ...newLabel, bytes: pdf.byteLength, sha256 };
    let journaled: Promise<void> | undefined;
    const current = await files.keepLabel(row, pdf, () => {
      const added = labels.add(row, held);
      if (added?.sha256 === sha256) (journaled = journal.append(added)).catch(() => {});
      return added;
    });
    // The label is stored; the line is needed only if the database is lost.
    await journaled?.catch((error: unknown) =>
      log.warn('store: could not write to rows.jsonl', { error: String(error) }),
    );
    if (!labels.hasBytes(sha256)) await files.dropLabel(sha256);
    // Withdrawn while it was being written.
    if (!current) throw new LabelWithdrawn(newLabel.vin);
    forget(newLabel.vin);
    if (held && held.sha256 !== current.sha256) notifyReplaced(newLabel.vin);
    return current;
  }

  return { label, keep, checkBytes };
}
