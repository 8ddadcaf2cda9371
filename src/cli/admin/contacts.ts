import { parseArgs } from 'node:util';
import { complain, day, say, table, type AdminCommand } from './command.ts';

const TOP = 20;

/** `admin contacts [--days 30]`: totals by day, and who uses the service most. */
export const command: AdminCommand = async (args, admin) => {
  const { values } = parseArgs({ args, options: { days: { type: 'string', default: '30' } } });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 3650)
    return complain('--days takes a whole number of days, from 1 to 3650.');
  // Today is one of them.
  const uses = await admin.store.contacts.uses(day(admin.now() - (days - 1) * 86_400_000));
  const byDay = new Map<string, { requests: number; contacts: Set<string> }>();
  const byContact = new Map<string, number>();
  for (const use of uses) {
    const of = byDay.get(use.day) ?? { requests: 0, contacts: new Set() };
    byDay.set(use.day, of);
    of.requests += use.count;
    of.contacts.add(use.contact);
    byContact.set(use.contact, (byContact.get(use.contact) ?? 0) + use.count);
  }
  const totals = [...byDay].map(([on, { requests, contacts }]) => [on, requests, contacts.size]);
  say(table([['day', 'requests', 'contacts'], ...totals]));
  say('');
  const top = [...byContact].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, TOP);
  say(table([['contact', 'requests'], ...top]));
  return 0;
};
