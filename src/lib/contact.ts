/**
 * Who a caller says it is: one domain or one e-mail address, at most 254 characters, lower-cased. Anything else
 * is ignored without a trace: plain ASCII only, so that no look-alike letters and no line ends get anywhere.
 */
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const DOMAIN = `(?:${LABEL}\\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})`;
const LOCAL = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*";
// Of upper and lower case both, because lower-casing first would turn some other letters into ASCII ones.
const CONTACT = new RegExp(`^(?:(${LOCAL})@)?${DOMAIN}$`, 'i');

const MOST = 254;
/** RFC 5321, 4.5.3.1.1. */
const MOST_LOCAL = 64;

/** The contact as it is kept, or null when the text is none. */
export function parseContact(text: string | null | undefined): string | null {
  if (!text || text.length > MOST + 64) return null;
  const contact = text.replace(/^[ \t]+|[ \t]+$/g, '');
  if (contact.length > MOST) return null;
  const match = CONTACT.exec(contact);
  if (!match || (match[1]?.length ?? 0) > MOST_LOCAL) return null;
  return contact.toLowerCase();
}

/** Where a notice to this contact goes: a bare domain has the mailbox RFC 2142 gives its web site. */
export function mailbox(contact: string): string {
  return contact.includes('@') ? contact : `webmaster@${contact}`;
}
