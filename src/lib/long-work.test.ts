import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLongWork, LongWorkFull } from './long-work.ts';

/** A line whose time only `work` and its rests take, and what happened in it. With `isPaused`, rests last until `wake`. */
function lineOf({ isPaused = false, maxWaiting = 100 } = {}) {
  const events: string[] = [];
  let ms = 0;
  let wake = () => {};
  const rest = (forMs: number) => {
    events.push(`rest ${forMs}`);
    ms += forMs;
    return isPaused ? new Promise<void>((resolve) => (wake = resolve)) : Promise.resolve();
  };
  const line = createLongWork({ now: () => ms, rest, maxWaiting });
  const work = (name: string, takesMs = 4) => {
    events.push(name);
    ms += takesMs;
    return name;
  };
  return {
    ...line,
    events,
    work,
    /** A job of one piece. */
    job: (client: string, name: string, left?: AbortSignal) =>
      line.map(client, [name], (one) => work(one), left),
    done: () => events.filter((event) => !event.startsWith('rest')),
    async wake() {
      wake();
      await new Promise((resolve) => setImmediate(resolve));
    },
    async wakeAll() {
      isPaused = false;
      await this.wake();
    },
  };
}

test('a job runs in pieces of four milliseconds, and the line rests as long as each piece took', async () => {
  const { map, work, events } = lineOf();
  const results = await map('192.0.2.1', ['a', 'b', 'c', 'd', 'e'], (name) =>
    work(name, name === 'c' ? 9 : 3),
  );
  assert.deepEqual(results, ['a', 'b', 'c', 'd', 'e']);
  assert.deepEqual(events, ['a', 'b', 'rest 6', 'c', 'rest 9', 'd', 'e', 'rest 6']);
});

test('after a piece in which the process was stopped for an hour, the line does not rest for an hour', async () => {
  const { map, work, events } = lineOf();
  await map('192.0.2.1', ['a'], (name) => work(name, 3_600_000));
  assert.deepEqual(events, ['a', 'rest 200']);
});

test('a job of several pieces holds up nobody but the jobs behind it', async () => {
  const line = lineOf({ isPaused: true });
  const running = line.map('192.0.2.1', ['a', 'b'], (name) => line.work(name));
  assert.deepEqual(line.events, ['a', 'rest 4']);
  await line.wake();
  // The line still rests, but the result is there.
  assert.deepEqual(await running, ['a', 'b']);
  const next = line.job('192.0.2.1', 'c');
  assert.deepEqual(line.events, ['a', 'rest 4', 'b', 'rest 4']);
  await line.wake();
  assert.deepEqual(await next, ['c']);
});

test('clients take turns: /48s and IPv4 addresses first, then the /64s within a /48', async () => {
  const line = lineOf({ isPaused: true });
  const jobs = [
    line.job('198.51.100.1', 'first'),
    ...['1', '2', '3'].map((n) => line.job('2001:db8:9:1', `attacker 1.${n}`)),
    ...['1', '2', '3'].map((n) => line.job('2001:db8:9:2', `attacker 2.${n}`)),
    line.job('192.0.2.1', 'other 1'),
    line.job('192.0.2.1', 'other 2'),
  ];
  await line.wakeAll();
  await Promise.all(jobs);
  assert.deepEqual(line.done(), [
    'first',
    'attacker 1.1',
    'other 1',
    'attacker 2.1',
    'other 2',
    'attacker 1.2',
    'attacker 2.2',
    'attacker 1.3',
    'attacker 2.3',
  ]);
});

test('when too many jobs wait, the client with most of them loses its newest; with as many, the newcomer is refused', async () => {
  const line = lineOf({ isPaused: true, maxWaiting: 3 });
  const running = line.job('198.51.100.1', 'running');
  const waiting = ['1', '2', '3'].map((n) => line.job('2001:db8:9:1', `attacker ${n}`));
  const evicted = assert.rejects(waiting[2]!, LongWorkFull);
  const other = line.job('192.0.2.1', 'other');
  await evicted;
  await assert.rejects(line.job('2001:db8:9:1', 'attacker 4'), LongWorkFull);
  await line.wakeAll();
  await Promise.all([running, ...waiting.slice(0, 2), other]);
  assert.deepEqual(line.done(), ['running', 'attacker 1', 'other', 'attacker 2']);
});

test('a client that leaves takes its jobs along, those that wait and the rest of the one that runs', async () => {
  const line = lineOf({ isPaused: true, maxWaiting: 1 });
  const leaving = new AbortController();
  const reason = new Error('left');
  const running = line.map('192.0.2.1', ['a', 'b'], (name) => line.work(name), leaving.signal);
  const waiting = line.job('192.0.2.1', 'c', leaving.signal);
  leaving.abort(reason);
  await assert.rejects(running, reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(line.job('192.0.2.1', 'd', leaving.signal), reason);
  // There is room again.
  const other = line.job('192.0.2.2', 'other');
  await line.wakeAll();
  await other;
  assert.deepEqual(line.done(), ['a', 'other']);
});

test('an exception rejects its own job alone', async () => {
  const line = lineOf();
  const error = new Error('broken');
  const broken = line.map('192.0.2.1', ['a', 'b', 'c'], (name) => {
    if (line.work(name) === 'b') throw error;
  });
  const endless = (function* () {
    yield 'd';
    throw error;
  })();
  const unreadable = line.map('192.0.2.1', endless, (name) => line.work(name));
  const other = line.job('192.0.2.2', 'other');
  await assert.rejects(broken, error);
  await assert.rejects(unreadable, error);
  assert.deepEqual(await other, ['other']);
  assert.deepEqual(line.done(), ['a', 'b', 'd', 'other']);
});

test('the line doesn’t wait for what items wait for, and ends them in their order', async () => {
  const line = lineOf();
  const stored = Promise.withResolvers<string>();
  const slow = line.mapAsync(
    '192.0.2.1',
    ['a', 'b'],
    async (name) => line.work(`begin ${name}`) && `${name} ${await stored.promise}`,
    (name) => line.work(`end ${name}`),
  );
  await line.job('192.0.2.2', 'other');
  stored.resolve('stored');
  assert.deepEqual(await slow, ['end a stored', 'end b stored']);
  assert.deepEqual(line.done(), ['begin a', 'begin b', 'other', 'end a stored', 'end b stored']);
});

test('an item that fails before the others have begun rejects its job, not the process', async () => {
  const line = lineOf({ isPaused: true });
  const error = new Error('broken');
  const begin = async (name: string) => {
    line.work(name);
    throw error;
  };
  const broken = line.mapAsync('192.0.2.1', ['a', 'b'], begin, () => assert.fail('it has not begun'));
  const rejected = assert.rejects(broken, error);
  // Node reports an unhandled rejection after this turn.
  await new Promise((resolve) => setImmediate(resolve));
  await line.wakeAll();
  await rejected;
  assert.deepEqual(line.done(), ['a', 'b']);
});
