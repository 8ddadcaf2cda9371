import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLimiter, createSharedLimiter, type Budget } from '../../src/lib/limits.ts';
import { testLimiter } from '../../src/lib/limits-contract-tests.ts';
import { silentLog } from '../../src/lib/log.ts';
import { openRedis, type RedisLink } from '../../src/store/shared/redis.ts';
import { startServers, withoutServers, type Servers } from './servers.ts';

/** Limits that two instances share through Redis. */

const skip = withoutServers();
let servers: Servers;
const links: RedisLink[] = [];

before(async () => {
  if (skip) return;
  servers = await startServers();
  for (let n = 0; n < 2; n++) links.push(await openRedis(servers.redisUrl(), silentLog));
});
after(async () => {
  for (const link of links) await link.close();
  await servers?.stop();
});

let opened = 0;

type Redis = Parameters<typeof createSharedLimiter>[0];

/**
 * Redis with another clock, and keys that outlive the test. With the longer timeout, because a busy machine would make an
 * instance count alone.
 */
const withClock = ({ runWithLongTimeout }: RedisLink, clock: () => number): Redis => ({
  run: (commands) =>
    runWithLongTimeout((client) =>
      commands({
        eval(script, ...args) {
          const time = `{ ${Math.floor(clock() / 1000)}, ${(clock() % 1000) * 1000} }`;
          const changed = script
            .replace("redis.call('time')", time)
            .replaceAll('key, window)', 'key, 600000)');
          return client.eval(changed, ...args);
        },
      }),
    ),
});

/** Two instances that take turns. */
function twoInstances(budget: Budget) {
  let now = 1_000_000;
  let turn = 0;
  const clock = () => now;
  const alone = () => assert.fail('Redis did not respond');
  const name = `test-${++opened}`;
  const instances = links.map((link) =>
    createSharedLimiter(withClock(link, clock), name, budget, {
      secret: 'of these instances',
      local: createLimiter(budget, clock),
      alone,
    }),
  );
  return {
    take: (client = '192.0.2.1') => instances[turn++ % 2]!.take(client),
    setTime: (ms: number) => (now = 1_000_000 + ms),
  };
}

testLimiter('two instances', twoInstances, { skip, runs: 10 });

test('Redis learns no IP address', { skip }, async () => {
  const limiter = twoInstances({ requests: 10, windowMs: 10_000 });
  await limiter.take('192.0.2.77');
  await limiter.take('2001:db8:77:1');
  const keys = await links[0]!.runWithLongTimeout((client) => client.keys('*'));
  assert.ok(keys.length >= 4);
  assert.deepEqual(
    keys.filter((key) => !/^monroney:[\w-]+:[0-9a-f]{32}$/.test(key)),
    [],
  );
});

test("by Redis's clock, keys expire with their window", { skip }, async () => {
  const budget = { requests: 1, windowMs: 10_000, blocks: true };
  const local = createLimiter(budget, () => 0);
  const limiter = createSharedLimiter({ run: links[0]!.runWithLongTimeout }, 'expiring', budget, {
    secret: 'of this instance',
    local,
    alone: () => assert.fail('Redis did not respond'),
  });
  assert.equal((await limiter.take('192.0.2.1')).allowed, true);
  assert.equal((await limiter.take('192.0.2.1')).allowed, false);
  const [key] = await links[0]!.runWithLongTimeout((client) => client.keys('monroney:expiring:*'));
  const ttl = await links[0]!.runWithLongTimeout((client) => client.pttl(key!));
  assert.ok(ttl > 0 && ttl <= 10_000, `${ttl} ms`);
});
