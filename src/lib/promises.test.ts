import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMemorySingleFlight, lazy, createPeriodic } from './promises.ts';
import { setImmediate as nextTurn } from 'node:timers/promises';

test('a failure rejects every caller, and the next call starts again', async () => {
  const { once } = inMemorySingleFlight();
  const broken = () => {
    throw new Error('broken');
  };
  const both = await Promise.allSettled([once('A', broken), once('A', broken)]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await once('A', async () => 'well'), 'well');
});

test('work continues without callers, and settled() waits for it', async () => {
  const flight = inMemorySingleFlight();
  let done = false;
  void flight.once('A', async () => {
    await nextTurn();
    done = true;
  });
  assert.notEqual(flight.startedAt('A'), null);
  await flight.settled();
  assert.equal(done, true);
  assert.equal(flight.startedAt('A'), null);
});

test('a lazy value is created once, and again after a failure', async () => {
  let calls = 0;
  const value = lazy(async () => {
    if (++calls === 1) throw new Error('not yet');
    return calls;
  });
  await assert.rejects(value(), /not yet/);
  assert.deepEqual(await Promise.all([value(), value()]), [2, 2]);
  assert.equal(await value(), 2);
});

test('work runs at intervals but never twice at a time, and stop() waits for it', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const events: string[] = [];
  let end = () => {};
  const periodic = createPeriodic(1000, async () => {
    events.push('begins');
    await new Promise<void>((resolve) => (end = resolve));
    events.push('ends');
  });
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await nextTurn();
  };
  await pass(999);
  assert.equal(events.length, 0);
  await pass(1);
  assert.deepEqual(events, ['begins']);
  // Skipped, instead of following when this run ends.
  await pass(3000);
  end();
  await nextTurn();
  assert.deepEqual(events, ['begins', 'ends']);
  await pass(1000);
  void periodic.run();
  void periodic.stop().then(() => events.push('stopped'));
  await pass(5000);
  assert.deepEqual(events, ['begins', 'ends', 'begins']);
  end();
  await nextTurn();
  end();
  await nextTurn();
  await pass(5000);
  assert.deepEqual(events, ['begins', 'ends', 'begins', 'ends', 'begins', 'ends', 'stopped']);
});
