import { isDeepStrictEqual } from 'node:util';
import { LabelMissing, LabelCorrupted, type Reconcile } from '../legacy-store.ts';
import type { Bucket } from './bucket.ts';
import { addUnlessWithdrawn } from './keep-label.ts';
import { withoutDamaged, type RowCopies, type LabelRows } from './label-rows.ts';
import type { Postgres } from './postgres.ts';
import type { openWithdrawals } from './withdrawals.ts';

/** Far longer than keeping a label takes. Younger objects may not have their row yet. */
const MIN_ORPHAN_AGE_MS = 24 * 3_600_000;
const PAGE_SIZE = 500;
const CONCURRENCY = 8;
/** If more than this many and more than a tenth have no row, the database is probably the wrong one. */
const MAX_PLAUSIBLE_ORPHANS = 16;
/** Per run; the next run finds the rest. */
const MAX_ORPHANS = 100_000;

interface ReconcileDependencies {
  bucket: Bucket;
  db: Postgres;
  labels: LabelRows;
  copies: RowCopies;
  withdrawn: Pick<ReturnType<typeof openWithdrawals>, 'reconcile' | 'withdrawal' | 'clear'>;
  /** Rejects with `LabelMissing` or `LabelCorrupted`. */
  readBack(sha256: string): Promise<Buffer>;
}

/** Finds objects left in the bucket by interrupted or duplicate writes, and labels that the database has lost. */
export function openReconcile(dependencies: ReconcileDependencies): Reconcile {
  const { bucket, db, labels, copies, withdrawn, readBack } = dependencies;
  /**
   * Takes the lock that is needed to write a row, then checks the row and the age again: the same bytes may have been
   * written again since they were listed.
   */
  const removeLabel = (key: string, sha256: string, olderThanMs: number): Promise<boolean> =>
    db.withLock(sha256, async () => {
      if ((await labels.digestsHeld([sha256])).size > 0) return false;
      const age = await bucket.age(key);
      // Not `age < olderThanMs`, which is false if the response had no date.
      if (age === null || !(age >= olderThanMs)) return false;
      // Bytes that match their name may be a label whose row was lost with the database.
      if ((await objectState(sha256)) !== 'corrupted') return false;
      await bucket.remove(key);
      return true;
    });

  /** Objects named after a digest that no row has. */
  async function orphansOf(prefix: string, olderThanMs: number) {
    const orphans: { key: string; sha256: string }[] = [];
    let listed = 0;
    for await (const page of bucket.list(prefix)) {
      listed += page.length;
      const old = page
        .filter(({ age }) => age >= olderThanMs)
        .map(({ key }) => ({ key, sha256: key.slice(prefix.length, prefix.length + 64) }));
      const held = await labels.digestsHeld(old.map(({ sha256 }) => sha256));
      orphans.push(...old.filter(({ sha256 }) => !held.has(sha256)).slice(0, MAX_ORPHANS - orphans.length));
    }
    return { orphans, listed };
  }

  const objectState = (sha256: string): Promise<'intact' | 'corrupted' | 'missing'> =>
    readBack(sha256).then(
      () => 'intact',
      (error: unknown) => {
        if (error instanceof LabelCorrupted) return 'corrupted';
        if (error instanceof LabelMissing) return 'missing';
        throw error;
      },
    );

  /** Copies are written after their row, so a copy without a row means that an older database backup was restored. */
  async function restore(repair: boolean, olderThanMs: number) {
    let lost = 0;
    let withdrawnAgain = await withdrawn.reconcile();
    for await (const page of bucket.list('rows/')) {
      const old = page
        .filter(({ age }) => age >= olderThanMs)
        .map(({ key }) => key.replace(/^rows\/|\.json$/g, ''));
      const held = await labels.vinsHeld(old);
      for (const vin of old) {
        if (held.has(vin)) continue;
        const label = await copies.copyOf(vin);
        if (await withdrawn.withdrawal(vin)) {
          await withdrawn.clear(vin);
          withdrawnAgain++;
          continue;
        }
        if (!label || (await objectState(label.sha256)) !== 'intact') continue;
        lost++;
        if (repair) await addUnlessWithdrawn(dependencies, label, null);
      }
    }
    return { lost, withdrawnAgain };
  }

  return async ({ repair, olderThanMs = MIN_ORPHAN_AGE_MS }) => {
    const { lost: restored, withdrawnAgain } = await restore(repair, olderThanMs);
    const files = await orphansOf('labels/', olderThanMs);
    const previews = await orphansOf('previews/', olderThanMs);
    const isPlausible =
      files.orphans.length <= MAX_PLAUSIBLE_ORPHANS || files.orphans.length * 10 <= files.listed;
    let removed = 0;
    if (repair && isPlausible) {
      for (const { key, sha256 } of files.orphans) if (await removeLabel(key, sha256, olderThanMs)) removed++;
      // A missing preview is rendered again.
      for (const { key } of previews.orphans) await bucket.remove(key);
      removed += previews.orphans.length;
    }
    const orphans = files.orphans.length + previews.orphans.length;
    return {
      restored,
      withdrawnAgain,
      orphans,
      removed,
      isPlausible,
      wrongCopies: await countWrongCopies(dependencies, repair),
    };
  };
}

/** Copies in the bucket that are missing or differ from their row. */
async function countWrongCopies(
  { labels, copies }: Pick<ReconcileDependencies, 'labels' | 'copies'>,
  repair: boolean,
): Promise<number> {
  let wrong = 0;
  for (let after: string | null = null; ;) {
    const page = await labels.labels(after, PAGE_SIZE);
    const queue = page.values();
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (const label of queue) {
          if (isDeepStrictEqual(await copies.copyOf(label.vin), withoutDamaged(label))) continue;
          wrong++;
          if (repair) await copies.write(label);
        }
      }),
    );
    if (page.length < PAGE_SIZE) return wrong;
    after = page.at(-1)!.vin;
  }
}
