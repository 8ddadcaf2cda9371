import { copyStore } from '../../store/copy.ts';
import { openStore } from '../../store/index.ts';
import {
  usageError,
  print,
  progress,
  progressDone,
  type AdminCommand,
  type AdminContext,
  type WithoutStore,
} from './command.ts';
import { backUp, restore, type CopiedFolder } from '../../store/embedded/backup.ts';
import { printStore } from '../store-config.ts';

/** Commands about the store as a whole. */

/** `admin rebuild`: makes the database and the files beside the labels' bytes agree again. */
export const rebuild: AdminCommand = async (args, { store }) => {
  if (args.length > 0) return usageError('Usage: admin rebuild');
  const { added, present, written, missing, withdrawn, unknown } = await store.rebuild((done) =>
    progress(`${done} labels checked`),
  );
  progressDone();
  print(`${added} rows rebuilt, ${present} already existed.`);
  if (written > 0) print(`Missing files beside labels that were written again: ${written}.`);
  if (withdrawn > 0) print(`Withdrawn labels that had reappeared and were deleted again: ${withdrawn}.`);
  if (missing > 0)
    print(`Labels whose file is missing or corrupted: ${missing}. Restore the files from a backup.`);
  if (unknown > 0)
    print(`PDFs without a row and without a file that describes them: ${unknown}. They were not changed.`);
  return missing > 0 ? 1 : 0;
};

/** `admin migrate`: opening a store migrates its tables, so this only has to open it. For use before an upgrade. */
export const migrate: AdminCommand = async (args, admin) => {
  if (args.length > 0) return usageError('Usage: admin migrate');
  await admin.store.ready();
  print(`The ${admin.store.kind} store is up to date.`);
  return 0;
};

/** `admin import FOLDER`: copies an embedded store into the shared one. It can be stopped and resumed. */
export const importStore: AdminCommand = ([folder], admin) => copy(folder, admin, 'in');

/** `admin export FOLDER`: copies the shared store into an embedded one. */
export const exportStore: AdminCommand = ([folder], admin) => copy(folder, admin, 'out');

async function copy(
  folder: string | undefined,
  admin: AdminContext,
  direction: 'in' | 'out',
): Promise<number> {
  if (!folder)
    return usageError(
      `Name the embedded store's folder: admin ${direction === 'in' ? 'import' : 'export'} FOLDER.`,
    );
  if (admin.store.kind !== 'shared')
    return usageError(
      'Set DATABASE_URL, REDIS_URL and S3_URL: this copies between a folder and the shared store.',
    );
  const embedded = await openStore({
    dataDir: folder,
    databaseUrl: null,
    redisUrl: null,
    s3Url: null,
    log: admin.log,
    exclusive: false,
    mayCreate: direction === 'out',
  });
  try {
    const [from, to] = direction === 'in' ? [embedded, admin.store] : [admin.store, embedded];
    const result = await copyStore(from, to, (count, all) => progress(`${count} of ${all} labels`));
    progressDone();
    print(`Copied ${result.copied} labels, ${result.present} already existed.`);
    if (result.withdrawn > 0) print(`Not copied, because they are withdrawn there: ${result.withdrawn}.`);
    if (result.unreadable.length === 0) return 0;
    for (const vin of result.unreadable) print(`${vin}  its bytes are missing or corrupted; not copied`);
    return 1;
  } finally {
    await embedded.close();
  }
}

const SHARED = 'This is for the embedded store. Back up PostgreSQL and the bucket with their own tools.';

const showProgress = (done: number, all: number) => progress(`${done} of ${all} labels`);

/** `admin backup FOLDER`: copies a store that may be in use, and checks the SHA-256 of every copied label. */
export const backup: AdminCommand = async ([folder, ...rest], { config, log, store }) => {
  if (!folder || rest.length > 0) return usageError('Usage: admin backup FOLDER');
  if (store.kind !== 'embedded') return usageError(SHARED);
  return report(await backUp(config.dataDir, folder, log, showProgress), 'Backed up');
};

/** `admin restore FOLDER`: copies a backup into an empty DATA_DIR. If interrupted, run it again. */
export async function restoreBackup(
  [folder, ...rest]: string[],
  { config, log }: WithoutStore,
): Promise<number> {
  if (!folder || rest.length > 0) return usageError('Usage: admin restore FOLDER');
  if (config.databaseUrl) return usageError(SHARED);
  printStore(config);
  return report(await restore(folder, config.dataDir, log, showProgress), 'Restored');
}

function report({ labels, withdrawals, unreadable }: CopiedFolder, done: string): number {
  progressDone();
  print(`${done} ${labels} labels and ${withdrawals} withdrawals.`);
  for (const vin of unreadable) print(`${vin}  its bytes are missing or corrupted; not copied`);
  return unreadable.length > 0 ? 1 : 0;
}
