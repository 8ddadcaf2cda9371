import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLimiter, type Limiter } from '../../src/http/limit.ts';
import { sharedLimiter } from '../../src/http/shared-limiter.ts';
import { silentLog } from '../../src/lib/log.ts';
import { openHosts } from '../../src/net/hosts.ts';
import { createPace, sharedPace } from '../../src/net/queue.ts';
import { openRedis, type RedisLink } from '../../src/store/shared/redis.ts';
import { startServers, withoutServers, type Servers } from './servers.ts';

/** How instances coordinate through Redis, and what each does without it. */

const skip = withoutServers();
let servers: Servers;
const links: RedisLink[] = [];

before(async () => {
  if (skip) return;
  servers = await startServers();
  for (let i = 0; i < 2; i++) links.push(await openRedis(servers.redisUrl(), silentLog));
});
after(async () => {
  for (const link of links) await link.close();
  await servers?.stop();
});

const limiter = (link: RedisLink, fallbacks: string[] = []) =>
  sharedLimiter(
    link,
    createLimiter(() => performance.now()),
    () => void fallbacks.push('fallback'),
  );

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let lastIp = 0;
/**
 * What two instances return to one IP address. On a busy machine Redis may exceed its timeout of 50 ms, and an instance
 * then counts on its own, as it should. In that case the test tries again with another IP address.
 */
async function withSharedLimits<T>(send: (limits: [Limiter, Limiter], ip: string) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const fallbacks: string[] = [];
    const limits: [Limiter, Limiter] = [limiter(links[0]!, fallbacks), limiter(links[1]!, fallbacks)];
    const result = await send(limits, `192.0.2.${++lastIp}`);
    if (fallbacks.length === 0 || attempt === 8) return result;
    await pause(1500);
  }
}

test('ten requests to two instances are allowed; then both refuse for ten seconds', { skip }, async () => {
  const results = await withSharedLimits(async ([one, two], ip) => {
    const verdicts = [];
    for (let i = 0; i < 10; i++) verdicts.push(await (i % 2 ? one : two).take(ip));
    const refused = [await one.take(ip), await two.take(ip)];
    return { verdicts, refused, other: await two.take(`198.51.100.${lastIp}`) };
  });
  assert.ok(results.verdicts.every((verdict) => verdict.allowed));
  assert.deepEqual(
    results.verdicts.map((verdict) => verdict.remaining),
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  );
  assert.deepEqual([results.refused[0]!.allowed, results.refused[0]!.seconds], [false, 10]);
  assert.equal(results.refused[1]!.allowed, false);
  assert.equal(results.other.allowed, true, 'another IP address is not affected');
  const keys = await links[0]!.runWithLongTimeout((client) => client.keys('*'));
  assert.ok(!keys.join(' ').includes('192.0.2'), 'Redis has no IP addresses');
});

test('the limit is a sliding window: a burst cannot use two windows', { skip }, async () => {
  const results = await withSharedLimits(async (limits, ip) => {
    const take = async (times: number) => {
      const allowed = [];
      for (let n = 0; n < times; n++) allowed.push((await limits[n % 2]!.take(ip)).allowed);
      return allowed;
    };
    const first = await take(1);
    await pause(9000);
    const burst = await take(9);
    await pause(1500);
    return { first, burst, after: await take(2) };
  });
  assert.deepEqual(results.first, [true]);
  assert.deepEqual(results.burst, Array(9).fill(true));
  assert.deepEqual(results.after, [true, false], 'only the first request is older than ten seconds');
});

/** Long, so that the time that the test itself takes doesn't matter. */
const EVERY_MS = 20_000;
const paceOf = (link: RedisLink) =>
  sharedPace(
    { run: link.runWithLongTimeout },
    EVERY_MS,
    createPace(EVERY_MS, () => 0),
  );

test('all instances share the pace of a host', { skip }, async () => {
  const paces = links.map(paceOf);
  const waits = [];
  for (let i = 0; i < 5; i++) waits.push(await paces[i % 2]!('labels.example'));
  assert.deepEqual(waits.slice(0, 3), [0, 0, 0]);
  assert.ok(waits[3]! > 0 && waits[3]! <= EVERY_MS, `the fourth waits for one slot: ${waits[3]}`);
  assert.ok(waits[4]! > EVERY_MS && waits[4]! <= 2 * EVERY_MS, `the fifth for two: ${waits[4]}`);
  assert.equal(await paces[0]!('other.example'), 0, 'another host has its own pace');
});

test("a host is not blocked after Redis' clock was set back", { skip }, async () => {
  const [link] = links as [RedisLink, RedisLink];
  await link.client.set('monroney:pace:clock.example', Date.now() + 3_600_000, 'PX', 3_600_000);
  assert.equal(await paceOf(link)('clock.example'), 0);
});

test('instances share the pauses of a host', { skip }, async () => {
  const [one, two] = links.map((link) => openHosts({ everyMs: 0, redis: { run: link.runWithLongTimeout } }));
  for (let refusal = 0; refusal < 3; refusal++) {
    const visit = await one!.enter('walled.example', { withinMs: 60_000 });
    assert.ok(visit.ok);
    await visit.end('refused');
  }
  const refused = await two!.enter('walled.example', { withinMs: 60_000 });
  assert.equal(!refused.ok && refused.why, 'refused');
  assert.ok(!refused.ok && refused.retryAfterMs > 0 && refused.retryAfterMs <= 30_000);
  assert.ok((await two!.enter('open.example', { withinMs: 60_000 })).ok);
});

test('without Redis each instance counts on its own', { skip }, async () => {
  const link = await openRedis('redis://127.0.0.1:9', silentLog);
  const fallbacks: string[] = [];
  const fallback = limiter(link, fallbacks);
  const verdicts = await Promise.all(Array.from({ length: 11 }, async () => fallback.take('192.0.2.9')));
  assert.equal(verdicts.filter((verdict) => verdict.allowed).length, 10);
  assert.equal(fallbacks.length, 11);
  assert.equal(await paceOf(link)('labels.example'), 0);
  await link.close();
});
