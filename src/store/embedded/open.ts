import { hash } from 'node:crypto';
import { chmodSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/folder.ts';
import {
  type BytesCheck,
  type HeldLabel,
  LabelMissing,
  LabelCorrupted,
  LabelWithdrawn,
  type Rebuilt,
  type Store,
  type Withdrawal,
} from '../store.ts';
import type { Log } from '../../lib/log.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';
import { cacheRows } from './cache-rows.ts';
import { contactRows } from './contact-rows.ts';
import { openDatabase, type Database } from './database.ts';
import { type Files, openFiles } from './files.ts';
import { type LabelRows, labelRows } from './label-rows.ts';
import { lockFolder } from './lock.ts';
import { type Journal, openJournal } from './journal.ts';
import { startScrub } from './scrub.ts';
import { stateRows } from './state-rows.ts';
import { cacheMigrations, labelMigrations } from './migrations.ts';
import { withdrawalFile, withdrawalRows } from './withdrawals.ts';

/** Rows checked when the store opens; `admin verify` checks all. */
const RECENT_ROWS = 256;
/** A crash damages fewer labels than this; more means that DATA_DIR is the wrong folder. */
const MAX_CRASH_DAMAGE = 16;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** A readiness check is not repeated within this time. */
const READY_MS = 1000;

export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** False for a command beside a running service: it takes no lock and cleans up nothing. */
  exclusive?: boolean;
  /** Interval between two files of the background check. */
  scrubMs?: number;
}

/** SQLite for rows and plain files for bytes, in one folder. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Store> {
  const { dataDir, log, exclusive = true, scrubMs } = options;
  makeFolders(dataDir);
  const lock = exclusive ? await lockFolder(dataDir, log) : null;
  const databases: Database[] = [];
  const closers: (() => void)[] = [];
  const close = () => {
    for (const closer of closers) closer();
    for (const db of databases) db.close();
    lock?.release();
  };
  try {
    const main = openDatabase(join(dataDir, 'labels.sqlite'), {
      synchronous: 'FULL',
      migrations: labelMigrations,
    });
    databases.push(main);
    const cache = openCache(join(dataDir, 'cache.sqlite'), log);
    databases.push(cache);
    const labels = labelRows(main);
    const files = openFiles(dataDir, exclusive ? 'service' : 'admin');
    const journal = openJournal(dataDir);
    closers.push(() => journal.close());
    await journal.createFrom(() => allRows(labels));
    if (exclusive) await repair(labels, files, journal, log);
    const withdrawn = { ...withdrawalRows(main), file: withdrawalFile(dataDir) };
    const { store, notifyReplaced } = assemble(log, labels, files, journal, withdrawn, main, cache, close);
    await reconcileWithdrawals(store, withdrawn);
    if (exclusive) {
      const watch = withdrawn.watch(notifyReplaced);
      closers.push(() => watch.stop());
      const { value, setValue } = stateRows(main);
      const { checkBytes } = store;
      const markDamaged = (vin: string, sha256: string) => void store.markDamaged(vin, sha256);
      const scrub = startScrub({
        labels: labels.labels,
        checkBytes,
        markDamaged,
        value,
        setValue,
        log,
        everyMs: scrubMs,
      });
      closers.push(() => scrub.stop());
    }
    return store;
  } catch (error) {
    close();
    throw error;
  }
}

function assemble(
  log: Log,
  labels: LabelRows,
  files: Files,
  journal: Journal,
  withdrawn: Withdrawn,
  main: Database,
  cache: Database,
  close: () => void,
): { store: Store; notifyReplaced(vin: string): void } {
  const { forget, forgetBytes, probe, ...cached } = cacheRows(cache);
  const listeners: ((vin: string | null) => void)[] = [];
  let readyAt = -READY_MS;
  let closed = false;
  const notifyReplaced = (vin: string) => {
    for (const listener of listeners) listener(vin);
  };

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

  /** Removes a label's bytes and everything derived from them, unless another VIN has the same. */
  async function erase(sha256: string): Promise<void> {
    if (labels.hasBytes(sha256)) return;
    await files.dropLabel(sha256);
    await files.dropPreviews(sha256);
    forgetBytes(sha256);
  }

  async function withdraw(withdrawal: Withdrawal): Promise<void> {
    const { vin } = withdrawal;
    await withdrawn.file.append(withdrawal);
    withdrawn.add(withdrawal);
    const digests = new Set((await journal.read()).filter((row) => row.vin === vin).map((row) => row.sha256));
    const held = labels.label(vin);
    if (held) {
      labels.remove(vin, held.sha256);
      digests.add(held.sha256);
    }
    for (const sha256 of digests) await erase(sha256);
    await journal.blank(vin);
    forget(vin);
    notifyReplaced(vin);
  }

  const store: Store = {
    kind: 'embedded',
    coordination: null,
    label,
    prepare: files.prepare,
    async keep(fresh, pdf) {
      const sha256 = hash('sha256', pdf, 'hex');
      if (withdrawn.withdrawal(fresh.vin)) throw new LabelWithdrawn(fresh.vin);
      const held = await label(fresh.vin);
      if (held && !held.damaged && files.labelSize(held.sha256) === held.bytes) return held;
      const row: HeldLabel = { ...fresh, bytes: pdf.byteLength, sha256 };
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
      if (!current) throw new LabelWithdrawn(fresh.vin);
      forget(fresh.vin);
      if (held && held.sha256 !== current.sha256) notifyReplaced(fresh.vin);
      return current;
    },
    checkBytes,
    markDamaged(vin, sha256) {
      labels.markDamaged(vin, sha256);
      forget(vin);
      notifyReplaced(vin);
    },
    withdrawal: withdrawn.withdrawal,
    withdrawals: withdrawn.withdrawals,
    withdraw,
    onReplaced: (listener) => void listeners.push(listener),
    updatePaint: labels.updatePaint,
    pdf: files.label,
    pdfInto: files.labelInto,
    pdfStream: files.labelRange,
    preview: files.preview,
    keepPreview: files.keepPreview,
    labels: labels.labels,
    rebuild: (progress) => rebuild(labels, files, journal, erase, progress),
    counts: labels.counts,
    ...cached,
    ...stateRows(main),
    contacts: contactRows(main),
    async ready() {
      if (performance.now() - readyAt < READY_MS) return;
      await files.probe();
      probe();
      readyAt = performance.now();
    },
    async close() {
      if (closed) return;
      closed = true;
      close();
    },
  };
  return { store, notifyReplaced };
}

