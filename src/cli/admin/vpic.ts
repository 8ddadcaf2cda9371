import { parseArgs } from 'node:util';
import { bundledMonth } from '@monroney/vin';
import { chosenVpic, VPIC_OLD_DAYS, vpicAgeDays } from '../../lookup/vpic-data.ts';
import type { VpicFile } from '../../store/store.ts';
import { print, usageError, type AdminCommand, type AdminContext } from './command.ts';

const USAGE =
  'Usage: admin vpic [status], admin vpic update [FILE [--month 2026-11]], or admin vpic rollback.';

/** `admin vpic [status | update [FILE] | rollback]`: NHTSA's data for the decoder. */
export const command: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    // --unchecked is for handmade releases, in tests.
    options: { month: { type: 'string' }, unchecked: { type: 'boolean', default: false } },
  });
  const [action = 'status', file, ...rest] = positionals;
  if (rest.length > 0 || (action !== 'update' && (file ?? values.month) !== undefined))
    return usageError(USAGE);
  if (values.month !== undefined && file === undefined) return usageError(USAGE);
  switch (action) {
    case 'status':
      return printStatus(admin);
    case 'update': {
      const { update } = await import('./vpic-update.ts');
      return update({ file, month: values.month, isChecked: !values.unchecked }, admin);
    }
    case 'rollback':
      return rollBack(admin);
    default:
      return usageError(USAGE);
  }
};

const nameOf = (file: VpicFile | null) =>
  file ? `of ${file.month} (SHA-256 ${file.sha256.slice(0, 12)}…)` : `of ${bundledMonth()}, of this version`;

/** Exit code 1 when the data should be replaced. */
async function printStatus({ store, now }: AdminContext): Promise<number> {
  const { current, previous } = await store.vpic.choice();
  const chosen = await chosenVpic(store);
  const month = chosen?.month ?? bundledMonth();
  const days = vpicAgeDays(month, now());
  print(`vPIC data of ${month}, ${days} days old.`);
  print(chosen ? 'It was stored by admin vpic update.' : 'It came with this version of the program.');
  if (current && !chosen) print(`Stored, but older, and so not used: data ${nameOf(current)}.`);
  if (current || previous) print(`admin vpic rollback would choose data ${nameOf(previous)}.`);
  print('A running service has what was chosen when it started: see "vpic" in its /status.json.');
  if (days <= VPIC_OLD_DAYS) return 0;
  process.stderr.write(
    'NHTSA releases new data every month: run admin vpic update and restart the service.\n',
  );
  return 1;
}

async function rollBack({ store }: AdminContext): Promise<number> {
  const choice = await store.vpic.rollBack();
  if (!choice) {
    process.stderr.write('There is nothing to go back to: the data was never updated.\n');
    return 1;
  }
  print(`The next start uses data ${nameOf(await chosenVpic(store))}. Restart the service.`);
  print(`To undo this, run admin vpic rollback again: it would choose data ${nameOf(choice.previous)}.`);
  return 0;
}
