import { loadBundled } from '@monroney/vin';
import { VPIC_OLD_DAYS, vpicAgeDays } from '../../lib/vpic-age.ts';
import { print, usageError, type WithoutStore } from './command.ts';

/** `admin vpic`: which release of NHTSA's data the decoder uses. Exit code 1 when it should be replaced. */
export async function command(args: string[], admin: WithoutStore): Promise<number> {
  if (args.length > 0) return usageError('Usage: admin vpic');
  const { month } = loadBundled();
  const days = vpicAgeDays(month, admin.now());
  print(`vPIC data of ${month}, ${days} days old.`);
  if (days <= VPIC_OLD_DAYS) return 0;
  process.stderr.write(
    'NHTSA releases new data every month: run "npm run vpic:fetch" and restart the service.\n',
  );
  return 1;
}
