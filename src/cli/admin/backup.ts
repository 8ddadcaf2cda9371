import type { Config } from '../../config.ts';
import { createLog } from '../../lib/log.ts';
import { backUp, restore, type CopiedFolder } from '../../store/embedded/backup.ts';
import { type AdminCommand, print, progress, progressDone, usageError } from './command.ts';

const SHARED = 'This is for the embedded store. Back up PostgreSQL and the bucket with their own tools.';

const showProgress = (done: number, all: number) => progress(`${done} of ${all} labels`);

/** `admin backup FOLDER`: copies a store that may be in use, and checks the SHA-256 of every copied label. */
export const backup: AdminCommand = async ([folder, ...rest], { config, log, store }) => {
  if (!folder || rest.length > 0) return usageError('Usage: admin backup FOLDER');
  if (store.kind !== 'embedded') return usageError(SHARED);
  return report(await backUp(config.dataDir, folder, log, showProgress), 'Backed up');
};

/** `admin restore FOLDER`: copies a backup into an empty DATA_DIR. If interrupted, run it again. */
export async function restoreBackup([folder, ...rest]: string[], config: Config): Promise<number> {
  if (!folder || rest.length > 0) return usageError('Usage: admin restore FOLDER');
  if (config.databaseUrl) return usageError(SHARED);
  const log = createLog('warn', (lines) => void process.stderr.write(lines));
  return report(await restore(folder, config.dataDir, log, showProgress), 'Restored');
}

function report({ labels, withdrawals, unreadable }: CopiedFolder, done: string): number {
  progressDone();
  print(`${done} ${labels} labels and ${withdrawals} withdrawals.`);
  for (const vin of unreadable) print(`${vin}  its bytes are missing or corrupted; not copied`);
  return unreadable.length > 0 ? 1 : 0;
}
