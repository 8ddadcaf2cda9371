import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPace, remainingMs, remainingWords } from './pace.ts';

const response = (status: number, headers: Record<string, string>) => ({
  status,
  headers: new Headers(headers),
});

test('at most six requests are sent in ten seconds', () => {
  let now = 0;
  const pace = createPace(() => now);
  for (let sent = 0; sent < 6; sent++) {
    assert.equal(pace.waitMs(), 0);
    pace.sent();
    now += 1000;
  }
  assert.equal(pace.waitMs(), 5000);
  now += 5000;
  assert.equal(pace.waitMs(), 0);
});

test('a page that is loaded again counts what was sent before, unless the clock was set back', () => {
  let now = 50_000;
  let times: number[] = [];
  const kept = { load: () => times, save: (saved: number[]) => void (times = [...saved]) };
  const first = createPace(() => now, kept);
  for (let sent = 0; sent < 6; sent++) first.sent();
  now += 3000;
  assert.equal(createPace(() => now, kept).waitMs(), 8000);
  now = 20_000;
  assert.equal(createPace(() => now, kept).waitMs(), 0);
});

test('it waits when little of the limit is left, and as long as a refusal says', () => {
  let now = 0;
  const pace = createPace(() => now);
  pace.observe(response(200, { ratelimit: '"default";r=3;t=9' }));
  assert.equal(pace.waitMs(), 0);
  pace.observe(response(200, { ratelimit: '"default";r=2;t=7' }));
  assert.equal(pace.waitMs(), 7000);
  now = 7000;
  assert.equal(pace.waitMs(), 0);
  pace.observe(response(429, { ratelimit: '"default";r=0;t=4', 'retry-after': '5' }));
  assert.equal(pace.waitMs(), 5000);
  now = 12_000;
  // A private instance may have no limit.
  pace.observe(response(200, {}));
  assert.equal(pace.waitMs(), 0);
});

test('the remaining time is that of the slower limit, in words', () => {
  assert.equal(remainingMs(60, 0), 110_000);
  assert.equal(remainingMs(60, 60), 240_000);
  assert.deepEqual([3000, 28_000, 58_000, 85_000, 181_000].map(remainingWords), [
    'a few seconds left',
    'about 30 seconds left',
    'about a minute left',
    'about a minute left',
    'about 3 minutes left',
  ]);
});
