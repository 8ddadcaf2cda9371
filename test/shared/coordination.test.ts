import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter, createSharedLimiter, type Budget } from '../../src/lib/limits.ts';
import { testLimiter } from '../../src/lib/limits-contract-tests.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { HostResult } from '../../src/sources/breaker.ts';
import { createPace, openHosts, openNet, sharedPace } from '../../src/sources/hosts.ts';
import { sharedSingleFlight } from '../../src/store/shared/leases.ts';
import { openRedis, type RedisLink } from '../../src/store/shared/redis.ts';
import { freshVin, newLabel, pdfOf } from '../../src/store/testing.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { eventually } from '../operator.ts';
import { lateRequests } from '../switched-off.ts';
import { faultProxy } from './fault-proxy.ts';
import { startSuite } from './servers.ts';

/** How instances coordinate through Redis: leases, limits, and the pace and pauses of hosts. */

const servers = await startSuite('coordination through Redis');
if (servers) {
  const env = await servers.env('coordination');
  const stores = [await servers.open(env), await servers.open(env)] as const;
  const links = stores.map((store) => store.coordination!.redis);
  const flights = stores.map((store) => store.coordination!.singleFlight);
  const leaseOf = (key: string) => `monroney:lease:${key}`;

  void test('work that fails releases its key for every instance', async () => {
    const failing = flights[0]!.once('fails', () => Promise.reject(new Error('the source is down')));
    await assert.rejects(failing, /the source is down/);
    assert.equal(await flights[1]!.once('fails', async () => 'fine'), 'fine');
  });

  void test('two instances agree on a lease again after Redis was away and has returned', async () => {
    const proxy = await faultProxy(servers.redis.port);
    servers.defer(() => proxy.stop());
    const proxied = { ...env, REDIS_URL: servers.redisUrl(proxy.port) };
    const opened = [await servers.open(proxied), await servers.open(proxied)];
    const both = opened.map((store) => store.coordination!);
    const ended = Promise.withResolvers<void>();
    let running = 0;
    const work = () => (running++, ended.promise);
    const start = (key: string) => Promise.all(both.map(({ singleFlight }) => singleFlight.once(key, work)));
    await proxy.set('refuse');
    const alone = start('away');
    await eventually(
      async () => running,
      (count) => count === 2,
    );
    await proxy.set('pass');
    const ping = ({ redis }: (typeof both)[0]) => redis.runWithLongTimeout((client) => client.ping());
    for (const one of both) await eventually(() => ping(one).catch(() => null), Boolean);
    const together = start('back');
    await eventually(
      async () => running,
      (count) => count > 2,
    );
    await Promise.all(both.map(ping));
    assert.equal(running, 3);
    ended.resolve();
    await Promise.all([alone, together]);
  });

  void test('the lease is renewed while the work takes longer', async () => {
    const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let second = false;
    const longWork = flights[0]!.once('long', () => (started.resolve(), ended.promise));
    await started.promise;
    const waiting = flights[1]!.once('long', async () => void (second = true));
    const [key, { runWithLongTimeout }] = [leaseOf('long'), links[0]!];
    // Without an expiry the lease can't end however slow the machine is; a renewal sets one again.
    assert.equal(await runWithLongTimeout((client) => client.persist(key)), 1);
    const renewed = eventually(
      () => runWithLongTimeout((client) => client.pttl(key)),
      (ttl) => ttl > 0,
    );
    await Promise.race([renewed, waiting]);
    assert.equal(second, false);
    ended.resolve();
    await Promise.all([longWork, waiting]);
    assert.equal(second, true);
  });

  void test('instances take over one at a time when the lease of an instance that died expires', async () => {
    const { runWithLongTimeout } = links[0]!;
    await runWithLongTimeout((client) => client.set(leaseOf('dead'), 'token of another'));
    let running = 0;
    let runs = 0;
    const attempts = flights.map(() => 0);
    /** Counts how often an instance looks whether the lease is free. */
    const counted = links.map((link, index) => {
      const run: RedisLink['run'] = (commands) => (attempts[index]!++, link.runWithLongTimeout(commands));
      return sharedSingleFlight({ ...link, runWithLongTimeout: run }, silentLog);
    });
    const work = async () => {
      assert.equal(++running, 1);
      await runWithLongTimeout((client) => client.ping());
      running--;
      runs++;
    };
    const results = Promise.all(counted.map((flight) => flight.once('dead', work)));
    await eventually(
      async () => attempts,
      (counts) => counts.every((count) => count > 1),
    );
    assert.equal(runs, 0);
    await runWithLongTimeout((client) => client.del(leaseOf('dead')));
    await results;
    assert.equal(runs, 2);
  });

  void test('an instance that was paused beyond its lease leaves that of its successor alone', async () => {
    const { runWithLongTimeout } = links[0]!;
    await flights[0]!.once('paused', () =>
      runWithLongTimeout((client) => client.set(leaseOf('paused'), 'token of its successor')),
    );
    assert.equal(
      await runWithLongTimeout((client) => client.getdel(leaseOf('paused'))),
      'token of its successor',
    );
  });

  void test('of an instance that was paused beyond its lease and its successor, the first label wins, and a label wins over "none"', async () => {
    const [paused, successor] = stores;
    const none = (vin: string) =>
      ({ vin, source: 'ford', kind: 'none', why: 'x', at: 0, until: 3_600_000 }) as const;
    const label = (store: typeof paused, vin: string, host: string) =>
      store.addLabel(newLabel(vin, { host }), pdfOf(vin));
    const [twice, thenNone, noneFirst] = [freshVin(), freshVin(), freshVin()];
    await label(successor, twice, 'successor');
    assert.equal((await label(paused, twice, 'late')).host, 'successor');
    await label(successor, thenNone, 'successor');
    await paused.addMiss(none(thenNone));
    await successor.addMiss(none(noneFirst));
    await label(paused, noneFirst, 'late');
    for (const [vin, host] of [
      [twice, 'successor'],
      [thenNone, 'successor'],
      [noneFirst, 'late'],
    ] as const)
      for (const store of stores) {
        const { label: found, miss } = await store.find(vin);
        assert.deepEqual([found?.host, miss], [host, null]);
      }
  });

  /** Long, so that the time that the test itself takes doesn't matter. */
  const EVERY_MS = 3_600_000;
  /** With the longer timeout, because a busy machine would make an instance work alone. */
  const patient = ({ runWithLongTimeout }: RedisLink) => ({ run: runWithLongTimeout });
  const alone = createPace(EVERY_MS, () => 0);
  const paceOf = (link: RedisLink) => sharedPace(patient(link), EVERY_MS, alone);

  void test('all instances share the pace of a host', async () => {
    const paces = links.map(paceOf);
    const waits = [];
    for (let i = 0; i < 5; i++) waits.push(await paces[i % 2]!('labels.example'));
    assert.deepEqual(waits.slice(0, 3), [0, 0, 0]);
    assert.ok(waits[3]! > 0 && waits[3]! <= EVERY_MS, `the fourth waits for one slot: ${waits[3]}`);
    assert.ok(waits[4]! > EVERY_MS && waits[4]! <= 2 * EVERY_MS, `the fifth for two: ${waits[4]}`);
    assert.equal(await paces[0]!('other.example'), 0, 'another host has its own pace');
  });

  void test('a slot that nobody uses is one that no instance uses', async () => {
    const [one, other] = links.map(paceOf);
    assert.equal(await one!.ifIdle('idle.example'), 0);
    const busyMs = await other!.ifIdle('idle.example');
    assert.ok(busyMs > 0 && busyMs <= EVERY_MS, `busy for ${busyMs} ms`);
    assert.deepEqual([await other!('idle.example'), await one!('idle.example')], [0, 0], 'the burst remains');
  });

  void test("a host is not blocked after Redis' clock was set back", async () => {
    await links[0]!.runWithLongTimeout((client) =>
      client.set('monroney:pace:clock.example', Number.MAX_SAFE_INTEGER, 'PX', EVERY_MS),
    );
    assert.equal(await paceOf(links[0]!)('clock.example'), 0);
  });

  void test('instances share the pauses of a host', async () => {
    const [one, two] = links.map((link) => openHosts({ everyMs: 0, pauseMs: 600_000, redis: patient(link) }));
    for (let refusal = 0; refusal < 3; refusal++) {
      const visit = await one!.enter('walled.example', { withinMs: 60_000 });
      assert.ok(visit.ok);
      await visit.end('refused');
    }
    const refused = await two!.enter('walled.example', { withinMs: 60_000 });
    assert.equal(!refused.ok && refused.why, 'refused');
    assert.ok(!refused.ok && refused.retryAfterMs > 0 && refused.retryAfterMs <= 600_000);
    assert.ok((await two!.enter('open.example', { withinMs: 60_000 })).ok);
  });

  void test('two instances whose clients fail at a host send one health check per pause, and share its result', async () => {
    const instances = links.map((link) =>
      openHosts({ everyMs: 0, pauseMs: 600_000, redis: patient(link), now: () => 0 }),
    );
    const sent: string[] = [];
    /** Both send their health check at the same moment, and wait for its result. */
    const checkBoth = (host: string, result: HostResult) =>
      Promise.all(
        instances.map((hosts, index) =>
          hosts.checkHealth(host, async () => {
            const visit = await hosts.enter(host, { withinMs: 60_000, isHealthCheck: true });
            if (!visit.ok) return { result: 'unknown' };
            sent.push(`${host} ${index}`);
            return { result };
          }),
        ),
      );
    const areAdmitted = (host: string) =>
      Promise.all(instances.map(async (hosts) => (await hosts.enter(host, { withinMs: 60_000 })).ok));
    assert.deepEqual((await checkBoth('alive.example', 'responded')).sort(), ['responded', 'unknown']);
    assert.deepEqual(await areAdmitted('alive.example'), [true, true]);
    assert.deepEqual((await checkBoth('dead.example', 'refused')).sort(), ['refused', 'unknown']);
    assert.deepEqual(await areAdmitted('dead.example'), [false, false]);
    assert.equal(sent.length, 2);
    const ttl = await links[0]!.runWithLongTimeout((client) => client.pttl('monroney:checked:alive.example'));
    assert.ok(ttl > 0 && ttl <= 600_000, `${ttl} ms`);
  });

  void test('a source that is switched off gets no request of another instance later than five seconds', async (t) => {
    const simulator = await startSimulator();
    servers.defer(() => simulator.close());
    const late = await lateRequests(t, {
      store: stores[0],
      operator: stores[1],
      simulator,
      openNet(now) {
        const net = openNet({
          baseUrl: 'https://stickers.example',
          sourceOrigin: simulator.origin,
          hosts: { everyMs: 1000 },
          now,
        });
        servers.defer(() => net.close());
        return net;
      },
    });
    assert.equal(late, 0);
  });

  void test('without Redis each instance has its own pace', async () => {
    const link = await openRedis('redis://127.0.0.1:9', silentLog);
    const pace = paceOf(link);
    const waits = [];
    for (let n = 0; n < 5; n++) waits.push(await pace('labels.example'));
    assert.deepEqual(waits, [0, 0, 0, EVERY_MS, 2 * EVERY_MS]);
    await link.close();
  });

  let opened = 0;
  type Redis = Parameters<typeof createSharedLimiter>[0];
  const openLimiter = (redis: Redis, name: string, budget: Budget) =>
    createSharedLimiter(redis, name, budget, {
      secret: 'of these instances',
      local: createLimiter(budget, () => 0),
      alone: () => assert.fail('Redis did not respond'),
    });

  /** Redis with another clock, and keys that outlive the test. */
  const withClock = (link: RedisLink, clock: () => number): Redis => ({
    run: (commands) =>
      link.runWithLongTimeout((client) =>
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
    const name = `test-${++opened}`;
    const instances = links.map((link) =>
      openLimiter(
        withClock(link, () => now),
        name,
        budget,
      ),
    );
    return {
      take: (client = '192.0.2.1') => instances[turn++ % 2]!.take(client),
      setTime: (ms: number) => (now = 1_000_000 + ms),
    };
  }

  testLimiter('two instances', twoInstances, { runs: 10 });

  void test('Redis learns no IP address', async () => {
    const limiter = twoInstances({ requests: 10, windowMs: 10_000 });
    await limiter.take('192.0.2.77');
    await limiter.take('2001:db8:77:1');
    const keys = await links[0]!.runWithLongTimeout((client) => client.keys(`monroney:test-${opened}*`));
    assert.equal(keys.length, 4);
    for (const key of keys) assert.match(key, /^monroney:[\w-]+:[0-9a-f]{32}$/);
  });

  void test("by Redis's clock, keys expire with their window", async () => {
    const limiter = openLimiter(patient(links[0]!), 'expiring', {
      requests: 1,
      windowMs: 600_000,
      blocks: true,
    });
    assert.equal((await limiter.take('192.0.2.1')).allowed, true);
    assert.equal((await limiter.take('192.0.2.1')).allowed, false);
    const [key] = await links[0]!.runWithLongTimeout((client) => client.keys('monroney:expiring:*'));
    const ttl = await links[0]!.runWithLongTimeout((client) => client.pttl(key!));
    assert.ok(ttl > 0 && ttl <= 600_000, `${ttl} ms`);
  });
}