function makeFolders(dataDir: string): void {
  for (const path of [dataDir, join(dataDir, 'labels'), join(dataDir, 'previews'), join(dataDir, 'tmp')]) {
    makeFolder(path, 0o700);
  }
  try {
    chmodSync(dataDir, 0o700);
  } catch {
    // A mounted folder of another owner, who sets its permissions.
  }
}

/** Replaces a damaged cache: it contains nothing that can't be fetched or computed again. */
function openCache(path: string, log: Log): Database {
  const options = { synchronous: 'NORMAL', migrations: cacheMigrations } as const;
  try {
    return openDatabase(path, options);
  } catch (error) {
    const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (code !== SQLITE_CORRUPT && code !== SQLITE_NOTADB) throw error;
    log.warn('store: cache.sqlite is damaged; creating a new one', { error: String(error) });
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.damaged${suffix}`);
    }
    return openDatabase(path, options);
  }
}

function* allRows(labels: LabelRows): Generator<HeldLabel> {
  for (let after: string | null = null; ;) {
    const page: HeldLabel[] = labels.labels(after, 1000);
    yield* page;
    after = page.at(-1)?.vin ?? null;
    if (after === null) return;
  }
}

/** Adds the rows that are in the journal but not in the database. */
async function rebuild(
  labels: LabelRows,
  files: Files,
  journal: Journal,
  erase: (sha256: string) => Promise<void>,
  progress: (done: number) => void,
): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { added: 0, present: 0, missing: 0, withdrawn: 0, unknown: 0 };
  const journaled = new Set<string>();
  const missing = new Set<string>();
  const done = new Set<string>();
  for (const row of await journal.read()) {
    journaled.add(row.sha256);
    if (done.has(row.vin)) continue;
    if (labels.label(row.vin)) rebuilt.present++;
    else {
      const pdf = await files.label(row.sha256).catch((error: unknown) => {
        if (error instanceof LabelMissing || error instanceof LabelCorrupted) return null;
        throw error;
      });
      if (pdf?.length !== row.bytes) {
        // An older copy for this VIN may be intact.
        missing.add(row.vin);
        continue;
      }
      if (labels.add(row, null)) rebuilt.added++;
      else {
        await erase(row.sha256);
        rebuilt.withdrawn++;
      }
    }
    done.add(row.vin);
    progress(done.size);
  }
  rebuilt.missing = [...missing].filter((vin) => !done.has(vin)).length;
  for (const digest of await files.digests())
    if (!journaled.has(digest) && !labels.hasBytes(digest)) rebuilt.unknown++;
  return rebuilt;
}

type Withdrawn = ReturnType<typeof withdrawalRows> & { file: ReturnType<typeof withdrawalFile> };

/** Adds withdrawals that only the database or only the file has: either may come from an older backup. */
async function reconcileWithdrawals(store: Store, { file, withdrawals }: Withdrawn): Promise<void> {
  const inFile = await file.read();
  const inRows = withdrawals();
  const rows = new Set(inRows.map(({ vin }) => vin));
  for (const each of inFile) if (!rows.has(each.vin)) await store.withdraw(each);
  const lines = new Set(inFile.map(({ vin }) => vin));
  for (const each of inRows) if (!lines.has(each.vin)) await store.withdraw(each);
}

async function repair(labels: LabelRows, files: Files, journal: Journal, log: Log): Promise<void> {
  const removed = await files.cleanUp(labels.hasBytes, async (row) => {
    const added = labels.add(row, null);
    if (added?.sha256 === row.sha256) await journal.append(row);
    if (!added) await files.dropLabel(row.sha256);
  });
  if (labels.newest(1).length === 0 && (await journal.read()).length > 0)
    log.error('store: the database has no labels, but there are label files; run admin rebuild');
  if (removed > 0) log.info('store: removed temporary files of an interrupted run', { files: removed });
  const damaged = labels.newest(RECENT_ROWS).filter((label) => files.labelSize(label.sha256) !== label.bytes);
  if (damaged.length > MAX_CRASH_DAMAGE) {
    log.error(
      'store: many files of recent labels are missing; changed nothing, check DATA_DIR and run admin verify',
      {
        missing: damaged.length,
        of: RECENT_ROWS,
      },
    );
    return;
  }
  for (const { vin, sha256 } of damaged) {
    labels.markDamaged(vin, sha256);
    log.warn('store: the file of a label is missing or truncated; it will be fetched again', { sha256 });
  }
}
