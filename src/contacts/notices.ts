import { mailbox } from '../lib/contact.ts';
import type { ContactStore, NoticeRow } from '../store/contact-store.ts';
import type { Mail } from './mail.ts';
import { unsubscribedMark } from './unsubscribe.ts';

/** What came of handing one message to the mail server. */
export type Posted =
  | { kind: 'sent' }
  /** The recipient is refused for good. */
  | { kind: 'bounced'; why: string }
  /** The recipient is refused for now. */
  | { kind: 'later'; why: string }
  /** The mail server cannot be reached or wants us to come back. */
  | { kind: 'down'; why: string }
  /** The mail server refuses us, whoever the recipient is. */
  | { kind: 'refused'; why: string }
  /** We never sent its end, so the mail server has nothing. */
  | { kind: 'withheld' };

/** Everybody who used one of the routes since a day and has not asked to be left alone. */
export async function recipientsOf(
  store: Pick<ContactStore, 'uses' | 'unsubscribed'>,
  sinceDay: string,
  touches: (route: string) => boolean,
): Promise<string[]> {
  const left = new Set(await store.unsubscribed());
  const found = new Set<string>();
  for (const use of await store.uses(sinceDay)) if (touches(use.route)) found.add(mailbox(use.contact));
  return [...found].filter((recipient) => !left.has(unsubscribedMark(recipient))).sort();
}

export interface Sending {
  store: Pick<ContactStore, 'planNotice' | 'noticeRows' | 'setNotice' | 'unsubscribed'>;
  /** Asks `mayEnd` before it sends the end of the message, without which the mail server has nothing. */
  post(mail: Mail, mayEnd: () => Promise<boolean>): Promise<Posted>;
  compose(recipient: string): Promise<Mail>;
  now(): number;
  wait(ms: number): Promise<void>;
  /** Sends once more what an earlier run left unsure. */
  againUnsure?: boolean;
  progress?(done: number, all: number): void;
  /** Tells why it goes slower. */
  trouble?(text: string): void;
}

export interface SendResult {
  sent: number;
  bounced: number;
  waiting: number;
  /** Whom an earlier run was just handing the message over for when it was killed. */
  unsure: string[];
  /** Why it was given up for now; null when everybody was tried. */
  stopped: string | null;
}

const SECOND = 1000;
const FIRST_PAUSE = SECOND / 2;
const LONGEST_PAUSE = 60 * SECOND;
/** A mail server that is away for longer is somebody's work; the rest is sent by the next run. */
const PATIENCE = 30 * 60 * SECOND;
/** Pauses before those that were refused for now are tried again: mail servers that greylist want some minutes. */
const LATER = [60 * SECOND, 5 * 60 * SECOND, 10 * 60 * SECOND];
/** So many refused for good and not one taken: that is us, not them. */
const ALL_BOUNCE = 20;

/** Who has still to get it; whoever unsubscribed since it was planned has not. */
async function openRows(id: string, store: Sending['store']): Promise<NoticeRow[]> {
  const left = new Set(await store.unsubscribed());
  return (await store.noticeRows(id)).filter(
    ({ state, recipient }) => state === 'waiting' && !left.has(unsubscribedMark(recipient)),
  );
}

/**
 * A run that was killed around the end of a message leaves its row at `sending`: the mail server has very likely taken
 * it, and only its log can tell. So it is never sent again unasked, and named until somebody decides.
 */
export const isUnsure = ({ state }: NoticeRow): boolean => state === 'sending';

/**
 * Sends a notice to everybody planned for it who has not had it. Each recipient has a row that says how far it got, so a
 * crash in the middle goes on where it stopped: `sending` is written before the end of the message leaves, `sent` as soon
 * as the server has taken it. Only one process at a time may send a notice; the caller sees to that.
 */
export async function sendNotice(id: string, recipients: string[], parts: Sending): Promise<SendResult> {
  const { store } = parts;
  await store.planNotice(id, recipients, parts.now());
  if (parts.againUnsure)
    for (const { recipient, tries } of (await store.noticeRows(id)).filter(isUnsure))
      await store.setNotice(id, recipient, 'waiting', tries, parts.now());
  let stopped: string | null = null;
  for (const pause of [0, ...LATER]) {
    const open = await openRows(id, store);
    if (open.length === 0 || stopped) break;
    if (pause > 0) {
      parts.trouble?.(`${open.length} refused for now, tried again in ${pause / SECOND} seconds`);
      await parts.wait(pause);
    }
    stopped = await sendRound(id, open, parts);
  }
  const rows = await store.noticeRows(id);
  const count = (state: NoticeRow['state']) => rows.filter((row) => row.state === state).length;
  return {
    sent: count('sent'),
    bounced: count('bounced'),
    waiting: (await openRows(id, store)).length,
    unsure: rows.filter(isUnsure).map(({ recipient }) => recipient),
    stopped,
  };
}

/** Each of these once; answers why it stopped before the end, or null. */
async function sendRound(id: string, rows: NoticeRow[], parts: Sending): Promise<string | null> {
  const { store } = parts;
  const bounced: NoticeRow[] = [];
  let taken = 0;
  for (const [index, row] of rows.entries()) {
    const mail = await parts.compose(row.recipient);
    const mark = async (state: NoticeRow['state']) =>
      store.setNotice(id, row.recipient, state, row.tries + 1, parts.now());
    // No row any more: forgotten since the round began.
    if (!(await mark('waiting'))) continue;
    const posted = await patiently(() => handOver(mail, mark, parts), parts);
    if (posted.kind === 'down' || posted.kind === 'refused') return posted.why;
    if (posted.kind === 'sent') taken++;
    if (posted.kind === 'bounced') bounced.push(row);
    if (taken === 0 && bounced.length >= ALL_BOUNCE) {
      for (const { recipient, tries } of bounced)
        await store.setNotice(id, recipient, 'waiting', tries + 1, parts.now());
      return `every recipient so far was refused: ${posted.kind === 'bounced' ? posted.why : ''}`;
    }
    parts.progress?.(index + 1, rows.length);
  }
  return null;
}

/** One try, and what is written down of it. */
async function handOver(
  mail: Mail,
  mark: (state: NoticeRow['state']) => Promise<boolean>,
  parts: Sending,
): Promise<Posted> {
  let marked = Promise.resolve(true);
  let answered = false;
  const posted = await parts.post(mail, () => {
    // The server may refuse a message before it has all of it.
    if (answered) return Promise.resolve(false);
    marked = mark('sending');
    return marked.catch(() => false);
  });
  answered = true;
  await marked;
  // Without its row the recipient was forgotten meanwhile.
  if (posted.kind !== 'withheld')
    await mark(posted.kind === 'sent' || posted.kind === 'bounced' ? posted.kind : 'waiting');
  return posted;
}

/** While the mail server is away the same message is tried again, with growing pauses. */
async function patiently(post: () => Promise<Posted>, parts: Sending): Promise<Posted> {
  let waited = 0;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const posted = await post();
    if (posted.kind !== 'down' || waited >= PATIENCE) return posted;
    parts.trouble?.(`mail server: ${posted.why}; tried again in ${pause / SECOND} seconds`);
    await parts.wait(pause);
    waited += pause;
  }
}
