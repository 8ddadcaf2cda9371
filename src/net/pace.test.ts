import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMemoryPace } from './pace.ts';

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
