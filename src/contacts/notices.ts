import { type ContactStore, mailbox, type NoticeRow } from '../store/contact-store.ts';
import type { Mail } from './mail.ts';
import { unsubscribedHash } from './unsubscribe.ts';

/** The result of sending one message to the mail server. */
export type SendOutcome =
  | { kind: 'sent' }
  /** The recipient was rejected permanently. */
  | { kind: 'bounced'; why: string }
  /** The recipient was rejected temporarily. */
  | { kind: 'later'; why: string }
  /** The mail server can't be reached or asks us to retry. */
  | { kind: 'down'; why: string }
  /** The mail server rejects us, for any recipient. */
  | { kind: 'refused'; why: string }
  /** We didn't send the end of the message, so the mail server discards it. */
  | { kind: 'withheld' };

/** Contacts that used an affected route since a day and haven't unsubscribed. */
export async function recipientsOf(
  store: Pick<ContactStore, 'uses' | 'unsubscribed'>,
  sinceDay: string,
  isAffected: (route: string) => boolean,
): Promise<string[]> {
  const unsubscribed = new Set(await store.unsubscribed());
  const recipients = new Set<string>();
  for (const use of await store.uses(sinceDay))
    if (isAffected(use.route)) recipients.add(mailbox(use.contact));
  return [...recipients].filter((recipient) => !unsubscribed.has(unsubscribedHash(recipient))).sort();
}

export interface SendOptions {
  store: Pick<ContactStore, 'planNotice' | 'noticeRows' | 'setNotice' | 'unsubscribed'>;
  /** Calls `beforeEnd` before it sends the end of the message, without which the mail server discards it. */
  send(mail: Mail, beforeEnd: () => Promise<boolean>): Promise<SendOutcome>;
  compose(recipient: string): Promise<Mail>;
  now(): number;
  wait(ms: number): Promise<void>;
  /** Sends the messages again that an earlier run left unsure. */
  retryUnsure?: boolean;
  progress?(done: number, all: number): void;
  /** Reports why sending is delayed. */
  onDelay?(text: string): void;
}

export interface SendResult {
  sent: number;
  bounced: number;
  waiting: number;
  /** Recipients whose message was being sent when an earlier run was killed. */
  unsure: string[];
  /** Why it stopped early; null if every recipient was tried. */
  stopped: string | null;
}

const SECOND_MS = 1000;
const MIN_BACKOFF_MS = SECOND_MS / 2;
const MAX_BACKOFF_MS = 60 * SECOND_MS;
/** If the mail server is down for longer, a person has to act, and the next run sends the rest. */
const MAX_DOWN_MS = 30 * 60 * SECOND_MS;
/** Waiting times before temporarily rejected recipients are retried: greylisting takes some minutes. */
const RETRY_MS = [60 * SECOND_MS, 5 * 60 * SECOND_MS, 10 * 60 * SECOND_MS];
/** If this many bounce and none is accepted, the cause is on our side. */
const MAX_BOUNCES_WITHOUT_SUCCESS = 20;

/** Recipients that still have to get it. They may have unsubscribed since it was planned. */
async function pendingRows(id: string, store: SendOptions['store']): Promise<NoticeRow[]> {
  const unsubscribed = new Set(await store.unsubscribed());
  return (await store.noticeRows(id)).filter(
    ({ state, recipient }) => state === 'waiting' && !unsubscribed.has(unsubscribedHash(recipient)),
  );
}

/**
 * A run that was killed around the end of a message leaves its row at `sending`. The mail server has probably accepted
 * the message, but only its log can tell. So we list it and send it again only if the operator says so.
 */
export const isUnsure = ({ state }: NoticeRow): boolean => state === 'sending';

/**
 * Sends a notice to all planned recipients that haven't received it. Each recipient has a row with its state, so that a run
 * after a crash continues where the last one stopped: `sending` is written before the end of the message is sent, `sent` as
 * soon as the server has accepted it. The caller must make sure that only one process sends a notice at a time.
 */
