import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '../store/store.ts';

/** Signed links: whoever got the mail can end the mails, without a log-in and without us keeping a list of tokens. */
export interface Unsubscribing {
  link(recipient: string): string;
  /** True when the link was ours; the recipient is then never written to again. */
  accept(recipient: string, key: string): Promise<boolean>;
}

const SECRET = 'unsubscribe-secret';

export async function openUnsubscribing(
  store: Pick<Store, 'note' | 'keepNote' | 'contacts'>,
  baseUrl: string,
  now: () => number,
): Promise<Unsubscribing> {
  let secret = await store.note(SECRET);
  if (!secret) {
    await store.keepNote(SECRET, randomBytes(32).toString('hex'), Number.MAX_SAFE_INTEGER);
    // Read back: another instance may have been first, and links must be good on all of them.
    secret = (await store.note(SECRET))!;
  }
  const key = (recipient: string) => createHmac('sha256', secret).update(recipient).digest('base64url');

  return {
    link: (recipient) => `${baseUrl}/unsubscribe?to=${encodeURIComponent(recipient)}&key=${key(recipient)}`,
    async accept(recipient, given) {
      const right = Buffer.from(key(recipient));
      const tried = Buffer.from(given);
      if (right.length !== tried.length || !timingSafeEqual(right, tried)) return false;
      await store.contacts.unsubscribe(recipient, now());
      return true;
    },
  };
}
