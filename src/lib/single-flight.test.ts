import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMemorySingleFlight, lazy } from './single-flight.ts';

test('two hundred who ask for one VIN share one piece of work', async () => {
  const { once } = inMemorySingleFlight();
  let worked = 0;
  const results = await Promise.all(
    Array.from({ length: 200 }, () =>
      once('1FTEW2LP1TKE90000', async () => {
        await new Promise(setImmediate);
        return ++worked;
      }),
    ),
  );
  assert.equal(worked, 1);
  assert.ok(results.every((result) => result === 1));
});

test('different VINs do not wait for each other, and a finished one can be asked for again', async () => {
  const { once } = inMemorySingleFlight();
  const never = once('A', () => new Promise<string>(() => undefined));
  assert.equal(await once('B', async () => 'first'), 'first');
  assert.equal(await once('B', async () => 'second'), 'second');
  assert.ok(never instanceof Promise);
});

test('work that throws tells everyone who asked, and the next asker starts anew', async () => {
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

test('work goes on when every asker has gone, and one can wait for all of it to end', async () => {
  const desk = inMemorySingleFlight();
  let done = false;
  void desk.once('A', async () => {
    await new Promise((wake) => setTimeout(wake, 20));
    done = true;
  });
  assert.equal(desk.running, 1);
  await desk.settled();
  assert.equal(done, true);
  assert.equal(desk.running, 0);
});

test('a lazy value is made once, and made again after a failure', async () => {
  let calls = 0;
  const value = lazy(async () => {
    if (++calls === 1) throw new Error('not yet');
    return calls;
  });
  await assert.rejects(value(), /not yet/);
  assert.deepEqual(await Promise.all([value(), value()]), [2, 2]);
  assert.equal(await value(), 2);
});
