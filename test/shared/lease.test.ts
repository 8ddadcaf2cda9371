import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once as event } from 'node:events';
import { after, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { sharedSingleFlight } from '../../src/store/shared/leases.ts';
import { openRedis } from '../../src/store/shared/redis.ts';
import { startServers, withoutServers } from './servers.ts';

const skip = withoutServers();
if (skip) void test('one request per VIN across instances', { skip });
else {
  const servers = await startServers();
  const links = await Promise.all([1, 2, 3, 4].map(() => openRedis(servers.redisUrl(), silentLog)));
  const instances = links.map((link) => sharedSingleFlight(link, silentLog));
  after(async () => {
    await Promise.all(links.map((link) => link.close()));
    await servers.stop();
  });
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  /** Like a lookup: checks first whether another instance has stored the result. */
  function source() {
    const stored = new Map<string, string>();
    let requests = 0;
    let running = 0;
    let maxRunning = 0;
    return {
      work: (key: string) => async () => {
        const result = stored.get(key);
        if (result) return result;
        requests++;
        maxRunning = Math.max(maxRunning, ++running);
        await pause(300);
        running--;
        stored.set(key, `label of ${key}`);
        return stored.get(key)!;
      },
      requests: () => requests,
      maxRunning: () => maxRunning,
    };
  }

  void test('500 lookups on 4 instances send one request to the source and all get its response', async () => {
    const ford = source();
    const results = await Promise.all(
      Array.from({ length: 500 }, (_, n) => instances[n % 4]!.once('vin-1', ford.work('vin-1'))),
    );
    assert.equal(ford.requests(), 1);
    assert.deepEqual([...new Set(results)], ['label of vin-1']);
    assert.deepEqual(
      instances.map((instance) => instance.running),
      [0, 0, 0, 0],
    );
  });

  void test('different VINs do not wait for each other', async () => {
    const ford = source();
    const keys = Array.from({ length: 20 }, (_, n) => `other-${n}`);
    await Promise.all(keys.map((key, n) => instances[n % 4]!.once(key, ford.work(key))));
    assert.equal(ford.requests(), 20);
    assert.ok(ford.maxRunning() > 1);
  });

  void test('work that fails releases the VIN for every instance', async () => {
    await assert.rejects(
      instances[0]!.once('fails', async () => {
        throw new Error('the source is down');
      }),
      /the source is down/,
    );
    assert.equal(await instances[1]!.once('fails', async () => 'fine'), 'fine');
  });

  void test('the lease is renewed while the work takes longer', async () => {
    let second = false;
    const longWork = instances[0]!.once('long', () => pause(8000));
    await pause(100);
    const waiting = instances[1]!.once('long', async () => void (second = true));
    await pause(7000);
    assert.equal(second, false);
    await Promise.all([longWork, waiting]);
    assert.equal(second, true);
  });

  void test('one instance takes over from a holder that was killed', async () => {
    const program = new URL('lease-holder.ts', import.meta.url).pathname;
    const holder = spawn(process.execPath, [program, servers.redisUrl(), 'killed'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await event(holder.stdout, 'data');
    const ford = source();
    const results = Promise.all(instances.map((instance) => instance.once('killed', ford.work('killed'))));
    await pause(500);
    assert.equal(ford.requests(), 0);
    holder.kill('SIGKILL');
    assert.deepEqual(await results, Array(4).fill('label of killed'));
    assert.equal(ford.requests(), 1);
  });
}
