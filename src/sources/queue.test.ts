import assert from 'node:assert/strict';
import { test, mock } from 'node:test';
import { createPace, fairQueues, type QueueResult } from './queue.ts';

/** Queues on a fake clock: one request per second, a burst of three. */
function queue(maxWaiting?: number) {
  mock.timers.enable({ apis: ['setTimeout'] });
  let time = 0;
  const now = () => time;
  const queues = fairQueues(createPace(1000, now), { everyMs: 1000, now, maxWaiting });
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
