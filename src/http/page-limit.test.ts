import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageLimit, MAX_PAGES_PER_MINUTE, MAX_CONCURRENT_PAGES } from './page-limit.ts';

function limiter() {
  let now = 12_345;
  const limit = createPageLimit(() => now);
  return {
    ...limit,
    setTime: (ms: number) => (now = 12_345 + ms),
    enterAndLeave(client = 'here') {
      const wait = limit.enter(client);
      if (wait === null) limit.leave(client);
      return wait;
    },
  };
}

test('300 in a minute, then none until the first of them are a minute old', () => {
  const { setTime, enterAndLeave } = limiter();
  for (let n = 0; n < MAX_PAGES_PER_MINUTE; n++) assert.equal(enterAndLeave(), null);
  const wait = enterAndLeave()!;
  assert.ok(wait > 45 && wait <= 60, String(wait));
  assert.equal(enterAndLeave('there'), null, 'another client is not concerned');
  setTime(wait * 1000 - 1001);
  assert.notEqual(enterAndLeave(), null);
  setTime(wait * 1000);
  assert.equal(enterAndLeave(), null);
});

test('300 a minute may continue indefinitely, and twice as many may not', () => {
  const { setTime, enterAndLeave } = limiter();
  let ms = 0;
  for (; ms < 600_000; ms += 200) {
    setTime(ms);
    assert.equal(enterAndLeave(), null, `at ${ms} ms`);
  }
  let passed = 0;
  for (; ms < 1_200_000; ms += 100) {
    setTime(ms);
    if (enterAndLeave() === null) passed++;
  }
  assert.ok(passed <= 3600, `${passed} in ten minutes`);
});

test('twenty at once, and one more when one is finished', () => {
  const { enter, leave } = limiter();
  for (let n = 0; n < MAX_CONCURRENT_PAGES; n++) assert.equal(enter('here'), null);
  assert.equal(enter('here'), 2);
  leave('here');
  assert.equal(enter('here'), null);
});

test('clients are dropped a minute after their last request, and their number is bounded', () => {
  const { setTime, enterAndLeave, forget, size } = limiter();
  for (let n = 0; n < 25_000; n++) enterAndLeave(`client ${n}`);
  assert.equal(size(), 20_000);
  setTime(30_000);
  enterAndLeave('late');
  setTime(61_000);
  forget();
  assert.equal(size(), 1);
});
