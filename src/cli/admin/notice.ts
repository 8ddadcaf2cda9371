import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { smtpPost } from '../../contacts/smtp.ts';
import { compose, recipientsOf, sendNotice, type Notice } from '../../contacts/notices.ts';
import { openUnsubscribing } from '../../contacts/unsubscribe.ts';
import { humanDay } from '../../outcomes.ts';
import { sources } from '../../sources/index.ts';
import { complain, day, progress, progressDone, say, type Admin, type AdminCommand } from './command.ts';

const DAY = 86_400_000;

/** Routes that hand out labels, so whose users want to know when labels stop. */
const labelRoutes = (route: string) => /^\/api\/|^\/mcp$|window_sticker$/.test(route);

/** `admin notice labels-stopped ID | breaking --file … --on … [--route …]` */
export const command: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean' },
      file: { type: 'string' },
      on: { type: 'string' },
      route: { type: 'string' },
    },
  });
  const [kind, id] = positionals;
  const dryRun = values['dry-run'] ?? false;
  if (kind === 'labels-stopped') {
    if (!sources.some((source) => source.id === id))
      return complain(`There is no source "${id ?? ''}". Sources: ${sources.map((s) => s.id).join(', ')}.`);
    return labelsStopped(id!, dryRun, admin);
  }
  if (kind !== 'breaking')
    return complain(
      'Use: admin notice labels-stopped ID, or admin notice breaking --file text.md --on 2027-01-15.',
    );
  const sunset = Date.parse(`${values.on ?? ''}T00:00:00Z`);
  if (!values.file || Number.isNaN(sunset))
    return complain('A breaking change needs --file text.md and --on YYYY-MM-DD, the day it takes effect.');
  return breaking({ file: values.file, sunset, route: values.route ?? null, dryRun }, admin);
};

export async function labelsStopped(id: string, dryRun: boolean, admin: Admin): Promise<number> {
  const source = sources.find((one) => one.id === id)!;
  const row = (await admin.store.switches()).find((one) => one.source === id);
  const since = row?.state === 'off' ? row.since : admin.now();
  const notice: Notice = {
    id: `labels-stopped ${id} ${day(since)}`,
    template: 'labels-stopped',
    subject: `${source.name} window stickers are no longer fetched`,
    words: {
      source: source.name,
      day: humanDay(since),
      makes: source.makes.join(', '),
      reason: row?.reason ? `Reason: ${row.reason}` : '',
    },
  };
  return deliver(notice, labelRoutes, dryRun, admin);
}

async function breaking(
  change: { file: string; sunset: number; route: string | null; dryRun: boolean },
  admin: Admin,
): Promise<number> {
  const text = readFileSync(change.file, 'utf8').trim();
  const title = text
    .split('\n')[0]!
    .replace(/^#+\s*/, '')
    .slice(0, 120);
  const notice: Notice = {
    id: `breaking ${day(change.sunset)} ${title}`,
    template: 'breaking',
    subject: `Breaking change on ${humanDay(change.sunset)}: ${title}`,
    words: { text, day: humanDay(change.sunset) },
  };
  if (!change.dryRun && change.route) {
    // From now on the answers themselves say it too: Deprecation, Sunset and a link.
    await admin.store.contacts.announce({
      route: change.route,
      deprecated: admin.now(),
      sunset: change.sunset,
      link: `${admin.config.baseUrl}/docs/versioning`,
    });
  }
  return deliver(notice, (route) => change.route === null || route === change.route, change.dryRun, admin);
}

async function deliver(
  notice: Notice,
  touches: (route: string) => boolean,
  dryRun: boolean,
  admin: Admin,
): Promise<number> {
  const { config, store, now } = admin;
  const recipients = await recipientsOf(store.contacts, day(now() - config.noticeDays * DAY), touches);
  const unsubscribing = await openUnsubscribing(store, config.baseUrl, now);
  const from = config.smtpFrom ?? `Monroney <notices@${new URL(config.baseUrl).hostname}>`;
  const parts = { from, baseUrl: config.baseUrl, unsubscribing };
  if (dryRun) {
    say(`Would go to ${recipients.length} ${recipients.length === 1 ? 'recipient' : 'recipients'}:`);
    for (const recipient of recipients) say(`  ${recipient}`);
    const [first] = recipients;
    if (first) say(`\nSubject: ${notice.subject}\n\n${compose(notice, first, parts).text}`);
    return 0;
  }
  if (!config.smtpUrl)
    return complain('SMTP_URL is not set, so nothing can be sent. Use --dry-run to see who would get it.');
  const mailer = smtpPost(config.smtpUrl);
  try {
    const result = await sendNotice(notice.id, recipients, {
      store: store.contacts,
      post: mailer.post,
      compose: (recipient) => compose(notice, recipient, parts),
      now,
      wait: (ms) => wait(ms),
      progress: (done, all) => progress(`${done} of ${all} handled`),
    });
    progressDone();
    say(`Sent ${result.sent}, bounced ${result.bounced}, still waiting ${result.waiting}.`);
    if (result.waiting === 0) return 0;
    say('Run the same command again to go on with those that are waiting.');
    return 1;
  } finally {
    mailer.close();
  }
}
