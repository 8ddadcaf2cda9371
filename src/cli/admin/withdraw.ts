import { parseArgs } from 'node:util';
import { parseVin } from '@monroney/vin';
import { oneLine } from '../../contacts/mail.ts';
import { removeEntriesOfVin, quarantineDir } from '../../lookup/quarantine.ts';
import { specimen } from '../../lookup/specimens/index.ts';
import { usageError, day, print, table, type AdminContext, type AdminCommand } from './command.ts';

const MAX_REASON_CHARACTERS = 300;
const USAGE = 'Use: admin withdraw VIN --reason "…", or admin withdraw --list.';

/** `admin withdraw VIN --reason … | --list`: deletes a label that must never be served again. */
export const command: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { reason: { type: 'string', default: '' }, list: { type: 'boolean', default: false } },
  });
  const [typed, ...rest] = positionals;
  if (values.list) return typed === undefined && !values.reason ? list(admin) : usageError(USAGE);
  if (typed === undefined || rest.length > 0) return usageError(USAGE);
  const parsed = parseVin(typed);
  if (!parsed.ok) return usageError(`"${typed}" isn't a VIN.`);
  const { vin } = parsed;
  if (specimen(vin))
    return usageError(`${vin} is one of our specimens: we drew its label, and it belongs to no car.`);
  const reason = oneLine(values.reason, MAX_REASON_CHARACTERS);
  if (!reason) return usageError('Give a reason, which is shown to users: --reason "…".');
  const held = await admin.store.label(vin);
  const before = await admin.store.withdrawal(vin);
  await admin.store.withdraw({ vin, reason, at: before?.at ?? admin.now() });
  await removeEntriesOfVin(quarantineDir(admin.config.dataDir), vin);
  print(`${vin} is withdrawn. ${held ? 'Its label was deleted.' : 'There was no stored label.'}`);
  print('Running instances follow within 5 seconds.');
  const { baseUrl } = admin.config;
  print(
    'Browsers, CDNs and proxies may keep the PDF and its picture for a year, and the rest for a day. Purge these URLs:',
  );
  for (const path of [
    `/api/sticker/${vin}`,
    `/api/sticker/${vin}/preview`,
    `/api/v1/vin/${vin}`,
    `/api/v1/vin/${vin}/label`,
    `/window-sticker/${vin}`,
    `/window-sticker/${vin}/picture`,
  ])
    print(`  ${baseUrl}${path}`);
  return 0;
};

async function list({ store }: AdminContext): Promise<number> {
  const rows = (await store.withdrawals()).map(({ vin, at, reason }) => [vin, day(at), reason]);
  print(rows.length > 0 ? table([['vin', 'since', 'reason'], ...rows]) : 'No label is withdrawn.');
  return 0;
}
