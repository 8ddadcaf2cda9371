import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HostResult } from './breaker.ts';
import { openHosts, type HealthCheck, type Hosts } from './hosts.ts';

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
