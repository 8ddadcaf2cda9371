import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { compose, type Notice } from '../../contacts/mail.ts';
import { isUnsure, recipientsOf, sendNotice, type SendResult } from '../../contacts/notices.ts';
import { openUnsubscribeLinks } from '../../contacts/unsubscribe.ts';
import { lockFile } from '../../store/embedded/open.ts';
import { usageError, day, progress, progressDone, print, type AdminContext } from './command.ts';

const DAY_MS = 86_400_000;

/** Why a notice can't be sent; null when it can. */
export function sendErrorText({ config }: AdminContext): string | null {
  return config.smtpUrl ? null : 'Set SMTP_URL to send e-mail, or use --dry-run to see who would get it.';
}

export interface SendOptions {
  dryRun: boolean;
  retryUnsure?: boolean;
}

/** Sends a notice to every contact that used an affected route within `NOTICE_DAYS`. A dry run only prints it. */
export async function deliver(
  notice: Notice,
  isAffected: (route: string) => boolean,
  { dryRun, retryUnsure = false }: SendOptions,
  admin: AdminContext,
): Promise<number> {
  const { config, store, now } = admin;
  const recipients = await recipientsOf(store.contacts, day(now() - config.noticeDays * DAY_MS), isAffected);
  const from = config.smtpFrom ?? `Monroney <notices@${new URL(config.baseUrl).hostname}>`;
  const mailOptions = { from, baseUrl: config.baseUrl };
  if (dryRun) return show(notice, recipients, retryUnsure, mailOptions, admin);
  const sendError = sendErrorText(admin);
  if (sendError) return usageError(sendError);
  const unsubscribeLinks = await openUnsubscribeLinks(store, config.baseUrl, now);
  return withSenderLock(admin, async () => {
    const { openMailer } = await import('../../contacts/smtp.ts');
    const mailer = openMailer(config.smtpUrl!);
    try {
      const result = await sendNotice(notice.id, recipients, {
        store: store.contacts,
        send: mailer.send,
        compose: async (recipient) =>
          compose(notice, recipient, { ...mailOptions, unsubscribe: await unsubscribeLinks.link(recipient) }),
        now,
        wait: (ms) => wait(ms),
        retryUnsure,
        progress: (done, all) => progress(`${done} of ${all} handled`),
        onDelay: (text) => {
          progressDone();
          process.stderr.write(`${text}\n`);
        },
      });
      progressDone();
      return report(result);
    } finally {
      mailer.close();
    }
  });
}

/** Explains a row that says `sending` although no process is sending. */
export const UNSURE =
  "the command was killed while the mail server was receiving the message. Only the mail server's log says whether it accepted it.";

function report({ sent, bounced, waiting, unsure, stopped }: SendResult): number {
  print(`Sent ${sent}, bounced ${bounced}, still waiting ${waiting}.`);
  if (unsure.length > 0) {
    print(`Unsure about ${unsure.length}: ${UNSURE}`);
    for (const recipient of unsure) print(`  ${recipient}`);
    print('To send to them again, run the same command with --again-unsure.');
  }
  if (stopped) print(`Stopped: ${stopped}`);
  if (waiting === 0) return 0;
  print('Run the same command again to send the rest.');
  return 1;
}

async function show(
  notice: Notice,
  recipients: string[],
  retryUnsure: boolean,
  mailOptions: { from: string; baseUrl: string },
  { store }: AdminContext,
): Promise<number> {
  const alreadySent = new Set(
    (await store.contacts.noticeRows(notice.id))
      .filter((row) => (isUnsure(row) ? !retryUnsure : row.state !== 'waiting'))
      .map(({ recipient }) => recipient),
  );
  const remaining = recipients.filter((recipient) => !alreadySent.has(recipient));
  const note = alreadySent.size > 0 ? `; ${alreadySent.size} already got it` : '';
  print(`Would go to ${remaining.length} ${remaining.length === 1 ? 'recipient' : 'recipients'}${note}:`);
  for (const recipient of remaining) print(`  ${recipient}`);
  const unsubscribe = `${mailOptions.baseUrl}/unsubscribe?to=…&key=…`;
  const mail = compose(notice, remaining[0] ?? 'dev@example.org', { ...mailOptions, unsubscribe });
  print(`\nFrom: ${mail.from}\nSubject: ${mail.subject}\n\n${mail.text}`);
  return 0;
}

/** Two processes that send one notice would send some messages twice. */
async function withSenderLock(admin: AdminContext, work: () => Promise<number>): Promise<number> {
  const { store, config } = admin;
  if (store.coordination) return store.coordination.singleFlight.once('notices', work);
  const busy = 'Another command is sending notices. Wait until it ends, then run this again.';
  const lock = lockFile(path.join(config.dataDir, 'notices.lock'), busy);
  try {
    return await work();
  } finally {
    lock.release();
  }
}
