import { parseArgs } from 'node:util';
import { parseVin } from '@monroney/vin';
import { oneLine } from '../../contacts/mail.ts';
import { removeVin, quarantineIn } from '../../lookup/quarantine.ts';
import { specimen } from '../../lookup/specimens/index.ts';
import { complain, day, say, table, type Admin, type AdminCommand } from './command.ts';

const MOST_REASON = 300;
const USE = 'Use: admin withdraw VIN --reason "…", or admin withdraw --list.';

/** `admin withdraw VIN --reason … | --list`: a label that must not be served any more. */
export const command: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { reason: { type: 'string', default: '' }, list: { type: 'boolean', default: false } },
  });
  const [typed, ...rest] = positionals;
  if (values.list) return typed === undefined && !values.reason ? list(admin) : complain(USE);
  if (typed === undefined || rest.length > 0) return complain(USE);
  const parsed = parseVin(typed);
  if (!parsed.ok) return complain(`"${typed}" isn't a VIN.`);
  const { vin } = parsed;
  if (specimen(vin))
    return complain(`${vin} is one of our specimens: we drew its label, and it belongs to no car.`);
  const reason = oneLine(values.reason, MOST_REASON);
  if (!reason) return complain('Say why, people will read it: --reason "…".');
  const held = await admin.store.label(vin);
  const before = await admin.store.withdrawal(vin);
  await admin.store.withdraw({ vin, reason, at: before?.at ?? admin.now() });
  await removeVin(quarantineIn(admin.config.dataDir), vin);
  say(`${vin} is withdrawn. ${held ? 'Its label was removed.' : 'We held no label of it.'}`);
  say('Running instances follow within 5 seconds.');
  const { baseUrl } = admin.config;
  say('Caches between here and the visitors may keep copies for up to a day. Purge there:');
  for (const path of [
    `/api/sticker/${vin}`,
    `/api/sticker/${vin}/preview`,
    `/api/v1/vin/${vin}`,
    `/api/v1/vin/${vin}/label`,
    `/window-sticker/${vin}`,
    `/window-sticker/${vin}/picture`,
  ])
    say(`  ${baseUrl}${path}`);
  return 0;
};

async function list({ store }: Admin): Promise<number> {
  const rows = (await store.withdrawals()).map(({ vin, at, reason }) => [vin, day(at), reason]);
  say(table([['vin', 'since', 'reason'], ...rows]));
  return 0;
}
