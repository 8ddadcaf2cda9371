import type { Log } from '../../lib/log.ts';
import {
  type BytesCheck,
  type HeldLabel,
  LabelCorrupted,
  LabelMissing,
  type Rebuilt,
  type Store,
  StoreUnavailable,
} from '../legacy-store.ts';
import type { Files } from './files.ts';
import type { Journal } from './journal.ts';
import type { LabelRows } from './label-rows.ts';
import type { Withdrawn } from './withdrawals.ts';

/** Rows checked when the store opens; `admin verify` checks all. */
const RECENT_ROWS = 256;
/** A crash damages fewer labels than this; more means that DATA_DIR is the wrong folder. */
const MAX_CRASH_DAMAGE = 16;

interface Labels {
  labels: LabelRows;
  files: Files;
  journal: Journal;
}

interface Rebuildable extends Labels {
  withdrawn: Pick<Withdrawn, 'withdrawal'>;
}

/** Finishes or removes what an interrupted run left behind, and marks recent labels without their files as damaged. */
export async function repair({ labels, files, journal }: Labels, log: Log): Promise<void> {
  const removed = await files.cleanUp(labels.hasBytes, async (row) => {
    const added = labels.add(row, null);
    if (added?.sha256 === row.sha256) await journal.append(row);
    // Withdrawn. Another VIN may have the same bytes.
    if (!added && !labels.hasBytes(row.sha256)) await files.dropLabel(row.sha256);
  });
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

/**
 * Adds rows that the database lacks because it was lost or restored from an older backup. Otherwise we could report "none"
 * for a label whose file we have.
 */
export async function restoreLostRows(
  dependencies: Rebuildable,
  erase: (sha256: string) => Promise<void>,
  log: Log,
): Promise<void> {
  const { labels, journal } = dependencies;
  const newest = await journal.readTail().catch((error: Error) => {
    log.error('store: cannot read labels/rows.jsonl', { error: error.message });
    return [];
  });
  // The newest lines are enough: an older database lacks those first.
  if (newest.every(({ vin }) => labels.label(vin))) return;
  log.warn('store: the database lacks labels of labels/rows.jsonl; restoring their rows');
  const { added, missing } = await rebuild(dependencies, erase, () => {});
  log.warn('store: restored rows from labels/rows.jsonl', { added });
  if (missing > 0)
    log.error('store: files of labels are missing; restore them from a backup and run admin rebuild', {
      missing,
    });
}

/** Adds the rows that are in the journal but not in the database. */
export async function rebuild(
  { labels, files, journal, withdrawn }: Rebuildable,
  erase: (sha256: string) => Promise<void>,
  progress: (done: number) => void,
): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { added: 0, present: 0, missing: 0, withdrawn: 0, unknown: 0 };
  const rows = await journal.read();
  let done = 0;
  // Oldest first: `restoreLostRows` looks only for the newest, so they must still be missing after an interruption.
  for (const [vin, copies] of [...Map.groupBy(rows, (row) => row.vin)].reverse()) {
    if (labels.label(vin)) rebuilt.present++;
    else {
      const row = await intactCopy(copies, files);
      if (!row) {
        // Unless it was withdrawn since the journal was read.
        if (!withdrawn.withdrawal(vin)) rebuilt.missing++;
      } else if (labels.add(row, null)) rebuilt.added++;
      else {
        await erase(row.sha256);
        rebuilt.withdrawn++;
      }
    }
    progress(++done);
  }
  const journaled = new Set(rows.map(({ sha256 }) => sha256));
  for (const digest of await files.digests())
    if (!journaled.has(digest) && !labels.hasBytes(digest)) rebuilt.unknown++;
  return rebuilt;
}

/** The first of a VIN's rows whose file is intact. */
async function intactCopy(rows: HeldLabel[], files: Files): Promise<HeldLabel | null> {
  for (const row of rows) {
    try {
      if ((await files.label(row.sha256)).length === row.bytes) return row;
    } catch (error) {
      if (!(error instanceof LabelMissing || error instanceof LabelCorrupted)) throw error;
    }
  }
  return null;
}

