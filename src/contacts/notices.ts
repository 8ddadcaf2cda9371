import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ContactStore, ContactUse } from './contact-store.ts';
import type { Unsubscribing } from './unsubscribe.ts';
import { mailbox } from './contact.ts';

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
  to: string;
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: Record<string, string>;
}

/** Takes one message or throws; `responseCode` 5xx on the error means: never try this recipient again. */
export type Post = (mail: Mail) => Promise<void>;

/** Everybody who used one of the routes since a day and has not asked to be left alone. */
export async function recipientsOf(
  store: ContactStore,
  sinceDay: string,
  touches: (route: string) => boolean,
): Promise<string[]> {
  const uses: ContactUse[] = await store.uses(sinceDay);
  const left = new Set(await store.unsubscribed());
  const found = new Set(uses.filter((use) => touches(use.route)).map((use) => mailbox(use.contact)));
  return [...found].filter((recipient) => !left.has(recipient)).sort();
}

export function compose(
  notice: Notice,
  recipient: string,
  parts: { from: string; baseUrl: string; unsubscribing: Unsubscribing },
): Mail {
  const unsubscribe = parts.unsubscribing.link(recipient);
  const words = { ...notice.words, baseUrl: parts.baseUrl, contact: recipient, unsubscribe };
  const host = new URL(parts.baseUrl).hostname;
  // The same for every try, so that a mail system that gets a message twice can tell.
  const id = createHash('sha256').update(`${notice.id} ${recipient}`).digest('hex').slice(0, 32);
  return {
    from: parts.from,
    to: recipient,
    subject: notice.subject,
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

export interface Sending {
  store: ContactStore;
  post: Post;
  compose(recipient: string): Mail;
  now(): number;
  wait(ms: number): Promise<void>;
  progress?(done: number, all: number): void;
  mostTries?: number;
}

export interface SendResult {
  sent: number;
  bounced: number;
  waiting: number;
}

/**
 * Sends a notice to everybody planned for it who has not had it. Each recipient has a row that says how far it got, so a
 * crash in the middle goes on where it stopped. Trouble with the mail server is waited out with growing pauses.
 */
export async function sendNotice(id: string, recipients: string[], parts: Sending): Promise<SendResult> {
  const { store } = parts;
  const mostTries = parts.mostTries ?? 8;
  await store.planNotice(id, recipients, parts.now());
  const rows = await store.noticeRows(id);
  const result: SendResult = {
    sent: rows.filter((row) => row.state === 'sent').length,
    bounced: 0,
    waiting: 0,
  };
  let pause = 500;
  for (const row of rows) {
    if (row.state === 'bounced') result.bounced++;
    if (row.state === 'sent' || row.state === 'bounced') continue;
    let state: 'waiting' | 'sent' | 'bounced' = 'waiting';
    for (let tries = row.tries + 1; state === 'waiting' && tries <= row.tries + mostTries; tries++) {
      await store.setNotice(id, row.recipient, 'sending', tries, parts.now());
      try {
        await parts.post(parts.compose(row.recipient));
        state = 'sent';
        pause = 500;
      } catch (error) {
        const code = (error as { responseCode?: number }).responseCode ?? 0;
        if (code >= 500 && code < 600) state = 'bounced';
      }
      await store.setNotice(id, row.recipient, state, tries, parts.now());
      if (state === 'waiting') {
        await parts.wait(pause);
        pause = Math.min(pause * 2, 60_000);
      }
    }
    result[state]++;
    parts.progress?.(result.sent + result.bounced + result.waiting, rows.length);
  }
  return result;
}

function template(name: string): string {
  return readFileSync(new URL(`./templates/${name}`, import.meta.url), 'utf8');
}

function fill(text: string, words: Record<string, string>, written: (word: string) => string): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => written(words[name] ?? ''));
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
