import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** One notice: who sends it is the operator, who gets it are the contacts that used the routes it touches. */
export interface Notice {
  /** Names the notice for ever: the same id sent again goes only to those who have not had it. */
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
  parts: { from: string; baseUrl: string; unsubscribe: string },
): Mail {
  const { baseUrl, unsubscribe } = parts;
  const words = { ...notice.words, baseUrl, contact: recipient, unsubscribe };
  const host = new URL(baseUrl).hostname;
  // The same for every try, so that a mail system that gets a message twice can tell.
  const id = createHash('sha256').update(`${notice.id} ${recipient}`).digest('hex').slice(0, 32);
  return {
    from: parts.from,
    to: recipient,
    subject: oneLine(notice.subject, 200),
    text: fill(template(`${notice.template}.txt`), words, (word) => word),
    html: fill(template(`${notice.template}.html`), words, escapeHtml),
    messageId: `<${id}@${host}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

/** Text as one line without control characters, cut where it is too long. */
export function oneLine(text: string, most: number): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, most);
}

const templates = new Map<string, string>();
function template(name: string): string {
  let text = templates.get(name);
  if (text === undefined) {
    text = readFileSync(new URL(`./templates/${name}`, import.meta.url), 'utf8');
    templates.set(name, text);
  }
  return text;
}

function fill(text: string, words: Record<string, string>, written: (word: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => written(words[name] ?? ''));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
