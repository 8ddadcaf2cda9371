import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMemoryPace } from './pace.ts';

async function waits(pace: ReturnType<typeof inMemoryPace>, host: string, count: number, withinMs = 60_000) {
  const found: (number | 'full')[] = [];
  for (let turn = 0; turn < count; turn++) {
    const { taken, waitMs } = await pace.reserve(host, withinMs);
    found.push(taken ? waitMs : 'full');
  }
  return found;
}

test('three at once, then one a second', async () => {
  const pace = inMemoryPace({ now: () => 0 });
  assert.deepEqual(await waits(pace, 'a', 6), [0, 0, 0, 1000, 2000, 3000]);
});

test('no host waits for another', async () => {
  const pace = inMemoryPace({ now: () => 0 });
  await waits(pace, 'a', 20);
  assert.deepEqual(await waits(pace, 'b', 1), [0]);
});

test('a burst is earned back by resting, and never more than one burst', async () => {
  let now = 0;
  const pace = inMemoryPace({ now: () => now });
  await waits(pace, 'a', 3);
  now = 1000;
  assert.deepEqual(await waits(pace, 'a', 2), [0, 1000]);
  now = 100_000;
  assert.deepEqual(await waits(pace, 'a', 4), [0, 0, 0, 1000]);
});

test('a turn too far away is not taken, so it stays free for someone with more time', async () => {
  const pace = inMemoryPace({ now: () => 0 });
  assert.deepEqual(await waits(pace, 'a', 6, 1500), [0, 0, 0, 1000, 'full', 'full']);
  assert.deepEqual(await pace.reserve('a', 2000), { taken: true, waitMs: 2000 });
});

test('the queue has an end even for those with all the time in the world', async () => {
  const pace = inMemoryPace({ now: () => 0, queue: 2 });
  assert.deepEqual(await waits(pace, 'a', 6, Infinity), [0, 0, 0, 1000, 2000, 'full']);
});
