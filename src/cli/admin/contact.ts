import { parseContact } from '../../lib/contact.ts';
import { usageError, print, type AdminCommand } from './command.ts';

/** `admin contact forget x@example.org`. We keep that a contact unsubscribed, so that we don't write to it again. */
export const command: AdminCommand = async ([action, text, ...rest], admin) => {
  const contact = parseContact(text);
  if (action !== 'forget' || !contact || rest.length > 0)
    return usageError('Use: admin contact forget dev@example.org (one domain or one e-mail address).');
  const rows = await admin.store.contacts.forget(contact);
  print(
    rows > 0
      ? `Forgot ${contact}: ${rows} ${rows === 1 ? 'row' : 'rows'} deleted.`
      : `There was no data about ${contact}.`,
  );
  return 0;
};
