import { statSync } from 'node:fs';
import path from 'node:path';
import { print, table, usageError, type AdminContext, type AdminCommand } from './command.ts';

/** `admin labels`: the number and size of the stored labels. */
export const command: AdminCommand = async (args, admin) => {
  if (args.length > 0) return usageError('Use: admin labels');
  const { labels, bytes, byMake } = await admin.store.counts();
  const makes = Object.entries(byMake).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  print(table([['make', 'labels'], ...makes, ['all', labels]]));
  print(`\n${megabytes(bytes)} of PDFs${databaseSize(admin)}`);
  return 0;
};

function databaseSize({ store, config }: AdminContext): string {
  if (store.kind !== 'embedded') return '';
  const sizes = ['labels.sqlite', 'cache.sqlite'].flatMap((name) =>
    ['', '-wal'].map((suffix) => {
      const file = path.join(config.dataDir, name + suffix);
      return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    }),
  );
  return `, ${megabytes(sizes.reduce((sum, size) => sum + size, 0))} of databases`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