export async function sendNotice(
  id: string,
  recipients: string[],
  options: SendOptions,
): Promise<SendResult> {
  const { store } = options;
  await store.planNotice(id, recipients, options.now());
  if (options.retryUnsure)
    for (const { recipient, tries } of (await store.noticeRows(id)).filter(isUnsure))
      await store.setNotice(id, recipient, 'waiting', tries, options.now());
  let stopped: string | null = null;
  for (const pauseMs of [0, ...RETRY_MS]) {
    const pending = await pendingRows(id, store);
    if (pending.length === 0 || stopped) break;
    if (pauseMs > 0) {
      options.onDelay?.(`${pending.length} rejected temporarily; retrying in ${pauseMs / SECOND_MS} seconds`);
      await options.wait(pauseMs);
    }
    stopped = await sendRound(id, pending, options);
  }
  const rows = await store.noticeRows(id);
  const count = (state: NoticeRow['state']) => rows.filter((row) => row.state === state).length;
  return {
    sent: count('sent'),
    bounced: count('bounced'),
    waiting: (await pendingRows(id, store)).length,
    unsure: rows.filter(isUnsure).map(({ recipient }) => recipient),
    stopped,
  };
}

/** Tries each row once. Returns why it stopped early, or null. */
async function sendRound(id: string, rows: NoticeRow[], options: SendOptions): Promise<string | null> {
  const { store } = options;
  const bounced: NoticeRow[] = [];
  let accepted = 0;
  for (const [index, row] of rows.entries()) {
    const mail = await options.compose(row.recipient);
    const mark = async (state: NoticeRow['state']) =>
      store.setNotice(id, row.recipient, state, row.tries + 1, options.now());
    // The row is gone: the contact was forgotten since the round began.
    if (!(await mark('waiting'))) continue;
    const outcome = await retryWhileDown(() => sendOnce(mail, mark, options), options);
    if (outcome.kind === 'down' || outcome.kind === 'refused') return outcome.why;
    if (outcome.kind === 'sent') accepted++;
    if (outcome.kind === 'bounced') bounced.push(row);
    if (accepted === 0 && bounced.length >= MAX_BOUNCES_WITHOUT_SUCCESS) {
      for (const { recipient, tries } of bounced)
        await store.setNotice(id, recipient, 'waiting', tries + 1, options.now());
      return `every recipient so far was rejected: ${outcome.kind === 'bounced' ? outcome.why : ''}`;
    }
    options.progress?.(index + 1, rows.length);
  }
  return null;
}

/** Makes one attempt and records its result. */
async function sendOnce(
  mail: Mail,
  mark: (state: NoticeRow['state']) => Promise<boolean>,
  options: SendOptions,
): Promise<SendOutcome> {
  let marked = Promise.resolve(true);
  let responded = false;
  const outcome = await options.send(mail, () => {
    // The server may reject a message before all of it is sent.
    if (responded) return Promise.resolve(false);
    marked = mark('sending');
    return marked.catch(() => false);
  });
  responded = true;
  await marked;
  // Withheld means that the row is gone, because the recipient was forgotten.
  if (outcome.kind !== 'withheld')
    await mark(outcome.kind === 'sent' || outcome.kind === 'bounced' ? outcome.kind : 'waiting');
  return outcome;
}

/** Retries the message with exponential backoff while the mail server is down. */
async function retryWhileDown(send: () => Promise<SendOutcome>, options: SendOptions): Promise<SendOutcome> {
  let waitedMs = 0;
  for (let pauseMs = MIN_BACKOFF_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_BACKOFF_MS)) {
    const outcome = await send();
    if (outcome.kind !== 'down' || waitedMs >= MAX_DOWN_MS) return outcome;
    options.onDelay?.(`mail server: ${outcome.why}; retrying in ${pauseMs / SECOND_MS} seconds`);
    await options.wait(pauseMs);
    waitedMs += pauseMs;
  }
}
