import { statSync } from 'node:fs';
import path from 'node:path';
import { say, table, type Admin, type AdminCommand } from './command.ts';

/** `admin labels`: what is held. */
export const command: AdminCommand = async (_args, admin) => {
  const { labels, bytes, byMake } = await admin.store.counts();
  const makes = Object.entries(byMake).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  say(table([['make', 'labels'], ...makes, ['all', labels]]));
  say(`\n${megabytes(bytes)} of PDFs${databases(admin)}`);
  return 0;
};

function databases({ store, config }: Admin): string {
  if (store.kind !== 'embedded') return '';
  const sizes = ['labels.sqlite', 'cache.sqlite'].flatMap((name) =>
    ['', '-wal'].map((end) => {
      const file = path.join(config.dataDir, name + end);
      return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    }),
  );
  return `, ${megabytes(sizes.reduce((sum, size) => sum + size, 0))} of databases`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
