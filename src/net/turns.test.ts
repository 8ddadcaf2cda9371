import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { inMemoryPace } from './pace.ts';
import { fairTurns, type Turn } from './turns.ts';

/** Turns on a clock that the test moves: one request a second, three at once. */
function queue(options: { queue?: number } = {}) {
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 });
  const now = () => Date.now();
  const turns = fairTurns(inMemoryPace({ now }), { now, ...options });
  const served: string[] = [];
  const take = (client: string, withinMs = 17_000) => {
    const turn = turns.take('host', withinMs, client);
    void turn.then(({ taken }) => void (taken && served.push(client)));
    return turn;
  };
  /** Half a second at a time, so that everything waiting in between happens. */
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 500) {
      mock.timers.tick(500);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { take, served, pass, turns };
}

test('a free host is asked at once, three times, and then once a second', async (t) => {
  t.after(() => mock.timers.reset());
  const { take, served, pass } = queue();
  for (let n = 0; n < 6; n++) void take(`client ${n}`);
  await pass(500);
  assert.equal(served.length, 3);
  await pass(3000);
  assert.equal(served.length, 6);
});

test('clients take turns, whoever came first with however many', async (t) => {
  t.after(() => mock.timers.reset());
  const { take, served, pass } = queue();
  for (let n = 0; n < 8; n++) void take('greedy');
  await pass(500);
  assert.deepEqual(served.splice(0), ['greedy', 'greedy', 'greedy']);
  void take('one');
  void take('two');
  void take('one');
  await pass(8000);
  assert.deepEqual(served, ['greedy', 'one', 'two', 'greedy', 'one', 'greedy', 'greedy', 'greedy']);
});

test('a wait that would be too long is refused at once, with how long it would be', async (t) => {
  t.after(() => mock.timers.reset());
  const { take, pass } = queue();
  const first = Array.from({ length: 6 }, () => take('here'));
  await pass(500);
  const late = await take('here', 1000);
  assert.equal(late.taken, false);
  assert.ok(late.waitMs > 1000);
  assert.equal(((await Promise.race([take('there', 2000), pass(3000)])) as Turn).taken, true);
  await pass(5000);
  assert.ok((await Promise.all(first)).every(({ taken }) => taken));
});

test('a full queue makes room for a client with less in it, at the cost of the one with most', async (t) => {
  t.after(() => mock.timers.reset());
  const { take, pass } = queue({ queue: 4 });
  for (let n = 0; n < 3; n++) void take('greedy');
  await pass(500);
  const greedy = Array.from({ length: 4 }, () => take('greedy'));
  const other = take('other');
  assert.equal((await greedy[3]!).taken, false, 'the newest of the greedy client');
  assert.equal((await take('greedy')).taken, false);
  await pass(8000);
  assert.equal((await other).taken, true);
  assert.equal((await greedy[2]!).taken, true);
});

test('at five requests a second from one client, all others get their turn within a few seconds', async (t) => {
  t.after(() => mock.timers.reset());
  const { take, pass } = queue();
  const attacker: Promise<Turn>[] = [];
  const others: Promise<Turn>[] = [];
  let underWay = 0;
  for (let second = 0; second < 30; second++) {
    for (let n = 0; n < 5; n++) {
      // As the limit for new labels allows.
      if (underWay >= 5) continue;
      underWay++;
      const turn = take('attacker');
      void turn.then(() => underWay--);
      attacker.push(turn);
    }
    if (second % 3 !== 0) others.push(take(`visitor ${second}`));
    await pass(1000);
  }
  await pass(20_000);
  const served = await Promise.all(others);
  assert.equal(served.filter(({ taken }) => taken).length, others.length);
  const longest = Math.max(...served.map(({ waitMs }) => waitMs));
  assert.ok(longest <= 3000, `${longest} ms`);
  assert.ok(
    (await Promise.all(attacker)).some(({ taken }) => taken),
    'the attacker has a share too',
  );
});

test('a client that gives up leaves its place, and stopping lets everybody go', async (t) => {
  t.after(() => mock.timers.reset());
  const { take, pass, turns } = queue();
  for (let n = 0; n < 4; n++) void take('here');
  const stopping = new AbortController();
  const stopped = turns.take('host', 17_000, 'here', stopping.signal);
  stopping.abort();
  assert.equal((await stopped).taken, true, 'its request is then cancelled');
  await pass(5000);
  assert.equal((await take('here', 0)).taken, true);
});
