import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { sources } from '../../src/makers/index.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { openTestCanary } from '../canary-instance.ts';
import { temporaryFolder } from '../operator.ts';
import { storeLabel } from '../stored-label.ts';
import { startSuite } from './servers.ts';

const DAY_MS = 86_400_000;

const servers = await startSuite('the canary of several instances');
if (servers)
  void test('two instances with CANARY=on together send each source one request per day', async (t) => {
    const simulator = await startSimulator();
    servers.defer(() => simulator.close());
    const env = await servers.env('canary');
    const more = { SOURCE_ORIGIN: simulator.origin, SOURCE_PACE_MS: '0', DATA_DIR: temporaryFolder(t) };
    const config = readConfig({ ...env, ...more });
    const stores = [await servers.open(env), await servers.open(env)] as const;
    // oxlint-disable-next-line tests/no-clock -- PostgreSQL has the real time.
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
  });
