import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { silentLog } from '../../src/lib/log.ts';
import { sources } from '../../src/makers/index.ts';
import { openStore } from '../../src/store/index.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { openTestCanary, storeLabel } from '../canary-instance.ts';
import { temporaryFolder } from '../operator.ts';
import { startServers, withoutServers } from './servers.ts';

const DAY_MS = 86_400_000;

void test(
  'two instances with CANARY=on together send each source one request per day',
  { skip: withoutServers() },
  async (t) => {
    const [servers, simulator] = await Promise.all([startServers(), startSimulator()]);
    await servers.database('canary');
    const config = readConfig({
      DATABASE_URL: servers.databaseUrl('canary'),
      REDIS_URL: servers.redisUrl(),
      S3_URL: servers.s3Url(),
      SOURCE_ORIGIN: simulator.origin,
      SOURCE_PACE_MS: '0',
      DATA_DIR: temporaryFolder(t),
    });
    const open = () => openStore({ ...config, log: silentLog, exclusive: false });
    const stores = await Promise.all([open(), open()]);
    t.after(async () => {
      for (const store of stores) await store.close();
      await simulator.close();
      await servers.stop();
    });
    const clock = { now: Date.now() };
    const instances = stores.map((store) => openTestCanary(t, { config, store, now: () => clock.now }));
    const ids = ['ford', 'gm', 'kia'];
    for (const id of ids) await storeLabel(stores[0], id);

    const requested = () => simulator.requests.map(({ source }) => source).sort();
    // Both at the same moment, more often than there are sources.
    const tickTogether = async () => {
      for (let n = 0; n < sources.length + 2; n++)
        await Promise.all(instances.map((instance) => instance.tick()));
    };
    await tickTogether();
    assert.deepEqual(requested(), ids);
    clock.now += DAY_MS - 1;
    await tickTogether();
    assert.deepEqual(requested(), ids);
    clock.now += 1;
    await tickTogether();
    assert.deepEqual(requested(), [...ids, ...ids].sort());
  },
);
