import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { compose, type Notice } from '../../contacts/mail.ts';
import { isUnsure, recipientsOf, sendNotice, type SendResult } from '../../contacts/notices.ts';
import { openUnsubscribeLinks } from '../../contacts/unsubscribe.ts';
import { lockFile } from '../../store/embedded/lock.ts';
import { complain, day, progress, progressDone, say, type Admin } from './command.ts';

const DAY = 86_400_000;

/** Why a notice could not be sent; null when it can. */
export function cannotSend({ config }: Admin): string | null {
  return config.smtpUrl
    ? null
    : 'SMTP_URL is not set, so nothing can be sent. Use --dry-run to see who would get it.';
}

/** How a notice is to be sent. */
export interface Manner {
  dryRun: boolean;
  againUnsure?: boolean;
}

/** Sends a notice to everybody who used a touched route within `NOTICE_DAYS`, or on a dry run only shows it. */
export async function deliver(
  notice: Notice,
  touches: (route: string) => boolean,
  { dryRun, againUnsure = false }: Manner,
  admin: Admin,
): Promise<number> {
  const { config, store, now } = admin;
  const recipients = await recipientsOf(store.contacts, day(now() - config.noticeDays * DAY), touches);
  const from = config.smtpFrom ?? `Monroney <notices@${new URL(config.baseUrl).hostname}>`;
  const parts = { from, baseUrl: config.baseUrl };
  if (dryRun) return show(notice, recipients, againUnsure, parts, admin);
  const hindrance = cannotSend(admin);
  if (hindrance) return complain(hindrance);
  const unsubscribeLinks = await openUnsubscribeLinks(store, config.baseUrl, now);
  return oneSender(admin, async () => {
    const { openMailer } = await import('../../contacts/smtp.ts');
    const mailer = openMailer(config.smtpUrl!);
    try {
      const result = await sendNotice(notice.id, recipients, {
        store: store.contacts,
        post: mailer.post,
        compose: async (recipient) =>
          compose(notice, recipient, { ...parts, unsubscribe: await unsubscribeLinks.link(recipient) }),
        now,
        wait: (ms) => wait(ms),
        againUnsure,
        progress: (done, all) => progress(`${done} of ${all} handled`),
        onDelay: (text) => {
          progressDone();
          process.stderr.write(`${text}\n`);
        },
      });
      progressDone();
      return told(result);
    } finally {
      mailer.close();
    }
  });
}

/** What became of a message whose row says `sending` though nobody is sending. */
export const UNSURE =
  'handed to the mail server just when the sender was stopped. Only the log of the mail server tells whether it took it.';

function told({ sent, bounced, waiting, unsure, stopped }: SendResult): number {
  say(`Sent ${sent}, bounced ${bounced}, still waiting ${waiting}.`);
  if (unsure.length > 0) {
    say(`Unsure ${unsure.length}: ${UNSURE}`);
    for (const recipient of unsure) say(`  ${recipient}`);
    say('To send to them once more: the same command with --again-unsure.');
  }
  if (stopped) say(`Stopped: ${stopped}`);
  if (waiting === 0) return 0;
  say('Run the same command again to go on with those that are waiting.');
  return 1;
}

async function show(
  notice: Notice,
  recipients: string[],
  againUnsure: boolean,
  parts: { from: string; baseUrl: string },
  { store }: Admin,
): Promise<number> {
  const had = new Set(
    (await store.contacts.noticeRows(notice.id))
      .filter((row) => (isUnsure(row) ? !againUnsure : row.state !== 'waiting'))
      .map(({ recipient }) => recipient),
  );
  const left = recipients.filter((recipient) => !had.has(recipient));
  const already = had.size > 0 ? `; ${had.size} had it before` : '';
  say(`Would go to ${left.length} ${left.length === 1 ? 'recipient' : 'recipients'}${already}:`);
  for (const recipient of left) say(`  ${recipient}`);
  const unsubscribe = `${parts.baseUrl}/unsubscribe?to=…&key=…`;
  const mail = compose(notice, left[0] ?? 'dev@example.org', { ...parts, unsubscribe });
  say(`\nFrom: ${mail.from}\nSubject: ${mail.subject}\n\n${mail.text}`);
  return 0;
}

/** Two processes sending one notice would each send some of it twice. */
async function oneSender(admin: Admin, work: () => Promise<number>): Promise<number> {
  const { store, config } = admin;
  if (store.coordination) return store.coordination.singleFlight.once('notices', work);
  const held = 'Another command is sending notices just now. Wait for it to end, then run this again.';
  const lock = lockFile(path.join(config.dataDir, 'notices.lock'), held);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
