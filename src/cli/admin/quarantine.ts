import path from 'node:path';
import { parseArgs } from 'node:util';
import { listQuarantine, quarantineDir, removeEntries } from '../../lookup/quarantine.ts';
import { usageError, print, table, type AdminCommand } from './command.ts';

const USAGE =
  'Use: admin quarantine [--json], admin quarantine show ID, admin quarantine remove ID… (or --all).';

/** `admin quarantine [show ID | remove ID… | remove --all]`: source responses that no rule explains. */
export const command: AdminCommand = async (args, { config }) => {
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
      if (ids.length > 0 || values.all) return usageError(USAGE);
      if (values.json)
        print(
          JSON.stringify(
            entries.map(({ id, record }) => ({ id, ...record })),
            null,
            2,
          ),
        );
      else if (entries.length === 0) print('Nothing is quarantined.');
      else
        print(
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
      if (!entry || ids.length > 1 || values.all) return usageError(USAGE);
      print(JSON.stringify(entry.record, null, 2));
      if (entry.record.body) print(`Body: ${path.resolve(dir, entry.record.body)}`);
      return 0;
    }
    case 'remove': {
      if (values.all === ids.length > 0) return usageError(USAGE);
      const removed = values.all ? entries.map(({ id }) => id) : ids;
      await removeEntries(dir, removed);
      print(`${removed.length} removed.`);
      return 0;
    }
    default:
      return usageError(USAGE);
  }
};
