import { parseArgs } from 'node:util';
import { parseContact } from '../../store/contact-store.ts';
import { usageError, day, print, table, type AdminCommand } from './command.ts';

const TOP_CONTACTS = 20;

/** `admin contacts [--days 30]`: totals by day, and the most active contacts. */
export const contacts: AdminCommand = async (args, admin) => {
  const { values } = parseArgs({ args, options: { days: { type: 'string', default: '30' } } });
  const days = Number(values.days);
  if (!Number.isInteger(days) || days < 1 || days > 3650)
    return usageError('--days must be a whole number from 1 to 3650.');
  // Including today.
  const uses = await admin.store.contacts.uses(day(admin.now() - (days - 1) * 86_400_000));
  if (uses.length === 0) {
    print(days === 1 ? 'No contacts today.' : `No contacts in the last ${days} days.`);
    return 0;
  }
  const byDay = new Map<string, { requests: number; contacts: Set<string> }>();
  const byContact = new Map<string, number>();
  for (const use of uses) {
    const total = byDay.get(use.day) ?? { requests: 0, contacts: new Set() };
    byDay.set(use.day, total);
    total.requests += use.count;
    total.contacts.add(use.contact);
    byContact.set(use.contact, (byContact.get(use.contact) ?? 0) + use.count);
  }
  const totals = [...byDay].map(([on, { requests, contacts }]) => [on, requests, contacts.size]);
  print(table([['day', 'requests', 'contacts'], ...totals]));
  print('');
  const top = [...byContact].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, TOP_CONTACTS);
  print(table([['contact', 'requests'], ...top]));
  return 0;
};

/** `admin contact forget x@example.org`. We keep that a contact unsubscribed, so that we don't write to it again. */
export const forgetContact: AdminCommand = async ([action, text, ...rest], admin) => {
  const contact = parseContact(text);
  if (action !== 'forget' || !contact || rest.length > 0)
    return usageError('Usage: admin contact forget dev@example.org (one domain or one e-mail address).');
  const rows = await admin.store.contacts.forget(contact);
  print(
    rows > 0
      ? `Forgot ${contact}: ${rows} ${rows === 1 ? 'row' : 'rows'} deleted.`
      : `There was no data about ${contact}.`,
  );
  return 0;
};
