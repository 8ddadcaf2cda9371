import { hash } from 'node:crypto';
import type { Log } from '../../lib/log.ts';
import { LabelMissing, StoreUnavailable, type Withdrawal } from '../legacy-store.ts';
import { parseWithdrawal } from '../embedded/withdrawals.ts';
import type { Bucket } from './bucket.ts';
import { type DiskCache, labelKey } from './label-bytes.ts';
import type { RowCopies, LabelRows } from './label-rows.ts';
import type { Postgres } from './postgres.ts';

/** Redis notifies other instances at once; polling covers lost messages. */
const POLL_MS = 4000;
/** Rows may be committed in a different order than their ids. */
const OVERLAP_ROWS = 50;

interface WithdrawalDependencies {
  db: Postgres;
  bucket: Bucket;
  labels: LabelRows;
  copies: RowCopies;
  diskCache: DiskCache;
  forget(vin: string): Promise<void>;
  forgetBytes(sha256: string): Promise<void>;
  /** Tells all instances to drop what they cached for the VIN. */
  publishReplaced(vin: string): Promise<unknown>;
  log: Log;
}

/**
 * Withdrawn labels: a row in PostgreSQL, and a copy in the bucket that survives restoring an older database backup.
 */
export function openWithdrawals(dependencies: WithdrawalDependencies) {
  const { db, bucket, labels, copies, diskCache, log } = dependencies;
  const keyOf = (vin: string) => `withdrawn/${vin}.json`;
  const one = db.one<[string, number]>('SELECT reason, at FROM withdrawn WHERE vin = $1');
  const all = db.all<[string, string, number]>('SELECT vin, reason, at FROM withdrawn ORDER BY vin');
  const since = db.all<[number, string, string | null]>(
    'SELECT id, vin, sha256 FROM withdrawn WHERE id > $1 ORDER BY id',
  );
  const add = db.run(`INSERT INTO withdrawn (vin, reason, at) VALUES ($1, $2, $3)
    ON CONFLICT (vin) DO UPDATE SET reason = excluded.reason`);
  const setDigest = db.run('UPDATE withdrawn SET sha256 = $2 WHERE vin = $1');

  const withdrawals = async (): Promise<Withdrawal[]> =>
    (await all()).map(([vin, reason, at]) => ({ vin, reason, at }));

  /**
   * One at a time: each uses a connection while it waits for a second one, so many at once could exhaust the pool and
   * deadlock.
   */
  let erasing: Promise<unknown> = Promise.resolve();
  const erase = (sha256: string): Promise<void> => {
    const done = erasing.then(() => eraseNow(sha256));
    erasing = done.catch(() => {});
    return done;
  };

  /** Removes a label's bytes and everything derived from them, unless another VIN has the same. */
  async function eraseNow(sha256: string): Promise<void> {
    await db.withLock(sha256, async () => {
      if ((await labels.digestsHeld([sha256])).size > 0) return;
      await bucket.remove(labelKey(sha256));
    });
    if ((await labels.digestsHeld([sha256])).size > 0) return;
    for await (const page of bucket.list(`previews/${sha256}-`))
      for (const { key } of page) await bucket.remove(key);
    await dependencies.forgetBytes(sha256);
    diskCache.drop(sha256);
  }

  /** Removes the label of a VIN, and bytes without a row: `uploaded` by a concurrent `keep`, or from a restored backup. */
  async function clear(vin: string, uploaded?: string): Promise<void> {
    // The row first: without it the label isn't served any more, even if the bucket fails after this.
    const held = await labels.remove(vin);
    const copy = await copies.copyOf(vin);
    for (const sha256 of new Set([held, copy?.sha256, uploaded])) {
      if (!sha256) continue;
      await setDigest(vin, sha256);
      await erase(sha256);
    }
    await copies.remove(vin);
    await dependencies.forget(vin);
    await dependencies.publishReplaced(vin);
  }

  /** Writes the row before removing the label: a concurrent `keep` looks for it after writing the label's row. */
  async function withdraw(withdrawal: Withdrawal): Promise<void> {
    const { vin, reason, at } = withdrawal;
    const bytes = Buffer.from(JSON.stringify(withdrawal));
    await bucket.put(keyOf(vin), bytes, hash('sha256', bytes, 'hex'), 'application/json');
    await add(vin, reason, at);
    await clear(vin);
  }

  /** Withdraws the label again if the bucket says that it was withdrawn. */
  async function recover(vin: string): Promise<Withdrawal | null> {
    const text = await bucket.get(keyOf(vin)).catch((error: unknown) => {
      if (error instanceof LabelMissing) return Buffer.alloc(0);
      throw error;
    });
    const [withdrawal = null] = parseWithdrawal(text.toString());
    if (withdrawal) await withdraw(withdrawal);
    return withdrawal;
  }

  /** Adds withdrawals that only PostgreSQL or only the bucket has; returns how many. */
  async function reconcile(): Promise<number> {
    const rows = new Map((await withdrawals()).map((withdrawal) => [withdrawal.vin, withdrawal]));
    const vinsInBucket = new Set<string>();
    let added = 0;
    for await (const page of bucket.list('withdrawn/')) {
      for (const { key } of page) {
        const vin = key.replace(/^withdrawn\/|\.json$/g, '');
        vinsInBucket.add(vin);
        if (rows.has(vin)) continue;
        if (await recover(vin)) added++;
      }
    }
    for (const withdrawal of rows.values()) {
      if (vinsInBucket.has(withdrawal.vin)) continue;
      await withdraw(withdrawal);
      added++;
    }
    return added;
  }

  /** Calls `onWithdrawn` for each VIN that any instance withdraws. */
  function watch(onWithdrawn: (vin: string) => void): { stop(): void } {
    let last = 0;
    let reconciled = false;
    return poll(log, async () => {
      for (const [id, vin, sha256] of await since(Math.max(0, last - OVERLAP_ROWS))) {
        last = Math.max(id, last);
        if (sha256) diskCache.drop(sha256);
        copies.forget(vin);
        onWithdrawn(vin);
      }
      if (!reconciled) await reconcile();
      reconciled = true;
    });
  }

  return {
    withdrawal: async (vin: string): Promise<Withdrawal | null> => {
      const row = await one(vin);
      return row && { vin, reason: row[0], at: row[1] };
    },
    withdrawals,
    withdraw,
    clear,
    recover,
    reconcile,
    watch,
  };
}

/** Calls `read` regularly, but not while it runs. */
function poll(log: Log, read: () => Promise<void>): { stop(): void } {
  let reading = false;
  const timer = setInterval(() => {
    if (reading) return;
    reading = true;
    read()
      .catch((error: unknown) => {
        // An unavailable server is reported elsewhere; try again next time.
        if (!(error instanceof StoreUnavailable))
          log.error('store: cannot read withdrawals', { error: String(error) });
      })
      .finally(() => (reading = false));
  }, POLL_MS).unref();
  return { stop: () => clearInterval(timer) };
}
