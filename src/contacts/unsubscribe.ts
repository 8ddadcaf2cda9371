import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '../store/store.ts';
import { parseContact } from '../lib/contact.ts';

/** Signed links: whoever got the mail can end the mails, without a log-in and without us keeping a list of tokens. */
export interface Unsubscribing {
  link(recipient: string): Promise<string>;
  /** True when the link was ours; the recipient is then never written to again. */
  accept(recipient: string, key: string): Promise<boolean>;
}

const SECRET = 'unsubscribe-secret';

/**
 * What is kept of somebody who wants no more mails. It must outlast everything else known of them, or they would be
 * written to again, so it is a hash that recognises the address and does not tell it.
 */
export function unsubscribedMark(recipient: string): string {
  return createHash('sha256').update(`no notices to ${recipient}`).digest('hex');
}

/** Two links to one recipient are the same, whichever instance made them. */
export async function openUnsubscribing(
  store: Pick<Store, 'note' | 'keepNote'> & { contacts: Pick<Store['contacts'], 'unsubscribe'> },
  baseUrl: string,
  now: () => number,
): Promise<Unsubscribing> {
  // Read each time: another process may have made it since, and whoever checks a link must never make one.
  const secret = async () => store.note(SECRET);
  const sign = (key: string, recipient: string) =>
    createHmac('sha256', key).update(recipient).digest('base64url');

  let made: string | null = null;
  async function secretForLinks(): Promise<string> {
    made ??= await secret();
    if (made) return made;
    made = randomBytes(32).toString('hex');
    await store.keepNote(SECRET, made, Number.MAX_SAFE_INTEGER);
    return made;
  }

  return {
    async link(recipient) {
      const key = sign(await secretForLinks(), recipient);
      return `${baseUrl}/unsubscribe?to=${encodeURIComponent(recipient)}&key=${key}`;
    },
    async accept(text, given) {
      const recipient = parseContact(text);
      const key = await secret();
      if (!recipient || !key) return false;
      const right = Buffer.from(sign(key, recipient));
      const tried = Buffer.from(given);
      if (right.length !== tried.length || !timingSafeEqual(right, tried)) return false;
      await store.contacts.unsubscribe(unsubscribedMark(recipient), now());
      return true;
    },
  };
}
