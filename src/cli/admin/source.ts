import { parseArgs } from 'node:util';
import { oneLine } from '../../contacts/mail.ts';
import { sources } from '../../makers/index.ts';
import type { SourceSwitch } from '../../store/store.ts';
import { usageError, day, print, table, type AdminContext, type AdminCommand } from './command.ts';
import { sendErrorText } from './deliver.ts';
import { labelsStopped } from './notice.ts';

const MAX_REASON_CHARACTERS = 300;

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
    return usageError('Use: admin source list, admin source off ID --reason "…", admin source on ID.');
  const source = sources.find((source) => source.id === id);
  if (!source) {
    const problem = id === undefined ? 'Name a source.' : `There is no source "${id}".`;
    return usageError(`${problem} Sources: ${sources.map((s) => s.id).join(', ')}.`);
  }
  if (values['dry-run'] && !values.notify) return usageError('--dry-run needs --notify.');
  if (action === 'on') return on(source.id, admin);
  const reason = oneLine(values.reason, MAX_REASON_CHARACTERS);
  if (!reason) return usageError('Give a reason, which is shown to users: --reason "…".');
  return off(source.id, reason, { notify: values.notify, dryRun: values['dry-run'] }, admin);
};

async function on(source: string, admin: AdminContext): Promise<number> {
  await admin.store.setSwitch({ source, state: 'on', reason: null, since: admin.now() });
  print(`${source} is on. Running instances follow within 5 seconds.`);
  return 0;
}

async function off(
  source: string,
  reason: string,
  { notify, dryRun }: { notify: boolean; dryRun: boolean },
  admin: AdminContext,
): Promise<number> {
  const before = (await admin.store.switches()).find((row) => row.source === source);
  // Changing the reason keeps the date since when it is off.
  const since = before?.state === 'off' ? before.since : admin.now();
  const change: SourceSwitch = { source, state: 'off', reason, since };
  if (dryRun) return labelsStopped(change, { dryRun }, admin);
  const sendError = notify ? sendErrorText(admin) : null;
  if (sendError) return usageError(sendError);
  await admin.store.setSwitch(change);
  print(`${source} is off. Running instances follow within 5 seconds.`);
  if (notify) return labelsStopped(change, { dryRun }, admin);
  print(`To e-mail everyone who requests labels: admin notice labels-stopped ${source} --dry-run`);
  return 0;
}

async function list(admin: AdminContext): Promise<number> {
  const switches = new Map(
    (await admin.store.switches()).map((row): [string, SourceSwitch] => [row.source, row]),
  );
  const rows = sources.map(({ id, makes }) => {
    const row = switches.get(id);
    return [id, row?.state ?? 'on', row ? day(row.since) : '', row?.reason ?? '', makes.join(', ')];
  });
  print(table([['source', 'state', 'since', 'reason', 'makes'], ...rows]));
  return 0;
}
