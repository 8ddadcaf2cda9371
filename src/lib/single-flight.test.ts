import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMemorySingleFlight, lazy } from './single-flight.ts';

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
    await new Promise((wake) => setImmediate(wake));
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
