import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { openHosts } from '../../src/sources/hosts.ts';
import { createPace, sharedPace } from '../../src/sources/queue.ts';
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
  await link.runWithLongTimeout((client) =>
    client.set('monroney:pace:clock.example', Date.now() + 3_600_000, 'PX', 3_600_000),
  );
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

test('without Redis each instance has its own pace', { skip }, async () => {
  const link = await openRedis('redis://127.0.0.1:9', silentLog);
  const pace = paceOf(link);
  const waits = [];
  for (let n = 0; n < 5; n++) waits.push(await pace('labels.example'));
  assert.deepEqual(waits, [0, 0, 0, EVERY_MS, 2 * EVERY_MS]);
  await link.close();
});
