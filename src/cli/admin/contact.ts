import { parseContact } from '../../lib/contact.ts';
import { complain, say, type AdminCommand } from './command.ts';

/** `admin contact forget x@example.org`: that somebody unsubscribed stays, or they would be written to again. */
export const command: AdminCommand = async ([action, text, ...rest], admin) => {
  const contact = parseContact(text);
  if (action !== 'forget' || !contact || rest.length > 0)
    return complain('Use: admin contact forget dev@example.org (one domain or one e-mail address).');
  const rows = await admin.store.contacts.forget(contact);
  say(
    rows > 0
      ? `Forgot ${contact}: ${rows} ${rows === 1 ? 'row' : 'rows'} deleted.`
      : `Nothing was kept about ${contact}.`,
  );
  return 0;
};
