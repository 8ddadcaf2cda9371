import { parseArgs } from 'node:util';
import { complain, day, say, table, type AdminCommand } from './command.ts';

/** `admin contacts [--days 30]`: totals by day, and who uses the service most. */
export const command: AdminCommand = async (args, admin) => {
  const { values } = parseArgs({ args, options: { days: { type: 'string', default: '30' } } });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1) return complain('--days takes a whole number of days.');
  const uses = await admin.store.contacts.uses(day(admin.now() - days * 86_400_000));
  const sum = (key: (use: (typeof uses)[number]) => string) => {
    const totals = new Map<string, number>();
    for (const use of uses) totals.set(key(use), (totals.get(key(use)) ?? 0) + use.count);
    return [...totals];
  };
  say(table([['day', 'requests'], ...sum((use) => use.day).sort(([a], [b]) => (a < b ? -1 : 1))]));
  say('');
  const top = sum((use) => use.contact)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 20);
  say(table([['contact', 'requests'], ...top]));
  return 0;
};
