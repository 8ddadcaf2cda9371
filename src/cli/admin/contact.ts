import { parseContact } from '../../contacts/contact.ts';
import { complain, say, type AdminCommand } from './command.ts';

/** `admin contact forget x@example.org` */
export const command: AdminCommand = async ([action, text], admin) => {
  const contact = parseContact(text);
  if (action !== 'forget' || !contact)
    return complain('Use: admin contact forget dev@example.org (one domain or one e-mail address).');
  const rows = await admin.store.contacts.forget(contact);
  say(rows > 0 ? `Forgot ${contact}: ${rows} rows deleted.` : `Nothing was kept about ${contact}.`);
  return 0;
};
