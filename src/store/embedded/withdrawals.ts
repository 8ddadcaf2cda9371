import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToFolderOwner } from '../../lib/folder.ts';
import type { Withdrawal } from '../legacy-store.ts';
import type { Database } from './database.ts';

/** How often a running service checks for labels that an admin command withdrew. */
const POLL_MS = 2000;

export type Withdrawn = ReturnType<typeof openWithdrawals>;

/** Withdrawn labels: rows in the database, and a file beside the labels. */
export function openWithdrawals(db: Database, dataDir: string) {
  return { ...withdrawalRows(db), file: withdrawalFile(dataDir) };
}

function withdrawalRows(db: Database) {
  const one = db.oneFromSnapshot<[string, number]>('SELECT reason, at FROM withdrawn WHERE vin = ?');
  const all = db.all<[string, string, number]>('SELECT vin, reason, at FROM withdrawn ORDER BY vin');
  // From the snapshot too: when a listener is called, `one` must see the withdrawal.
  const next = db.oneFromSnapshot<[number, string]>(
    'SELECT id, vin FROM withdrawn WHERE id > ? ORDER BY id LIMIT 1',
  );
  // Withdrawals are few and never deleted. Their VINs are in memory, because nearly every lookup of a label that we don't
  // hold asks for a VIN that isn't among them.
  const vins = new Set<string>();
  let lastRead = 0;
  const readNew = db.oncePerSnapshot(() => {
    for (let row = next(lastRead); row; row = next(lastRead)) {
      lastRead = row[0];
      vins.add(row[1]);
    }
  });
  const newest = db.one<[number]>('SELECT coalesce(max(id), 0) FROM withdrawn');
  const add = db.run(`INSERT INTO withdrawn (vin, reason, at) VALUES (?, ?, ?)
    ON CONFLICT (vin) DO UPDATE SET reason = excluded.reason`);

  return {
    withdrawal(vin: string): Withdrawal | null {
      readNew();
      const row = vins.has(vin) ? one(vin) : null;
      return row && { vin, reason: row[0], at: row[1] };
    },
    withdrawals: (): Withdrawal[] => all().map(([vin, reason, at]) => ({ vin, reason, at })),
    add: ({ vin, reason, at }: Withdrawal): void => void add(vin, reason, at),
    /** Calls `onWithdrawn` for each VIN withdrawn from now on, by any process. */
    watch(onWithdrawn: (vin: string) => void): { stop(): void } {
      let last = newest()?.[0] ?? 0;
      const timer = setInterval(() => {
        try {
          for (let row = next(last); row; row = next(last)) {
            last = row[0];
            onWithdrawn(row[1]);
          }
        } catch {
          // An unavailable store is reported elsewhere; try again next time.
        }
      }, POLL_MS).unref();
      return { stop: () => clearInterval(timer) };
    },
  };
}

/**
 * `labels/withdrawn.jsonl`: a copy of the withdrawals beside the label files, in case the database is lost or restored
 * from an older backup. The last line of a VIN counts.
 */
function withdrawalFile(dataDir: string) {
  const path = join(dataDir, 'labels', 'withdrawn.jsonl');
  return {
    async append(withdrawal: Withdrawal): Promise<void> {
      // Starts with a newline because the previous line may be truncated.
      await appendFile(path, `\n${JSON.stringify(withdrawal)}\n`, { mode: 0o600, flush: true });
      giveToFolderOwner(path);
    },
    async read(): Promise<Withdrawal[]> {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return '';
        throw error;
      });
      const withdrawals = text.split('\n').flatMap(parseWithdrawal);
      return [...new Map(withdrawals.map((withdrawal) => [withdrawal.vin, withdrawal])).values()];
    },
  };
}

export function parseWithdrawal(line: string): Withdrawal[] {
  try {
    const { vin, reason, at } = JSON.parse(line) as Withdrawal;
    const isValid =
      /^[A-HJ-NPR-Z0-9]{17}$/.test(vin) && typeof reason === 'string' && Number.isSafeInteger(at);
    return isValid ? [{ vin, reason, at }] : [];
  } catch {
    return [];
  }
}
