import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import type { HostResult } from './breaker.ts';
import {
  createPace,
  fairQueues,
  openHosts,
  type HealthCheck,
  type Hosts,
  type QueueResult,
} from './hosts.ts';

/** Queues on a fake clock: one request per second, a burst of three. */
function queue(maxWaiting?: number) {
  mock.timers.enable({ apis: ['setTimeout'] });
  let time = 0;
  const now = () => time;
  const queues = fairQueues({ pace: createPace(1000, now), everyMs: 1000, now }, maxWaiting);
  const served: string[] = [];
  const enter = (client: string, withinMs = 17_000) => {
    const result = queues.wait('host', withinMs, client);
    void result.then(({ granted }) => void (granted && served.push(client)));
    return result;
  };
  /** Advances in steps of half a second, so that pending promises settle in between. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      time += 500;
      mock.timers.tick(500);
      for (let tick = 0; tick < 10; tick++) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { enter, served, pass, queues };
}

test('an idle host gets three requests at once, then one per second, however long it was idle', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, served, pass } = queue();
  for (const idleMs of [0, 60_000]) {
    await pass(idleMs);
    served.splice(0);
    for (let n = 0; n < 6; n++) void enter(`client ${n}`);
    await pass(500);
    assert.equal(served.length, 3);
    await pass(4000);
    assert.equal(served.length, 6);
  }
});

test('the /48s take turns, then the /56s within one, then the /64s', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, served, pass } = queue();
  for (let n = 0; n < 3; n++) void enter('first');
  await pass(500);
  served.splice(0);
  const tunnel = ['2001:db8:0:1201', '2001:db8:0:1202', '2001:db8:0:1203', '2001:db8:0:3401'];
  for (const client of tunnel) for (let n = 0; n < 2; n++) void enter(client);
  for (let n = 0; n < 3; n++) void enter('192.0.2.1');
  await pass(14_000);
  const [one, two, three, four] = tunnel;
  const v4 = '192.0.2.1';
  assert.deepEqual(served, [one, v4, four, v4, two, v4, four, three, one, two, three]);
});

test('a new client gets into a queue that one /48 has filled from as many /64s, and is next', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, served, pass } = queue(8);
  for (let n = 0; n < 3; n++) void enter('first');
  await pass(500);
  served.splice(0);
  const flood = Array.from({ length: 8 }, (_, n) => enter(`2001:db8:0:${n}00`));
  const honest = enter('192.0.2.1');
  assert.equal((await enter('2001:db8:0:900')).granted, false, 'no other /64 of that /48 does');
  await pass(9000);
  assert.equal((await honest).granted, true);
  assert.equal(served.indexOf('192.0.2.1'), 1);
  assert.equal((await Promise.all(flood)).filter(({ granted }) => granted).length, 7);
});

test('a request that would wait too long is refused at once, with the estimated wait', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, pass } = queue();
  const first = Array.from({ length: 6 }, () => enter('here'));
  await pass(500);
  const late = await enter('here', 1000);
  assert.equal(late.granted, false);
  assert.ok(late.waitMs > 1000);
  assert.equal(((await Promise.race([enter('there', 2000), pass(3000)])) as QueueResult).granted, true);
  await pass(5000);
  assert.ok((await Promise.all(first)).every(({ granted }) => granted));
});

test('a full queue drops the newest request of the busiest client for a client with fewer', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, pass } = queue(4);
  for (let n = 0; n < 3; n++) void enter('greedy');
  await pass(500);
  const greedy = Array.from({ length: 4 }, () => enter('greedy'));
  const other = enter('other');
  assert.equal((await greedy[3]!).granted, false, 'the newest request of the greedy client');
  assert.equal((await enter('greedy')).granted, false);
  await pass(8000);
  assert.equal((await other).granted, true);
  assert.equal((await greedy[2]!).granted, true);
});

test('a request that would wait too long drops nobody from a full queue', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, pass } = queue(4);
  for (let n = 0; n < 3; n++) void enter('greedy');
  await pass(500);
  const greedy = Array.from({ length: 4 }, () => enter('greedy'));
  assert.equal((await enter('hasty', 500)).granted, false);
  await pass(8000);
  assert.ok((await Promise.all(greedy)).every(({ granted }) => granted));
});

test('a timed-out request leaves the queue, and an abort ends the wait', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, pass, queues } = queue();
  for (let n = 0; n < 4; n++) void enter('here');
  const stopping = new AbortController();
  const stopped = queues.wait('host', 17_000, 'here', stopping.signal);
  stopping.abort();
  assert.equal((await stopped).granted, true, 'its request is then cancelled');
  await pass(5000);
  assert.equal((await enter('here', 0)).granted, true);
});

/** What failures and health checks together do to a host. `breaker.test.ts` has the rules without health checks. */

const HOST = 'labels.example';
const CLIENTS = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'];
const PAUSE_MS = 30_000;

/** Hosts with a clock of their own, and a health check that ends with the next of these results. */
function hostsWith(...results: (HostResult | Promise<HostResult>)[]) {
  const clock = { now: 0 };
  const hosts = openHosts({ everyMs: 0, now: () => clock.now });
  let checks = 0;
  const check: HealthCheck = async () => {
    checks++;
    const visit = await hosts.enter(HOST, { withinMs: 0, isHealthCheck: true });
    assert.ok(visit.ok, 'a health check is admitted while the host is probed');
    const result = await results.shift()!;
    await visit.end(result);
    return { result };
  };
  const findHealthCheck = async () => (results.length > 0 || checks > 0 ? check : null);

  /** Sends a request, and lets a health check that it causes end. */
  async function request(client: string, result: HostResult, retryAfterMs?: number): Promise<string> {
    const visit = await hosts.enter(HOST, { withinMs: 0, client, findHealthCheck });
    if (!visit.ok) return visit.why;
    await visit.end(result, retryAfterMs);
    await turn();
    return 'sent';
  }
  async function refuseAll(): Promise<void> {
    for (const client of CLIENTS) await request(client, 'refused');
  }
  return {
    clock,
    hosts,
    request,
    refuseAll,
    checkHealth: () => hosts.checkHealth(HOST, check),
    checks: () => checks,
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const isPaused = async (hosts: Hosts) => !(await hosts.enter(HOST, { withinMs: 0, client: 'visitor' })).ok;

test('refusals and failures of several clients pause nothing for others while a health check succeeds', async () => {
  const refused = hostsWith('responded');
  await refused.refuseAll();
  assert.equal(await isPaused(refused.hosts), false);
  assert.equal(refused.checks(), 1);
  const failed = hostsWith('responded');
  for (let n = 0; n < 40; n++) await failed.request(CLIENTS[n % 4]!, 'failed');
  assert.equal(await isPaused(failed.hosts), false);
  assert.equal(failed.checks(), 1);
});

test('Retry-After pauses the host for the client that got it, and for others if the health check fails too', async () => {
  for (const [result, visitor] of [
    ['responded', 'sent'],
    ['refused', 'refused'],
  ] as const) {
    const { request } = hostsWith(result);
    await request('one', 'refused', 50_000);
    assert.equal(await request('one', 'responded'), 'refused');
    assert.equal(await request('visitor', 'responded'), visitor);
  }
});

test('a failed health check pauses the host for all', async () => {
  const { hosts, refuseAll, request, clock } = hostsWith('failed');
  await refuseAll();
  assert.equal(await isPaused(hosts), true);
  assert.equal(await request('visitor', 'responded'), 'failed');
  clock.now += PAUSE_MS;
  assert.equal(await request('visitor', 'responded'), 'sent');
});

test('a failed probe does not lengthen the pause if the health check succeeds, and ends it', async () => {
  const { hosts, refuseAll, request, clock, checks } = hostsWith('refused', 'responded');
  await refuseAll();
  clock.now += PAUSE_MS;
  assert.equal(await request('attacker', 'refused'), 'sent');
  assert.equal(checks(), 2);
  assert.equal(await isPaused(hosts), false);
});

test('a health check does not wait for the probe of a client', async () => {
  const { hosts, refuseAll, clock, checkHealth } = hostsWith('refused', 'responded');
  await refuseAll();
  clock.now += PAUSE_MS;
  assert.equal(await isPaused(hosts), false, 'one client sends a probe');
  assert.equal(await isPaused(hosts), true);
  assert.equal(await checkHealth(), 'responded');
  assert.equal(await isPaused(hosts), false);
});

test('a failed probe and a failed health check double the pause', async () => {
  const { hosts, refuseAll, request, clock } = hostsWith('refused', 'refused');
  await refuseAll();
  clock.now += PAUSE_MS;
  assert.equal(await request('attacker', 'refused'), 'sent');
  clock.now += 2 * PAUSE_MS - 1;
  assert.equal(await isPaused(hosts), true);
  clock.now += 1;
  assert.equal(await isPaused(hosts), false);
});

test('without a health check the failures of several clients pause the host for all', async () => {
  const { hosts, refuseAll, checks } = hostsWith();
  await refuseAll();
  assert.equal(await isPaused(hosts), true);
  assert.equal(checks(), 0);
});

test('there is at most one health check per pause, and everybody gets its result', async () => {
  const { refuseAll, checkHealth, clock, checks } = hostsWith('responded', 'refused');
  await refuseAll();
  await refuseAll();
  clock.now += PAUSE_MS - 1;
  await refuseAll();
  assert.equal(await checkHealth(), 'responded');
  assert.equal(checks(), 1);
  clock.now += 1;
  assert.equal(await checkHealth(), 'refused');
});

test('other requests go on while a health check runs', async () => {
  const ended = Promise.withResolvers<HostResult>();
  const { hosts, refuseAll, request, checks } = hostsWith(ended.promise);
  await refuseAll();
  assert.equal(checks(), 1);
  assert.equal(await request('visitor', 'refused'), 'sent');
  assert.equal(await isPaused(hosts), false);
  ended.resolve('refused');
  await turn();
  assert.equal(await isPaused(hosts), true);
  assert.equal(checks(), 1);
});

test('a health check that was not sent decides nothing, and a failure five seconds later tries again', async () => {
  const { hosts, request, clock, checks } = hostsWith('unknown', 'refused');
  for (const client of CLIENTS) await request(client, 'refused');
  assert.equal(checks(), 1);
  assert.equal(await isPaused(hosts), false);
  clock.now += 5000;
  await request('visitor', 'refused');
  assert.equal(checks(), 2);
  assert.equal(await isPaused(hosts), true);
});
