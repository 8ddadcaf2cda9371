import { openStore } from '../../store/index.ts';
import { copyStore } from '../../store/copy.ts';
import { complain, progress, progressDone, say, type Admin, type AdminCommand } from './command.ts';

/** `admin import FOLDER`: an embedded store into the shared one. Stopped in the middle, it goes on where it was. */
export const command: AdminCommand = ([folder], admin) => copy(folder, admin, 'in');

export async function copy(folder: string | undefined, admin: Admin, way: 'in' | 'out'): Promise<number> {
  if (!folder)
    return complain(`Name the embedded store's folder: admin ${way === 'in' ? 'import' : 'export'} FOLDER.`);
  if (admin.store.kind !== 'shared')
    return complain(
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
    const [from, to] = way === 'in' ? [embedded, admin.store] : [admin.store, embedded];
    const done = await copyStore(from, to, (count, all) => progress(`${count} of ${all} labels`));
    progressDone();
    say(`Copied ${done.copied} labels, ${done.present} were there already.`);
    if (done.withdrawn > 0) say(`${done.withdrawn} were withdrawn there and not copied.`);
    if (done.unreadable.length === 0) return 0;
    for (const vin of done.unreadable) say(`${vin}  its bytes are gone or have changed; not copied`);
    return 1;
  } finally {
    await embedded.close();
  }
}
