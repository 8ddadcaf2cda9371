import { backUp, restore, type CopiedFolder } from '../../store/embedded/backup.ts';
import { printStore } from '../store-config.ts';
import {
  type AdminCommand,
  print,
  progress,
  progressDone,
  usageError,
  type WithoutStore,
} from './command.ts';

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
