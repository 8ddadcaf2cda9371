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

/** Rows looked at when the store opens; all of them are `admin verify`'s work. */
const RECENT = 256;
/** No crash of ours harms more rows than this; more means the folder is not the one we wrote. */
const CRASH_HARM = 16;
/** A readiness check is not repeated within this time. */
const READY_MS = 1000;

export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** False for a command beside a running service: no lock is taken and nothing is tidied. */
  exclusive?: boolean;
  /** How often the slow check of all files reads one. */
  scrubMs?: number;
}

/** SQLite for rows, plain files for bytes, one folder for both. */
export async function openEmbedded(options: EmbeddedOptions): Promise<Store> {
  const { dataDir, log, exclusive = true, scrubMs } = options;
  makeFolders(dataDir);
  const lock = exclusive ? await lockFolder(dataDir, log) : null;
  const open: Database[] = [];
  const closing: (() => void)[] = [];
  const close = () => {
    for (const each of closing) each();
    for (const db of open) db.close();
    lock?.release();
  };
  try {
    const kept = openDatabase(join(dataDir, 'labels.sqlite'), {
      synchronous: 'FULL',
      migrations: labelMigrations,
    });
    open.push(kept);
    const cache = openCache(join(dataDir, 'cache.sqlite'), log);
    open.push(cache);
    const labels = labelRows(kept);
    const files = openFiles(dataDir, exclusive ? 'service' : 'admin');
    const journal = openJournal(dataDir);
    closing.push(() => journal.close());
    await journal.start(() => allRows(labels));
    if (exclusive) await repair(labels, files, journal, log);
    const withdrawn = { ...withdrawalRows(kept), file: withdrawalFile(dataDir) };
    const { store, told } = assemble(log, labels, files, journal, withdrawn, kept, cache, close);
    await withdrawAgain(store, withdrawn);
    if (exclusive) {
      const watch = withdrawn.watch(told);
      closing.push(() => watch.stop());
      const { note, keepNote } = stateRows(kept);
      const { checkBytes } = store;
      const markDamaged = (vin: string, sha256: string) => void store.markDamaged(vin, sha256);
      const scrub = startScrub({
        labels: labels.labels,
        checkBytes,
        markDamaged,
        note,
        keepNote,
        log,
        everyMs: scrubMs,
      });
      closing.push(() => scrub.stop());
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
  kept: Database,
  cache: Database,
  close: () => void,
): { store: Store; told(vin: string): void } {
  const { forget, forgetBytes, probe, ...cached } = cacheRows(cache);
  const listeners: ((vin: string | null) => void)[] = [];
  let readyAt = -READY_MS;
  let closed = false;
  const told = (vin: string) => {
    for (const heard of listeners) heard(vin);
  };

  async function checkBytes({ sha256 }: HeldLabel): Promise<BytesCheck> {
    // What comes wrong is read twice: memory fails too.
    for (let look = 1; ; look++) {
      try {
        await files.label(sha256);
        return 'intact';
      } catch (error) {
        if (error instanceof LabelMissing) return 'missing';
        if (!(error instanceof LabelCorrupted)) throw error;
        if (look === 2) return 'corrupted';
      }
    }
  }

  /** Reads a damaged label's bytes once more: somebody may have put the file back. */
  async function recheck(label: HeldLabel): Promise<HeldLabel> {
    if ((await checkBytes(label)) !== 'intact') return label;
    labels.clearDamaged(label.vin, label.sha256);
    const { damaged: _, ...whole } = label;
    return whole;
  }

  function label(vin: string): MaybePromise<HeldLabel | null> {
    const held = labels.label(vin);
    return held?.damaged ? recheck(held) : held;
  }

  /** Removes bytes and all that was made of them, unless another VIN has the same. */
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
    const known = new Set((await journal.read()).filter((row) => row.vin === vin).map((row) => row.sha256));
    const held = labels.label(vin);
    if (held) {
      labels.remove(vin, held.sha256);
      known.add(held.sha256);
    }
    for (const sha256 of known) await erase(sha256);
    await journal.blank(vin);
    forget(vin);
    told(vin);
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
      let written: Promise<void> | undefined;
      const now = await files.keepLabel(row, pdf, () => {
        const added = labels.add(row, held);
        if (added?.sha256 === sha256) (written = journal.append(added)).catch(() => {});
        return added;
      });
      // The label is safe; without its line it is only not found when the database is lost.
      await written?.catch((error: unknown) =>
        log.warn('store: no line in rows.jsonl', { error: String(error) }),
      );
      if (!labels.hasBytes(sha256)) await files.dropLabel(sha256);
      // Withdrawn while it was being written.
      if (!now) throw new LabelWithdrawn(fresh.vin);
      forget(fresh.vin);
      if (held && held.sha256 !== now.sha256) told(fresh.vin);
      return now;
    },
    checkBytes,
    markDamaged(vin, sha256) {
      labels.markDamaged(vin, sha256);
      forget(vin);
      told(vin);
    },
    withdrawal: withdrawn.withdrawal,
    withdrawals: withdrawn.withdrawals,
    withdraw,
    onReplaced: (heard) => void listeners.push(heard),
    repaint: labels.repaint,
    pdf: files.label,
    pdfInto: files.labelInto,
    pdfStream: files.labelPart,
    preview: files.preview,
    keepPreview: files.keepPreview,
    labels: labels.labels,
    rebuild: (progress) => rebuild(labels, files, journal, erase, progress),
    counts: labels.counts,
    ...cached,
    ...stateRows(kept),
    contacts: contactRows(kept),
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
  return { store, told };
}

function makeFolders(dataDir: string): void {
  for (const path of [dataDir, join(dataDir, 'labels'), join(dataDir, 'previews'), join(dataDir, 'tmp')]) {
    makeFolder(path, 0o700);
  }
  try {
    chmodSync(dataDir, 0o700);
  } catch {
    // A mounted folder of another owner: its owner decides who may look in.
  }
}

/** A broken cache is no reason not to start: it is put aside and made anew. */
function openCache(path: string, log: Log): Database {
  const options = { synchronous: 'NORMAL', migrations: cacheMigrations } as const;
  try {
    return openDatabase(path, options);
  } catch (error) {
    const primary = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
    if (primary !== 11 && primary !== 26) throw error;
    log.warn('store: cache.sqlite was damaged and is made anew', { error: String(error) });
    for (const end of ['', '-wal', '-shm']) {
      if (existsSync(path + end)) renameSync(path + end, `${path}.damaged${end}`);
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

/** Adds the rows of labels that the journal knows and the database does not. */
async function rebuild(
  labels: LabelRows,
  files: Files,
  journal: Journal,
  erase: (sha256: string) => Promise<void>,
  progress: (done: number) => void,
): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { added: 0, present: 0, missing: 0, withdrawn: 0, unknown: 0 };
  const known = new Set<string>();
  const missing = new Set<string>();
  const seen = new Set<string>();
  for (const row of await journal.read()) {
    known.add(row.sha256);
    if (seen.has(row.vin)) continue;
    if (labels.label(row.vin)) rebuilt.present++;
    else {
      const whole = await files.label(row.sha256).catch((error: unknown) => {
        if (error instanceof LabelMissing || error instanceof LabelCorrupted) return null;
        throw error;
      });
      if (whole?.length !== row.bytes) {
        // An older copy of this VIN may be whole.
        missing.add(row.vin);
        continue;
      }
      if (labels.add(row, null)) rebuilt.added++;
      else {
        await erase(row.sha256);
        rebuilt.withdrawn++;
      }
    }
    seen.add(row.vin);
    progress(seen.size);
  }
  rebuilt.missing = [...missing].filter((vin) => !seen.has(vin)).length;
  for (const digest of await files.digests())
    if (!known.has(digest) && !labels.hasBytes(digest)) rebuilt.unknown++;
  return rebuilt;
}

type Withdrawn = ReturnType<typeof withdrawalRows> & { file: ReturnType<typeof withdrawalFile> };

/** Makes the database and the file agree: either may come from an older backup. */
async function withdrawAgain(store: Store, { file, withdrawals }: Withdrawn): Promise<void> {
  const inFile = await file.read();
  const inRows = withdrawals();
  const rows = new Set(inRows.map(({ vin }) => vin));
  for (const each of inFile) if (!rows.has(each.vin)) await store.withdraw(each);
  const lines = new Set(inFile.map(({ vin }) => vin));
  for (const each of inRows) if (!lines.has(each.vin)) await store.withdraw(each);
}

async function repair(labels: LabelRows, files: Files, journal: Journal, log: Log): Promise<void> {
  const removed = await files.tidy(labels.hasBytes, async (row) => {
    const added = labels.add(row, null);
    if (added?.sha256 === row.sha256) await journal.append(row);
    if (!added) await files.dropLabel(row.sha256);
  });
  if (labels.newest(1).length === 0 && (await journal.read()).length > 0)
    log.error('store: the database has no labels, but there are files; run admin rebuild');
  if (removed > 0) log.info('store: leftovers of an interrupted run removed', { files: removed });
  const harmed = labels.newest(RECENT).filter((label) => files.labelSize(label.sha256) !== label.bytes);
  if (harmed.length > CRASH_HARM) {
    log.error(
      'store: files of recent labels are missing; nothing was removed, check DATA_DIR and run admin verify',
      {
        missing: harmed.length,
        of: RECENT,
      },
    );
    return;
  }
  for (const { vin, sha256 } of harmed) {
    labels.markDamaged(vin, sha256);
    log.warn('store: the file of a label is missing or too short; its source will be asked again', {
      sha256,
    });
  }
}
