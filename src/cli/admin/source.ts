import { parseArgs } from 'node:util';
import { oneLine } from '../../contacts/mail.ts';
import { sources } from '../../makers/index.ts';
import type { SourceSwitch } from '../../store/store.ts';
import { complain, day, say, table, type Admin, type AdminCommand } from './command.ts';
import { cannotSend } from './deliver.ts';
import { labelsStopped } from './notice.ts';

const MOST_REASON = 300;

/** `admin source list | off ID --reason … [--notify [--dry-run]] | on ID` */
export const command: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      reason: { type: 'string', default: '' },
      notify: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [action, id, ...rest] = positionals;
  if (action === 'list' && id === undefined) return list(admin);
  if ((action !== 'on' && action !== 'off') || rest.length > 0)
    return complain('Use: admin source list, admin source off ID --reason "…", admin source on ID.');
  const source = sources.find((one) => one.id === id);
  if (!source)
    return complain(`There is no source "${id ?? ''}". Sources: ${sources.map((s) => s.id).join(', ')}.`);
  if (values['dry-run'] && !values.notify) return complain('--dry-run goes with --notify.');
  if (action === 'on') return on(source.id, admin);
  const reason = oneLine(values.reason, MOST_REASON);
  if (!reason) return complain('Say why, people will read it: --reason "…".');
  return off(source.id, reason, { notify: values.notify, dryRun: values['dry-run'] }, admin);
};

async function on(source: string, admin: Admin): Promise<number> {
  await admin.store.setSwitch({ source, state: 'on', reason: null, since: admin.now() });
  say(`${source} is on. Running instances follow within 5 seconds.`);
  return 0;
}

async function off(
  source: string,
  reason: string,
  { notify, dryRun }: { notify: boolean; dryRun: boolean },
  admin: Admin,
): Promise<number> {
  const before = (await admin.store.switches()).find((row) => row.source === source);
  // Another reason for what is off already does not make it off since today.
  const since = before?.state === 'off' ? before.since : admin.now();
  const change: SourceSwitch = { source, state: 'off', reason, since };
  if (dryRun) return labelsStopped(change, { dryRun }, admin);
  const hindrance = notify ? cannotSend(admin) : null;
  if (hindrance) return complain(hindrance);
  await admin.store.setSwitch(change);
  say(`${source} is off. Running instances follow within 5 seconds.`);
  if (notify) return labelsStopped(change, { dryRun }, admin);
  say(`To tell everybody who asks for labels: admin notice labels-stopped ${source} --dry-run`);
  return 0;
}

async function list(admin: Admin): Promise<number> {
  const switches = new Map(
    (await admin.store.switches()).map((row): [string, SourceSwitch] => [row.source, row]),
  );
  const rows = sources.map(({ id, makes }) => {
    const row = switches.get(id);
    return [id, row?.state ?? 'on', row ? day(row.since) : '', row?.reason ?? '', makes.join(', ')];
  });
  say(table([['source', 'state', 'since', 'reason', 'makes'], ...rows]));
  return 0;
}
