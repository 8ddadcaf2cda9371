import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { oneLine } from '../../contacts/mail.ts';
import { listQuarantine, quarantineDir, removeEntries } from '../../lookup/quarantine.ts';
import { sources } from '../../makers/index.ts';
import type { SourceSwitch } from '../../store/store.ts';
import { usageError, day, print, table, type AdminContext, type AdminCommand } from './command.ts';
import { sendErrorText } from './deliver.ts';
import { labelsOf, printPurge } from './labels.ts';
import { labelsStopped } from './notice.ts';
import { MAX_REASON_CHARACTERS } from './withdraw.ts';

/** `admin source list | off ID --reason … [--withhold] [--notify [--dry-run]] | on ID` */
export const source: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      reason: { type: 'string', default: '' },
      notify: { type: 'boolean', default: false },
      withhold: { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const [action, id, ...rest] = positionals;
  if (action === 'list' && id === undefined) return listSources(admin);
  if ((action !== 'on' && action !== 'off') || rest.length > 0)
    return usageError('Usage: admin source list, admin source off ID --reason "…", admin source on ID.');
  const named = sources.find((candidate) => candidate.id === id);
  if (!named) {
    const problem = id === undefined ? 'Name a source.' : `There is no source "${id}".`;
    return usageError(`${problem} Sources: ${sources.map((candidate) => candidate.id).join(', ')}.`);
  }
  if (values['dry-run'] && !values.notify) return usageError('--dry-run needs --notify.');
  if (action === 'on') return switchOn(named.id, admin);
  const reason = oneLine(values.reason, MAX_REASON_CHARACTERS);
  if (!reason) return usageError('Give a reason, which is shown to users: --reason "…".');
  const { notify, withhold, 'dry-run': dryRun } = values;
  return switchOff(named.id, reason, { notify, withhold, dryRun }, admin);
};

async function switchOn(source: string, admin: AdminContext): Promise<number> {
  const before = (await admin.store.switches()).find((row) => row.source === source);
  await admin.store.setSwitch({ source, state: 'on', reason: null, since: admin.now() });
  print(`${source} is on. Running instances follow within 5 seconds.`);
  if (before?.withheld)
    print('Its stored labels are served again. Caches may say for an hour that they are withdrawn.');
  return 0;
}

async function switchOff(
  source: string,
  reason: string,
  { notify, withhold, dryRun }: { notify: boolean; withhold: boolean; dryRun: boolean },
  admin: AdminContext,
): Promise<number> {
  const before = (await admin.store.switches()).find((row) => row.source === source);
  // Another reason must not serve the labels again: only `source on` does.
  const withheld = withhold || before?.withheld === true;
  // Changing the reason keeps the date.
  const isSame = before?.state === 'off' && withheld === (before.withheld === true);
  const since = isSame ? before.since : admin.now();
  const change: SourceSwitch = {
    source,
    state: 'off',
    reason,
    since,
    ...(withheld ? { withheld } : {}),
  };
  if (dryRun) return labelsStopped(change, { dryRun }, admin);
  const sendError = notify ? sendErrorText(admin) : null;
  if (sendError) return usageError(sendError);
  await admin.store.setSwitch(change);
  print(`${source} is off. Running instances follow within 5 seconds.`);
  if (withheld) await describeWithheld(source, admin);
  if (notify) return labelsStopped(change, { dryRun }, admin);
  print(`To e-mail everyone who requests labels: admin notice labels-stopped ${source} --dry-run`);
  return 0;
}

async function describeWithheld(source: string, admin: AdminContext): Promise<void> {
  let count = 0;
  for await (const _ of labelsOf(admin, { source })) count++;
  print(
    `Its stored labels (${count}) are not served, but not deleted. To undo it: admin source on ${source}`,
  );
  print(`To see which they are: admin labels --source ${source}`);
  if (count > 0) await printPurge(null, admin);
}

async function listSources(admin: AdminContext): Promise<number> {
  const switches = new Map(
    (await admin.store.switches()).map((row): [string, SourceSwitch] => [row.source, row]),
  );
  const rows = sources.map(({ id, makes }) => {
    const row = switches.get(id);
    const state = row?.withheld ? 'off, withheld' : (row?.state ?? 'on');
    return [id, state, row ? day(row.since) : '', row?.reason ?? '', makes.join(', ')];
  });
  print(table([['source', 'state', 'since', 'reason', 'makes'], ...rows]));
  return 0;
}

const QUARANTINE_USAGE =
  'Usage: admin quarantine [--json], admin quarantine show ID, admin quarantine remove ID… (or --all).';

const LISTED = ['id', 'source', 'verdict', 'vin', 'status', 'bytes'] as const;

/** `admin quarantine [show ID | remove ID… | remove --all]`: source responses that no rule explains. */
export const quarantine: AdminCommand = async (args, { config }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  const [action = 'list', ...ids] = positionals;
  const dir = quarantineDir(config.dataDir);
  const entries = await listQuarantine(dir);
  const unknown = ids.find((id) => !entries.some((entry) => entry.id === id));
  if (unknown !== undefined) return usageError(`There is no entry "${unknown}". See: admin quarantine.`);
  switch (action) {
    case 'list': {
      if (ids.length > 0 || values.all) return usageError(QUARANTINE_USAGE);
      const rows = entries.map(({ id, record }) => ({ id, ...record }));
      const cells = rows.map((row) => LISTED.map((field) => row[field]));
      if (values.json) print(JSON.stringify(rows, null, 2));
      else if (rows.length === 0) print(`Nothing is quarantined in ${resolve(dir)}.`);
      else print(table([['id', 'source', 'reason', 'VIN', 'status', 'bytes'], ...cells]));
      return 0;
    }
    case 'show': {
      const [entry] = entries.filter(({ id }) => id === ids[0]);
      if (!entry || ids.length > 1 || values.all) return usageError(QUARANTINE_USAGE);
      print(JSON.stringify(entry.record, null, 2));
      if (entry.record.body) print(`Body: ${resolve(dir, entry.record.body)}`);
      return 0;
    }
    case 'remove': {
      if (values.all === ids.length > 0) return usageError(QUARANTINE_USAGE);
      const removed = values.all ? entries.map(({ id }) => id) : ids;
      await removeEntries(dir, removed);
      print(`${removed.length} removed.`);
      return 0;
    }
    default:
      return usageError(QUARANTINE_USAGE);
  }
};
