import { inParallel, labelPages } from './all-labels.ts';
import type { LabelBytes, LabelFile } from './label-bytes.ts';
import type { VinRows } from './rows.ts';
import type { Rebuilt, Store } from './store.ts';

interface Parts {
  rows: VinRows;
  bytes: LabelBytes;
  withdraw: Store['withdraw'];
}

/** See `Store.rebuild`. Looks at sizes, not digests: reading a label checks those, and `admin verify` reads all. */
export async function rebuild(parts: Parts, progress: (done: number) => void): Promise<Rebuilt> {
  const { rows, bytes } = parts;
  const rebuilt: Rebuilt = { added: 0, present: 0, written: 0, missing: 0, withdrawn: 0, unknown: 0 };
  rebuilt.withdrawn += await syncWithdrawals(parts);
  let done = 0;
  for await (const page of bytes.list()) {
    await inParallel(page, async (file) => {
      const { label, withdrawal } = await rows.find(file.vin);
      if (withdrawal) {
        await bytes.erase(file.vin);
        if (!file.sha256) rebuilt.withdrawn++;
      } else if (file.sha256) {
        if (!label && !(await bytes.row(file.vin))) rebuilt.unknown++;
      } else if (label) rebuilt.present++;
      else await addRow(file);
      progress(++done);
    });
  }
  await writeMissingFiles(parts, rebuilt);
  return rebuilt;

  async function addRow({ vin }: LabelFile): Promise<void> {
    const label = await bytes.row(vin);
    if (!label || !(await bytes.has(label))) rebuilt.missing++;
    else if ((await rows.add(label, null)).label) rebuilt.added++;
  }
}

/** Writes the files beside the bytes of labels that have none. */
async function writeMissingFiles({ rows, bytes }: Parts, rebuilt: Rebuilt): Promise<void> {
  for await (const page of labelPages(rows))
    await inParallel(page, async (label) => {
      if (await bytes.hasRow(label.vin)) return;
      await bytes.putRow(label);
      rebuilt.written++;
    });
}

/** Adds withdrawals that only the database or only the files have: either may be an older backup. Returns how many. */
export async function syncWithdrawals({ rows, bytes, withdraw }: Parts): Promise<number> {
  const inRows = new Map((await rows.withdrawals()).map((withdrawal) => [withdrawal.vin, withdrawal]));
  const inFiles = await bytes.withdrawnVins();
  let added = 0;
  for (const vin of inFiles) {
    const withdrawal = inRows.has(vin) ? null : await bytes.withdrawal(vin);
    if (!withdrawal) continue;
    await withdraw(withdrawal);
    added++;
  }
  for (const withdrawal of inRows.values()) {
    // Both have it, but a crash may have come before its bytes were erased.
    if (inFiles.has(withdrawal.vin) && !(await bytes.hasRow(withdrawal.vin))) continue;
    await withdraw(withdrawal);
    added++;
  }
  return added;
}
