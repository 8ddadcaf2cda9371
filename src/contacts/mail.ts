import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { escapeMarkup } from '../lib/markup.ts';

/** A notice from the operator to the contacts that used the affected routes. */
export interface Notice {
  /** Permanent: sending a notice again with the same id reaches only those who haven't got it. */
  id: string;
  template: 'labels-stopped' | 'breaking';
  subject: string;
  words: Record<string, string>;
}

export interface Mail {
  from: string;
  /** One mailbox, never a list. */
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
}

export function compose(
  notice: Notice,
  recipient: string,
  { from, baseUrl, unsubscribe }: { from: string; baseUrl: string; unsubscribe: string },
): Mail {
  const words = { ...notice.words, baseUrl, contact: recipient, unsubscribe };
  const host = new URL(baseUrl).hostname;
  // The same for every attempt, so that a mail system can recognize a duplicate.
  const id = createHash('sha256').update(`${notice.id} ${recipient}`).digest('hex').slice(0, 32);
  return {
    from,
    to: recipient,
    subject: oneLine(notice.subject, 200),
    text: fill(template(`${notice.template}.txt`), words, (word) => word),
    html: fill(template(`${notice.template}.html`), words, escapeMarkup),
    messageId: `<${id}@${host}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

/** Text as one line without control characters, cut to a maximum length. */
export function oneLine(text: string, maxCharacters: number): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, maxCharacters);
}

const template = (name: string): string =>
  readFileSync(new URL(`./templates/${name}`, import.meta.url), 'utf8');

function fill(text: string, words: Record<string, string>, encode: (word: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => encode(words[name] ?? ''));
}
