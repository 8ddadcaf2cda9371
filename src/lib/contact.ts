/**
 * The contact that a client sends: one domain or one e-mail address, at most 254 characters, in lower case. Anything else
 * is ignored and not stored. ASCII only, so that look-alike letters and line breaks are impossible.
 */
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = `(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})`;
const LOCAL = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
// Case-insensitive, because lower-casing first would turn some other letters into ASCII ones.
const CONTACT = new RegExp(`^(?:(${LOCAL})@)?${DOMAIN}$`, 'i');

const MAX_CONTACT_CHARACTERS = 254;
/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_CHARACTERS = 64;

/** The contact as we store it; null if the text is not a contact. */
export function parseContact(text: string | null | undefined): string | null {
  if (!text || text.length > MAX_CONTACT_CHARACTERS + 64) return null;
  const contact = text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
  if (contact.length > MAX_CONTACT_CHARACTERS) return null;
  const match = CONTACT.exec(contact);
  if (!match || (match[1]?.length ?? 0) > MAX_LOCAL_CHARACTERS) return null;
  return contact.toLowerCase();
}

/** The e-mail address for notices: for a domain, the mailbox that RFC 2142 reserves for its web site. */
export function mailbox(contact: string): string {
  return contact.includes('@') ? contact : `webmaster@${contact}`;
}
