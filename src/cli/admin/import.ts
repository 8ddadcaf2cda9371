import { openStore } from '../../store/index.ts';
import { copyStore } from '../../store/copy.ts';
import {
  usageError,
  progress,
  progressDone,
  print,
  type AdminContext,
  type AdminCommand,
} from './command.ts';

/** `admin import FOLDER`: copies an embedded store into the shared one. It can be stopped and resumed. */
export const command: AdminCommand = ([folder], admin) => copy(folder, admin, 'in');

export async function copy(
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
  });
  try {
    const [from, to] = direction === 'in' ? [embedded, admin.store] : [admin.store, embedded];
    const result = await copyStore(from, to, (count, all) => progress(`${count} of ${all} labels`));
    progressDone();
    print(`Copied ${result.copied} labels, ${result.present} already existed.`);
    if (result.withdrawn > 0) print(`${result.withdrawn} were withdrawn there and not copied.`);
    if (result.unreadable.length === 0) return 0;
    for (const vin of result.unreadable) print(`${vin}  its bytes are missing or corrupted; not copied`);
    return 1;
  } finally {
    await embedded.close();
  }
}
