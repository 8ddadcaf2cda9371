import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { oneLine, type Notice } from '../../contacts/mail.ts';
import { isUnsure } from '../../contacts/notices.ts';
import { humanDay } from '@monroney/label/lib/words';
import { sources } from '../../makers/index.ts';
import { ALL_API_ROUTES } from '../../store/contact-store.ts';
import type { SourceSwitch } from '../../store/store.ts';
import { dayOf } from '../command-line.ts';
import { usageError, day, print, table, type AdminContext, type AdminCommand } from './command.ts';
import { sendErrorText, deliver, UNSURE, type SendOptions } from './deliver.ts';

const USAGE =
  'Usage: admin notice labels-stopped ID, admin notice breaking --file text.md --on 2027-01-15, ' +
  'admin notice list, or admin notice withdraw ROUTE.';

const MCP_ROUTE = '/mcp';
/** Calls of this tool are counted under its name instead of the route. */
const COUNTED_TOOL = /^get_window_sticker$/;

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
  const options: SendOptions = { dryRun: values['dry-run'], retryUnsure: values['again-unsure'] };
  const [kind, target, ...rest] = positionals;
  if (rest.length > 0) return usageError(USAGE);
  switch (kind) {
    case 'labels-stopped': {
      const row = (await admin.store.switches()).find((row) => row.source === target);
      if (row?.state !== 'off')
        return usageError(
          `"${target ?? ''}" is not switched off. First: admin source off ${target ?? 'ID'} --reason "…".`,
        );
      return labelsStopped(row, options, admin);
    }
    case 'breaking':
      return breaking(values, options, admin);
    case 'list':
      return list(admin);
    case 'withdraw':
      return withdraw(target ?? '', admin);
    default:
      return usageError(USAGE);
  }
};

/** Goes to every contact that requests labels: by design, we don't know which makes they request. */
export function labelsStopped(off: SourceSwitch, options: SendOptions, admin: AdminContext): Promise<number> {
  const source = sources.find(({ id }) => id === off.source)!;
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
  const servesLabels = (route: string) => /^\/api\/|^\/window-sticker\/|^\/mcp$/.test(route);
  return deliver(notice, (route) => servesLabels(route) || COUNTED_TOOL.test(route), options, admin);
}

interface Breaking {
  file?: string;
  on?: string;
  from?: string;
  route: string[];
}

async function breaking(change: Breaking, options: SendOptions, admin: AdminContext): Promise<number> {
  const { route: routes } = change;
  const { dryRun } = options;
  const sunset = dayOf(change.on ?? '');
  if (!change.file || sunset === null)
    return usageError('A breaking change needs --file text.md and --on YYYY-MM-DD, the day it takes effect.');
  const deprecated = change.from === undefined ? admin.now() : dayOf(change.from);
  if (deprecated === null || deprecated >= sunset)
    return usageError(
      '--on must be in the future, and --from (the first day responses announce it) before it.',
    );
  const unknown = await unknownRoute(routes);
  if (unknown !== undefined)
    return usageError(`There is no route "${unknown}". Write it as /openapi.json does: /api/v1/vin/{vin}.`);
  const sendError = dryRun ? null : sendErrorText(admin);
  if (sendError) return usageError(sendError);
  const text = readFileSync(change.file, 'utf8').trim();
  const title = oneLine(text.split('\n')[0]!.replace(/^#+\s*/, ''), 120);
  if (!title) return usageError(`${change.file} is empty. Its first line becomes the subject.`);

  const notice: Notice = {
    id: `breaking ${day(sunset)} ${title}`,
    template: 'breaking',
    subject: `Breaking change on ${humanDay(sunset)}: ${title}`,
    words: { text, day: humanDay(sunset) },
  };
  const affected = routes.length > 0 ? routes : [ALL_API_ROUTES, MCP_ROUTE];
  const link = `${admin.config.baseUrl}/docs/versioning`;
  if (!dryRun) {
    // Responses announce it too. A second run, for recipients still waiting, doesn't change the dates.
    const before = new Map(
      (await admin.store.contacts.lifecycles()).map((lifecycle) => [lifecycle.route, lifecycle]),
    );
    for (const route of affected) {
      if (before.get(route)?.sunset === sunset && change.from === undefined) continue;
      await admin.store.contacts.announce({ route, deprecated, sunset, link });
    }
    print(`Responses of ${affected.join(', ')} announce it from ${humanDay(deprecated)}.`);
  }
  const isAffected = (route: string) =>
    routes.length === 0 || routes.includes(route) || (routes.includes(MCP_ROUTE) && COUNTED_TOOL.test(route));
  return deliver(notice, isAffected, options, admin);
}

async function list(admin: AdminContext): Promise<number> {
  const { contacts } = admin.store;
  const changes = (await contacts.lifecycles()).map(({ route, deprecated, sunset }) => [
    route,
    day(deprecated),
    sunset === null ? '' : day(sunset),
  ]);
  print(table([['announced for', 'from', 'on'], ...changes]));
  print('');
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
  print(table(rows));
  if (unsure.length === 0) return 0;
  print(`\nUnsure: being sent now, or ${UNSURE}`);
  for (const line of unsure) print(line);
  print('To send to them again, run the command of the notice with --again-unsure.');
  return 0;
}

async function withdraw(route: string, admin: AdminContext): Promise<number> {
  if (!(await admin.store.contacts.withdraw(route)))
    return usageError(`Nothing is announced for "${route}". See: admin notice list.`);
  print(`${route} is no longer announced as changing. Running instances follow within 5 seconds.`);
  return 0;
}

/** The first route that we don't serve. */
async function unknownRoute(routes: string[]): Promise<string | undefined> {
  if (routes.length === 0) return undefined;
  // Loaded here because these load half the service, and no other command needs them.
  const { TEMPLATES } = await import('../../http/routes.ts');
  const { PAGE_TEMPLATES } = await import('../../pages/index.ts');
  const served = new Set(['/mcp', ...TEMPLATES, ...PAGE_TEMPLATES]);
  return routes.find((route) => !served.has(route));
}
