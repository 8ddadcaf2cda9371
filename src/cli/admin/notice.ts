import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ALL_API_ROUTES } from '../../contacts/lifecycles.ts';
import { oneLine, type Notice } from '../../contacts/mail.ts';
import { isUnsure } from '../../contacts/notices.ts';
import { humanDay } from '../../lib/words.ts';
import { sources } from '../../makers/index.ts';
import type { SourceSwitch } from '../../store/store.ts';
import { complain, day, say, table, type Admin, type AdminCommand } from './command.ts';
import { cannotSend, deliver, UNSURE, type Manner } from './deliver.ts';

const USE =
  'Use: admin notice labels-stopped ID, admin notice breaking --file text.md --on 2027-01-15, ' +
  'admin notice list, or admin notice withdraw ROUTE.';

const TOOLS = '/mcp';
const TOOL = /^get_window_sticker$/;

/** `admin notice labels-stopped ID | breaking --file … --on … [--from …] [--route …] | list | withdraw ROUTE` */
export const command: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      'again-unsure': { type: 'boolean', default: false },
      file: { type: 'string' },
      on: { type: 'string' },
      from: { type: 'string' },
      route: { type: 'string', multiple: true, default: [] },
    },
  });
  const manner: Manner = { dryRun: values['dry-run'], againUnsure: values['again-unsure'] };
  const [kind, what, ...rest] = positionals;
  if (rest.length > 0) return complain(USE);
  switch (kind) {
    case 'labels-stopped': {
      const row = (await admin.store.switches()).find((one) => one.source === what);
      if (row?.state !== 'off')
        return complain(`"${what ?? ''}" is not switched off. First: admin source off ID --reason "…".`);
      return labelsStopped(row, manner, admin);
    }
    case 'breaking':
      return breaking(values, manner, admin);
    case 'list':
      return list(admin);
    case 'withdraw':
      return withdraw(what ?? '', admin);
    default:
      return complain(USE);
  }
};

/** To everybody who asks for labels: which makes they ask for is not known, on purpose. */
export function labelsStopped(off: SourceSwitch, manner: Manner, admin: Admin): Promise<number> {
  const source = sources.find((one) => one.id === off.source)!;
  const notice: Notice = {
    id: `labels-stopped ${off.source} ${day(off.since)}`,
    template: 'labels-stopped',
    subject: `${source.name} window stickers are no longer fetched`,
    words: {
      source: source.name,
      day: humanDay(off.since),
      makes: source.makes.join(', '),
      reason: off.reason ? `Reason: ${off.reason}` : '',
    },
  };
  const handsOutLabels = (route: string) => /^\/api\/|^\/window-sticker\/|^\/mcp$/.test(route);
  return deliver(notice, (route) => handsOutLabels(route) || TOOL.test(route), manner, admin);
}

interface Breaking {
  file?: string;
  on?: string;
  from?: string;
  route: string[];
}

async function breaking(change: Breaking, manner: Manner, admin: Admin): Promise<number> {
  const { route: routes } = change;
  const { dryRun } = manner;
  const sunset = dayOf(change.on);
  if (!change.file || sunset === null)
    return complain('A breaking change needs --file text.md and --on YYYY-MM-DD, the day it takes effect.');
  const deprecated = change.from === undefined ? admin.now() : dayOf(change.from);
  if (deprecated === null || deprecated >= sunset)
    return complain(
      '--on must be a day to come, and --from (the day the answers begin to say so) before it.',
    );
  const unknown = await unknownOf(routes);
  if (unknown !== undefined)
    return complain(`There is no route "${unknown}". Write it as /openapi.json does: /api/v1/vin/{vin}.`);
  const hindrance = dryRun ? null : cannotSend(admin);
  if (hindrance) return complain(hindrance);
  const text = readFileSync(change.file, 'utf8').trim();
  const title = oneLine(text.split('\n')[0]!.replace(/^#+\s*/, ''), 120);
  if (!title) return complain(`${change.file} is empty. Its first line becomes the subject.`);

  const notice: Notice = {
    id: `breaking ${day(sunset)} ${title}`,
    template: 'breaking',
    subject: `Breaking change on ${humanDay(sunset)}: ${title}`,
    words: { text, day: humanDay(sunset) },
  };
  const affected = routes.length > 0 ? routes : [ALL_API_ROUTES, TOOLS];
  const link = `${admin.config.baseUrl}/docs/versioning`;
  if (!dryRun) {
    // The answers themselves say it too. A second run for those still waiting does not move the day.
    const before = new Map((await admin.store.contacts.lifecycles()).map((one) => [one.route, one]));
    for (const route of affected) {
      if (before.get(route)?.sunset === sunset && change.from === undefined) continue;
      await admin.store.contacts.announce({ route, deprecated, sunset, link });
    }
    say(`Answers of ${affected.join(', ')} say so from ${humanDay(deprecated)}.`);
  }
  const touches = (route: string) =>
    routes.length === 0 || routes.includes(route) || (routes.includes(TOOLS) && TOOL.test(route));
  return deliver(notice, touches, manner, admin);
}

async function list(admin: Admin): Promise<number> {
  const { contacts } = admin.store;
  const changes = (await contacts.lifecycles()).map((one) => [
    one.route,
    day(one.deprecated),
    one.sunset === null ? '' : day(one.sunset),
  ]);
  say(table([['announced for', 'from', 'on'], ...changes]));
  say('');
  const rows: (string | number)[][] = [['notice', 'sent', 'bounced', 'waiting', 'unsure']];
  const unsure: string[] = [];
  for (const notice of await contacts.notices()) {
    const count = { sent: 0, bounced: 0, waiting: 0, sending: 0 };
    for (const row of await contacts.noticeRows(notice)) {
      count[row.state]++;
      if (isUnsure(row)) unsure.push(`  ${row.recipient} (${notice})`);
    }
    rows.push([notice, count.sent, count.bounced, count.waiting, count.sending]);
  }
  say(table(rows));
  if (unsure.length === 0) return 0;
  say(`\nUnsure: just being sent, or ${UNSURE}`);
  for (const line of unsure) say(line);
  say('To send to them once more: the command of the notice with --again-unsure.');
  return 0;
}

async function withdraw(route: string, admin: Admin): Promise<number> {
  if (!(await admin.store.contacts.withdraw(route)))
    return complain(`Nothing is announced for "${route}". See: admin notice list.`);
  say(`${route} is no longer announced as changing. Running instances follow within 5 seconds.`);
  return 0;
}

/** The first that no answer of ours comes from. */
async function unknownOf(routes: string[]): Promise<string | undefined> {
  if (routes.length === 0) return undefined;
  // Half the service hangs on these, and no other command needs it.
  const { apiRoute } = await import('../../http/routes.ts');
  const { routeOf } = await import('../../pages/index.ts');
  return routes.find((route) => apiRoute(route)?.template !== route && routeOf(route) !== route);
}

/** Midnight UTC of `2027-01-15`; null when there is no such day. */
function dayOf(text = ''): number | null {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || day(at) !== text ? null : at;
}
