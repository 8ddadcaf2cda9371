import { hash } from 'node:crypto';
import { chmodSync, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../lib/folder.ts';
import { type BytesCheck, type HeldLabel, LabelGone, type Store } from '../store.ts';
import type { Log } from '../../lib/log.ts';
import type { Soon } from '../../lib/soon.ts';
import { cacheRows } from './cache-rows.ts';
import { contactRows } from './contact-rows.ts';
import { openDatabase, type Database } from './database.ts';
import { type Files, openFiles } from './files.ts';
import { type LabelRows, labelRows } from './label-rows.ts';
import { lockFolder } from './lock.ts';
import { stateRows } from './state-rows.ts';
import { cacheSteps, keptSteps } from './steps.ts';

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
}

/** SQLite for rows, plain files for bytes, one folder for both. */
export async function openEmbedded({ dataDir, log, exclusive = true }: EmbeddedOptions): Promise<Store> {
  makeFolders(dataDir);
  const lock = exclusive ? lockFolder(dataDir) : null;
  const open: Database[] = [];
  const close = () => {
    for (const db of open) db.close();
    lock?.release();
  };
  try {
    const kept = openDatabase(join(dataDir, 'labels.sqlite'), { synchronous: 'FULL', steps: keptSteps });
    open.push(kept);
    const cache = openCache(join(dataDir, 'cache.sqlite'), log);
    open.push(cache);
    const labels = labelRows(kept);
    const files = openFiles(dataDir, exclusive ? 'service' : 'admin');
    if (exclusive) await repair(labels, files, log);
    return assemble(labels, files, kept, cache, close);
  } catch (error) {
    close();
    throw error;
  }
}

function assemble(
  labels: LabelRows,
  files: Files,
  kept: Database,
  cache: Database,
  close: () => void,
): Store {
  const { forget, probe, ...cached } = cacheRows(cache);
  const listeners: ((vin: string | null) => void)[] = [];
  let readyAt = -READY_MS;
  let closed = false;

  async function checkBytes({ sha256 }: HeldLabel): Promise<BytesCheck> {
    try {
      // What comes wrong is read twice: memory fails too.
      for (let look = 1; look <= 2; look++)
        if (hash('sha256', await files.label(sha256), 'hex') === sha256) return 'whole';
      return 'wrong';
    } catch (error) {
      if (error instanceof LabelGone) return 'missing';
      throw error;
    }
  }

  /** Reads a damaged label's bytes once more: somebody may have put the file back. */
  async function recheck(label: HeldLabel): Promise<HeldLabel> {
    if ((await checkBytes(label)) !== 'whole') return label;
    labels.markWhole(label.vin, label.sha256);
    const { damaged: _, ...whole } = label;
    return whole;
  }

  function label(vin: string): Soon<HeldLabel | null> {
    const held = labels.label(vin);
    return held?.damaged ? recheck(held) : held;
  }

  return {
    kind: 'embedded',
    together: null,
    label,
    prepare: files.prepare,
    async keep(fresh, pdf) {
      const sha256 = hash('sha256', pdf, 'hex');
      const held = await label(fresh.vin);
      if (held && !held.damaged && files.labelSize(held.sha256) === held.bytes) return held;
      const row: HeldLabel = { ...fresh, bytes: pdf.byteLength, sha256 };
      const now = await files.keepLabel(sha256, pdf, () => labels.add(row, held));
      if (!labels.hasBytes(sha256)) await files.dropLabel(sha256);
      forget(fresh.vin);
      if (held && held.sha256 !== now.sha256) for (const heard of listeners) heard(fresh.vin);
      return now;
    },
    checkBytes,
    markDamaged(vin, sha256) {
      labels.markDamaged(vin, sha256);
      forget(vin);
      for (const heard of listeners) heard(vin);
    },
    onReplaced: (heard) => void listeners.push(heard),
    repaint: labels.repaint,
    pdf: files.label,
    pdfInto: files.labelInto,
    pdfStream: files.labelPart,
    preview: files.preview,
    keepPreview: files.keepPreview,
    labels: labels.labels,
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
  const options = { synchronous: 'NORMAL', steps: cacheSteps } as const;
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

async function repair(labels: LabelRows, files: Files, log: Log): Promise<void> {
  const removed = await files.tidy(labels.hasBytes);
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
      vin,
      sha256,
    });
  }
}