/** Adds withdrawals that only the database or only the file has: either may come from an older backup. */
export async function reconcileWithdrawals(
  store: Pick<Store, 'withdraw'>,
  { file, withdrawals }: Withdrawn,
): Promise<void> {
  const inFile = await file.read();
  const inRows = withdrawals();
  const rows = new Set(inRows.map(({ vin }) => vin));
  for (const withdrawal of inFile) if (!rows.has(withdrawal.vin)) await store.withdraw(withdrawal);
  const lines = new Set(inFile.map(({ vin }) => vin));
  for (const withdrawal of inRows) if (!lines.has(withdrawal.vin)) await store.withdraw(withdrawal);
}

/** In VIN order. */
export function* allRows(labels: LabelRows): Generator<HeldLabel> {
  for (let after: string | null = null; ;) {
    const page: HeldLabel[] = labels.labels(after, 1000);
    yield* page;
    after = page.at(-1)?.vin ?? null;
    if (after === null) return;
  }
}

/** One label a second, 86,400 a day: a negligible load for the disk. */
const SCRUB_MS = 1000;
/** Labels between two writes of the progress: each write is flushed to disk. */
const SAVE_EVERY = 60;
const PROGRESS_KEY = 'scrub';
const YEAR_MS = 365 * 86_400_000;

/** Progress of the background check of all files. */
export interface ScrubProgress {
  /** The VIN it has reached; null before a pass starts. */
  after: string | null;
  checked: number;
  damaged: number;
  /** When this pass began, in milliseconds. */
  since: number;
  /** When the last full pass ended. */
  finished: number | null;
}

interface ScrubOptions {
  labels(after: string | null, limit: number): HeldLabel[];
  checkBytes(label: HeldLabel): Promise<BytesCheck>;
  markDamaged(vin: string, sha256: string): void;
  value(key: string): string | null;
  setValue(key: string, value: string, until: number): void;
  log: Log;
  everyMs?: number;
}

function scrubProgress(value: (key: string) => string | null): ScrubProgress | null {
  const text = value(PROGRESS_KEY);
  return text === null ? null : (JSON.parse(text) as ScrubProgress);
}

/** Reads all labels in turn and marks damaged ones; resumes where the last run stopped. */
export function startScrub(options: ScrubOptions): { stop(): void } {
  const { log, everyMs = SCRUB_MS } = options;
  let progress = scrubProgress(options.value);
  let running = false;
  let savedAt = -Infinity;

  async function step(): Promise<void> {
    progress ??= { after: null, checked: 0, damaged: 0, since: Date.now(), finished: null };
    const [label] = options.labels(progress.after, 1);
    if (!label) {
      if (progress.checked === 0) return;
      progress = { after: null, checked: 0, damaged: 0, since: Date.now(), finished: Date.now() };
      // A pass over a few labels takes seconds, so not after each.
      if (performance.now() - savedAt >= SAVE_EVERY * everyMs) save();
      return;
    }
    if (!label.damaged) await check(label);
    progress.after = label.vin;
    progress.checked++;
    if (progress.checked % SAVE_EVERY === 0) save();
  }

  async function check(label: HeldLabel): Promise<void> {
    const { vin, sha256 } = label;
    const found = await options.checkBytes(label).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
      // A bad sector, or the disk is gone. Go on: one file must not keep the others from being checked.
      log.error('store: the bytes of a label cannot be read', { sha256, error: error.message });
      return null;
    });
    if (found === null || found === 'intact') return;
    progress!.damaged++;
    log.error('store: the bytes of a label are damaged', { sha256, found });
    options.markDamaged(vin, sha256);
  }

  function save(): void {
    options.setValue(PROGRESS_KEY, JSON.stringify(progress), Date.now() + YEAR_MS);
    savedAt = performance.now();
  }

  const timer = setInterval(() => {
    if (running) return;
    running = true;
    step()
      .catch((error: unknown) => {
        // A full or read-only disk: try again next time.
        if (!(error instanceof StoreUnavailable)) log.error('scrub failed', { error: String(error) });
      })
      .finally(() => (running = false));
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
