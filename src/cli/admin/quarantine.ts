import path from 'node:path';
import { parseArgs } from 'node:util';
import { listQuarantine, quarantineIn, removeEntries } from '../../lookup/quarantine.ts';
import { complain, say, table, type AdminCommand } from './command.ts';

const USE =
  'Use: admin quarantine [--json], admin quarantine show ID, admin quarantine remove ID… (or --all).';

/** `admin quarantine [show ID | remove ID… | remove --all]`: what sources sent that no rule explains. */
export const command: AdminCommand = async (args, { config }) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  });
  const [action = 'list', ...ids] = positionals;
  const dir = quarantineIn(config.dataDir);
  const entries = await listQuarantine(dir);
  const unknown = ids.find((id) => !entries.some((entry) => entry.id === id));
  if (unknown !== undefined) return complain(`There is no entry "${unknown}". See: admin quarantine.`);
  switch (action) {
    case 'list': {
      if (ids.length > 0 || values.all) return complain(USE);
      if (values.json)
        say(
          JSON.stringify(
            entries.map(({ id, record }) => ({ id, ...record })),
            null,
            2,
          ),
        );
      else if (entries.length === 0) say('Nothing is quarantined.');
      else
        say(
          table([
            ['id', 'source', 'reason', 'VIN', 'status', 'bytes'],
            ...entries.map(({ id, record }) => [
              id,
              record.source,
              record.verdict,
              record.vin,
              record.status,
              record.bytes,
            ]),
          ]),
        );
      return 0;
    }
    case 'show': {
      const [entry] = entries.filter(({ id }) => id === ids[0]);
      if (!entry || ids.length > 1 || values.all) return complain(USE);
      say(JSON.stringify(entry.record, null, 2));
      if (entry.record.body) say(`Body: ${path.resolve(dir, entry.record.body)}`);
      return 0;
    }
    case 'remove': {
      if (values.all === ids.length > 0) return complain(USE);
      const gone = values.all ? entries.map(({ id }) => id) : ids;
      await removeEntries(dir, gone);
      say(`${gone.length} removed.`);
      return 0;
    }
    default:
      return complain(USE);
  }
};
