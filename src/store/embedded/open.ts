import { chmodSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { giveToFolderOwner, makeFolder } from '../../lib/folder.ts';
import type { Store, Withdrawal } from '../legacy-store.ts';
import type { Log } from '../../lib/log.ts';
import { cacheRows } from './cache-rows.ts';
import { contactRows, stateRows } from './state-rows.ts';
import { openDatabase, type Database } from './database.ts';
import { type Files, openFiles } from './files.ts';
import { labelKeeper } from './keep-label.ts';
import { type LabelRows, labelRows } from './label-rows.ts';
import { lockFolder } from './lock.ts';
import { type Journal, openJournal } from './journal.ts';
import { allRows, rebuild, reconcileWithdrawals, repair, restoreLostRows, startScrub } from './integrity.ts';
import { cacheMigrations, labelMigrations } from './migrations.ts';
import { isDamage } from '../errors.ts';
import { createReadiness } from '../readiness.ts';
import { openWithdrawals, type Withdrawn } from './withdrawals.ts';

const LABELS_DAMAGED =
  'Stop the service and restore the file from a backup. Without a backup, move it away, and labels.sqlite-wal and ' +
  'labels.sqlite-shm too: the next start restores the rows of all labels, but switches and contacts are lost.';
const CACHE_DAMAGED =
  'Stop the service and delete it, and cache.sqlite-wal and cache.sqlite-shm too: it will be created again.';

interface EmbeddedOptions {
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
      ifDamaged: LABELS_DAMAGED,
      log,
    });
    databases.push(main);
    const cache = openCache(join(dataDir, 'cache.sqlite'), log);
    databases.push(cache);
    const labels = labelRows(main);
    const files = openFiles(dataDir, exclusive ? 'service' : 'admin');
    if (exclusive) await assertOneFileSystem(dataDir, files);
    const journal = openJournal(dataDir);
    await journal.createFrom(() => allRows(labels));
    if (exclusive) await repair({ labels, files, journal }, log);
    const withdrawn = openWithdrawals(main, dataDir);
    const { store, forgetWithdrawn, erase } = createStore({
      labels,
      files,
      journal,
      withdrawn,
      main,
      cache,
      log,
      close,
    });
    await reconcileWithdrawals(store, withdrawn);
    if (exclusive) {
      await restoreLostRows({ labels, files, journal, withdrawn }, erase, log);
      const watch = withdrawn.watch(forgetWithdrawn);
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

interface StoreDependencies {
  labels: LabelRows;
  files: Files;
  journal: Journal;
  withdrawn: Withdrawn;
  main: Database;
  cache: Database;
  log: Log;
  close(): void;
}

function createStore(dependencies: StoreDependencies): {
  store: Store;
  forgetWithdrawn(vin: string): void;
  erase(sha256: string): Promise<void>;
} {
  const { labels, files, journal, withdrawn, main, cache } = dependencies;
  const { forget, forgetBytes, probe, ...cached } = cacheRows(cache);
  const listeners: ((vin: string | null) => void)[] = [];
  let closed = false;
  const checkWritable = createReadiness(async () => {
    await files.probe();
    probe();
  });
  const notifyReplaced = (vin: string) => {
    for (const listener of listeners) listener(vin);
  };
  const { label, keep, checkBytes } = labelKeeper({
    ...dependencies,
    assertWritable: () => main.assertUsable(),
    forget,
    notifyReplaced,
  });

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
    // Together, so that a failure or a crash can't leave a withdrawn label that is still served.
    const held = main.withTransaction(() => {
      withdrawn.add(withdrawal);
      const label = labels.label(vin);
      if (label) labels.remove(vin, label.sha256);
      return label;
    });
    const digests = new Set((await journal.read()).filter((row) => row.vin === vin).map((row) => row.sha256));
    if (held) digests.add(held.sha256);
    for (const sha256 of digests) await erase(sha256);
    await journal.blank(vin);
    forget(vin);
    notifyReplaced(vin);
  }

  /** After a command withdrew the label: a request that had read it before may have cached its response afterwards. */
  function forgetWithdrawn(vin: string): void {
    notifyReplaced(vin);
    forget(vin);
  }

  const store: Store = {
    kind: 'embedded',
    coordination: null,
    label,
    recover: () => null,
    prepare: files.prepare,
    keep,
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
    updateRead: labels.updateRead,
    pdf: files.label,
    pdfInto: files.labelInto,
    pdfStream: files.labelRange,
    preview: files.preview,
    keepPreview: files.keepPreview,
    labels: labels.labels,
    rebuild: (progress) => rebuild(dependencies, erase, progress),
    counts: labels.counts,
    ...cached,
    ...stateRows(main),
    contacts: contactRows(main),
    async ready() {
      main.assertUsable();
      cache.assertUsable();
      await checkWritable();
    },
    async close() {
      if (closed) return;
      closed = true;
      dependencies.close();
    },
  };
  return { store, forgetWithdrawn, erase };
}

/** Other failures, such as a full disk, may be temporary: the service starts and isn't ready. */
async function assertOneFileSystem(dataDir: string, files: Files): Promise<void> {
  try {
    await files.probe();
  } catch (error) {
    if (((error as Error).cause as NodeJS.ErrnoException | undefined)?.code !== 'EXDEV') return;
    throw new Error(
      `${join(dataDir, 'labels')} is on another file system than ${join(dataDir, 'tmp')}, but label files are moved from ` +
        'one to the other. Mount a disk on all of DATA_DIR, not on a folder in it.',
      { cause: error },
    );
  }
}

function makeFolders(dataDir: string): void {
  for (const path of [dataDir, join(dataDir, 'labels'), join(dataDir, 'previews'), join(dataDir, 'tmp')]) {
    makeFolder(path, 0o700);
    if (path !== dataDir) giveToFolderOwner(path);
  }
  try {
    chmodSync(dataDir, 0o700);
  } catch {
    // A mounted folder of another owner, who sets its permissions.
  }
}

/** Replaces a damaged cache: it contains nothing that can't be fetched or computed again. */
function openCache(path: string, log: Log): Database {
  const options = {
    synchronous: 'NORMAL',
    migrations: cacheMigrations,
    ifDamaged: CACHE_DAMAGED,
    log,
  } as const;
  try {
    return openDatabase(path, options);
  } catch (error) {
    if (!isDamage(error)) throw error;
    log.warn('store: cache.sqlite is damaged; creating a new one');
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.damaged${suffix}`);
    }
    return openDatabase(path, options);
  }
}
