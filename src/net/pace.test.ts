import assert from 'node:assert/strict';
import { test, mock } from 'node:test';
import { inMemoryPace, fairHostQueues, type QueueResult } from './pace.ts';

async function waits(pace: ReturnType<typeof inMemoryPace>, host: string, count: number, withinMs = 60_000) {
  const found: (number | 'full')[] = [];
  for (let n = 0; n < count; n++) {
    const { reserved, waitMs } = await pace.reserve(host, withinMs);
    found.push(reserved ? waitMs : 'full');
  }
  return found;
}

test('allows a burst of three, then one request per second', async () => {
  const pace = inMemoryPace({ now: () => 0 });
  assert.deepEqual(await waits(pace, 'a', 6), [0, 0, 0, 1000, 2000, 3000]);
});

test('hosts are independent of each other', async () => {
  const pace = inMemoryPace({ now: () => 0 });
  await waits(pace, 'a', 20);
  assert.deepEqual(await waits(pace, 'b', 1), [0]);
});

test('an idle host gets its burst back, and never more than one burst', async () => {
  let now = 0;
  const pace = inMemoryPace({ now: () => now });
  await waits(pace, 'a', 3);
  now = 1000;
  assert.deepEqual(await waits(pace, 'a', 2), [0, 1000]);
  now = 100_000;
  assert.deepEqual(await waits(pace, 'a', 4), [0, 0, 0, 1000]);
});

test('a slot too far away is not reserved, so another request can have it', async () => {
  const pace = inMemoryPace({ now: () => 0 });
  assert.deepEqual(await waits(pace, 'a', 6, 1500), [0, 0, 0, 1000, 'full', 'full']);
  assert.deepEqual(await pace.reserve('a', 2000), { reserved: true, waitMs: 2000 });
});

test('the queue is bounded even without a time limit', async () => {
  const pace = inMemoryPace({ now: () => 0, queue: 2 });
  assert.deepEqual(await waits(pace, 'a', 6, Infinity), [0, 0, 0, 1000, 2000, 'full']);
});

/** Queues on a fake clock: one request per second, a burst of three. */
function queue(options: { queue?: number } = {}) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const now = () => Date.now();
  const queues = fairHostQueues(inMemoryPace({ now }), { now, ...options });
  const served: string[] = [];
  const enter = (client: string, withinMs = 17_000) => {
    const result = queues.wait('host', withinMs, client);
    void result.then(({ granted }) => void (granted && served.push(client)));
    return result;
  };
  /** Advances in steps of half a second, so that pending promises settle in between. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      mock.timers.tick(500);
      for (let tick = 0; tick < 10; tick++) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { enter, served, pass, queues };
}

test('an idle host gets three requests at once, then one per second', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, served, pass } = queue();
  for (let n = 0; n < 6; n++) void enter(`client ${n}`);
  await pass(500);
  assert.equal(served.length, 3);
  await pass(3000);
  assert.equal(served.length, 6);
});

test('clients alternate, however many requests each has waiting', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, served, pass } = queue();
  for (let n = 0; n < 8; n++) void enter('greedy');
  await pass(500);
  assert.deepEqual(served.splice(0), ['greedy', 'greedy', 'greedy']);
  void enter('one');
  void enter('two');
  void enter('one');
  await pass(8000);
  assert.deepEqual(served, ['greedy', 'one', 'two', 'greedy', 'one', 'greedy', 'greedy', 'greedy']);
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
  const { enter, pass } = queue({ queue: 4 });
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
  const { enter, pass } = queue({ queue: 4 });
  for (let n = 0; n < 3; n++) void enter('greedy');
  await pass(500);
  const greedy = Array.from({ length: 4 }, () => enter('greedy'));
  assert.equal((await enter('hasty', 500)).granted, false);
  await pass(8000);
  assert.ok((await Promise.all(greedy)).every(({ granted }) => granted));
});

test('while one client sends five requests per second, the others wait only a few seconds', async (t) => {
  t.after(() => mock.timers.reset());
  const { enter, pass } = queue();
  const attacker: Promise<QueueResult>[] = [];
  const others: Promise<QueueResult>[] = [];
  let underWay = 0;
  for (let second = 0; second < 30; second++) {
    for (let n = 0; n < 5; n++) {
      // The limit for new labels.
      if (underWay >= 5) continue;
      underWay++;
      const result = enter('attacker');
      void result.then(() => underWay--);
      attacker.push(result);
    }
    if (second % 3 !== 0) others.push(enter(`visitor ${second}`));
    await pass(1000);
  }
  await pass(20_000);
  const served = await Promise.all(others);
  assert.equal(served.filter(({ granted }) => granted).length, others.length);
  const longest = Math.max(...served.map(({ waitMs }) => waitMs));
  assert.ok(longest <= 3000, `${longest} ms`);
  assert.ok(
    (await Promise.all(attacker)).some(({ granted }) => granted),
    'the attacker gets a share too',
  );
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
