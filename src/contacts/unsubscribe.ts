import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { parseContact } from '../store/contact-store.ts';
import type { Store } from '../store/store.ts';

const SECRET_KEY = 'unsubscribe-secret';

/**
 * What we store about someone who unsubscribed. It must outlive all other data about them, or they would get mail again.
 * So it is a hash, which recognizes the e-mail address without revealing it.
 */
export function unsubscribedHash(recipient: string): string {
  return createHash('sha256').update(`no notices to ${recipient}`).digest('hex');
}

/** Signed links to unsubscribe, without a login and without storing tokens. All instances create the same for a recipient. */
export async function openUnsubscribeLinks(
  store: Pick<Store, 'value' | 'setValue'> & { contacts: Pick<Store['contacts'], 'unsubscribe'> },
  baseUrl: string,
  now: () => number,
) {
  // Read each time, because another process may have created it. Checking a link must never create one.
  const readSecret = async () => store.value(SECRET_KEY);
  const sign = (secret: string, recipient: string) =>
    createHmac('sha256', secret).update(recipient).digest('base64url');

  let cached: string | null = null;
  async function secretForLinks(): Promise<string> {
    cached ??= await readSecret();
    if (cached) return cached;
    cached = randomBytes(32).toString('hex');
    await store.setValue(SECRET_KEY, cached, Number.MAX_SAFE_INTEGER);
    return cached;
  }

  return {
    async link(recipient: string): Promise<string> {
      const key = sign(await secretForLinks(), recipient);
      return `${baseUrl}/unsubscribe?to=${encodeURIComponent(recipient)}&key=${key}`;
    },
    /** Unsubscribes the recipient. False if the key is wrong. */
    async accept(text: string, key: string): Promise<boolean> {
      const recipient = parseContact(text);
      const secret = await readSecret();
      if (!recipient || !secret) return false;
      const expected = Buffer.from(sign(secret, recipient));
      const actual = Buffer.from(key);
      if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return false;
      await store.contacts.unsubscribe(unsubscribedHash(recipient), now());
      return true;
    },
  };
}
