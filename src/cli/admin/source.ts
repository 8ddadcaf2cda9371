import { parseArgs } from 'node:util';
import { sources } from '../../sources/index.ts';
import type { SourceSwitch } from '../../store/store.ts';
import { complain, day, say, table, type Admin, type AdminCommand } from './command.ts';
import { labelsStopped } from './notice.ts';

/** `admin source list | off ID --reason … [--notify] | on ID` */
export const command: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { reason: { type: 'string' }, notify: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
  });
  const [action, id] = positionals;
  if (action === 'list') return list(admin);
  if (action !== 'on' && action !== 'off')
    return complain('Use: admin source list, admin source off ID --reason "…", admin source on ID.');
  if (!sources.some((source) => source.id === id))
    return complain(`There is no source "${id ?? ''}". Sources: ${sources.map((s) => s.id).join(', ')}.`);
  if (action === 'off' && !values.reason) return complain('Say why, people will read it: --reason "…".');
  await admin.store.setSwitch({
    source: id!,
    state: action,
    reason: values.reason ?? null,
    since: admin.now(),
  });
  say(`${id} is ${action}. Running instances follow within 5 seconds.`);
  if (action === 'on') return 0;
  if (values.notify) return labelsStopped(id!, values['dry-run'] ?? false, admin);
  say(`To tell everybody who asked for labels: admin notice labels-stopped ${id} --dry-run`);
  return 0;
};

async function list(admin: Admin): Promise<number> {
  const switches = new Map(
    (await admin.store.switches()).map((row): [string, SourceSwitch] => [row.source, row]),
  );
  const rows = sources.map((source) => {
    const row = switches.get(source.id);
    const startedOff = !row && admin.config.sourcesOff.includes(source.id);
    const state = row?.state ?? (startedOff ? 'off' : 'on');
    return [
      source.id,
      state,
      row ? day(row.since) : '',
      row?.reason ?? (startedOff ? 'SOURCES_OFF' : ''),
      source.makes.join(', '),
    ];
  });
  say(table([['source', 'state', 'since', 'reason', 'makes'], ...rows]));
  return 0;
}
