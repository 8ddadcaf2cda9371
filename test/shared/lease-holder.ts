/** Takes the lease of a VIN and never releases it. `lease.test.ts` starts and kills it. */
import { silentLog } from '../../src/lib/log.ts';
import { sharedSingleFlight } from '../../src/store/shared/leases.ts';
import { openRedis } from '../../src/store/shared/redis.ts';

const [redisUrl = '', key = ''] = process.argv.slice(2);
const singleFlight = sharedSingleFlight(await openRedis(redisUrl, silentLog), silentLog);
await singleFlight.once(key, async () => {
  process.stdout.write('holding\n');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
});
