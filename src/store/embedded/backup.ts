import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../lib/file-system.ts';
import type { Log } from '../../lib/log.ts';
import { labelPages } from '../all-labels.ts';
import { LabelCorrupted, LabelMissing, nullFor } from '../errors.ts';
import { labelBytes } from '../label-bytes.ts';
import { vinRows } from '../rows.ts';
import { MAIN_SCHEMA } from '../sql.ts';
import type { HeldLabel } from '../store.ts';
import { createDatabase } from './database.ts';
import { flushFolder, openFiles, writeFlushed } from './files.ts';
import { DATABASE, lockFolder, makeFolders, UNFINISHED_RESTORE } from './open.ts';

/** In a backup, written last. */
const FINISHED = 'backup.json';

export interface CopiedFolder {
  labels: number;
  withdrawals: number;
  /** VINs whose bytes are missing or corrupted in the source. */
  unreadable: string[];
}

type Progress = (done: number, all: number) => void;

/** Copies a store, also while a service uses it, into a folder that may have an earlier backup. */
export async function backUp(
  dataDir: string,
  folder: string,
  log: Log,
  progress: Progress,
): Promise<CopiedFolder> {
  if (resolve(dataDir) === resolve(folder))
    throw new Error('The backup must be in another folder than DATA_DIR.');
  makeFolder(folder, 0o700);
  rmSync(join(folder, FINISHED), { force: true });
  const copied = await copyFolder(dataDir, folder, log, progress);
  await writeFlushed(join(folder, FINISHED), `${JSON.stringify({ labels: copied.labels })}\n`);
  await flushFolder(folder);
  return copied;
}

/** Copies a backup into an empty DATA_DIR, or goes on after an interruption. Withdrawals that are there stay. */
export async function restore(
  folder: string,
  dataDir: string,
  log: Log,
  progress: Progress,
): Promise<CopiedFolder> {
  if (!existsSync(join(folder, FINISHED)) || !existsSync(join(folder, DATABASE)))
    throw new Error(`${folder} is no finished backup: it has no ${FINISHED}. Run admin backup again.`);
  const marker = join(dataDir, UNFINISHED_RESTORE);
  if (existsSync(join(dataDir, DATABASE)) && !existsSync(marker))
    throw new Error(`DATA_DIR ${dataDir} has a store. Stop its service and move the folder away first.`);
  makeFolder(dataDir, 0o700);
  const lock = lockFolder(dataDir, log);
  try {
    rmSync(marker, { force: true });
    await writeFlushed(marker, '');
    await flushFolder(dataDir);
    const copied = await copyFolder(folder, dataDir, log, progress);
    rmSync(marker);
    await flushFolder(dataDir);
    return copied;
  } finally {
    lock.release();
  }
}

/**
 * Rows first, at one moment, then the bytes of each of them: bytes are there before their row and never change, so the
 * copy is complete. The database gets its name last, so an interrupted copy has none, or still the earlier one.
 */
async function copyFolder(from: string, to: string, log: Log, progress: Progress): Promise<CopiedFolder> {
  makeFolders(to);
  const part = join(to, `${DATABASE}.part`);
  for (const suffix of ['', '-wal', '-shm']) rmSync(part + suffix, { force: true });
  // With our mode, which SQLite keeps.
  await writeFlushed(part, '');
  const source = new DatabaseSync(join(from, DATABASE), { readOnly: true, timeout: 5000 });
  try {
    await backup(source, part);
  } finally {
    source.close();
  }
  const database = createDatabase(part, {
    synchronous: 'FULL',
    schema: MAIN_SCHEMA,
    ifDamaged: 'The original is probably damaged too: restore it from an earlier backup.',
    log,
  });
  database.open();
  const sourceFiles = labelBytes(openFiles(from, 'admin'));
  const files = labelBytes(openFiles(to, 'admin'));
  const copied: CopiedFolder = { labels: 0, withdrawals: 0, unreadable: [] };
  try {
    const check = await database.all<[string]>('PRAGMA integrity_check')();
    if (check.join() !== 'ok')
      throw new Error(`The copy of ${DATABASE} is damaged: ${check.slice(0, 3).join('; ')}`);
    const rows = vinRows(database);
    const { labels: all } = await rows.counts();
    for await (const page of labelPages(rows))
      for (const label of page) {
        if (await copyLabel(label)) copied.labels++;
        progress(copied.labels + copied.unreadable.length, all);
      }
    copied.withdrawals = await copyWithdrawals();
  } finally {
    // Moves what is in the write-ahead log into the file.
    database.checkpoint();
    database.close();
  }
  for (const suffix of ['-wal', '-shm']) rmSync(join(to, DATABASE + suffix), { force: true });
  renameSync(part, join(to, DATABASE));
  await flushFolder(to);
  return copied;

  /** False when there are no intact bytes to copy. */
  async function copyLabel(label: HeldLabel): Promise<boolean> {
    if ((await files.check(label)) !== 'intact') {
      const pdf = await sourceFiles.get(label).catch(nullFor(LabelMissing, LabelCorrupted));
      if (!pdf) {
        // Unless it was withdrawn since the rows were copied.
        if (!(await sourceFiles.withdrawal(label.vin))) copied.unreadable.push(label.vin);
        return false;
      }
      await files.put(label, pdf);
    }
    await files.putRow(label);
    return true;
  }

  /** Last, so that a label withdrawn in the meantime is not in the copy. */
  async function copyWithdrawals(): Promise<number> {
    const vins = await sourceFiles.withdrawnVins();
    for (const vin of vins) {
      const withdrawal = await sourceFiles.withdrawal(vin);
      if (withdrawal && !(await files.withdrawal(vin))) await files.putWithdrawal(withdrawal);
      await files.erase(vin);
    }
    return vins.size;
  }
}
