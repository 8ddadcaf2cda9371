import { say, table, type AdminCommand } from './command.ts';

/** `admin labels`: what is held. */
export const command: AdminCommand = async (_args, admin) => {
  const { labels, bytes, byMake } = await admin.store.counts();
  const makes = Object.entries(byMake).sort((a, b) => b[1] - a[1]);
  say(table([['make', 'labels'], ...makes, ['all', labels]]));
  say(`\n${(bytes / 1e6).toFixed(1)} MB of PDFs`);
  return 0;
};
