import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createLimiter, LIMIT, policyField } from './limit.ts';

function limiter(maxClients?: number) {
  let now = 5000;
  const limit = createLimiter(() => now, maxClients);
  return {
    setTime: (ms: number) => (now = 5000 + ms),
    take: (address = '192.0.2.1') => limit.take(address),
    size: () => limit.size(),
    forget: () => limit.forget(),
  };
}

test('ten requests pass and the eleventh within ten seconds does not', () => {
  const { setTime, take } = limiter();
  for (let n = 0; n < 10; n++) {
    setTime(n * 900);
    const decision = take();
    assert.equal(decision.allowed, true);
    assert.equal(decision.remaining, 9 - n);
  }
  setTime(9999);
  assert.equal(take().allowed, false);
});

test('exactly ten seconds after the first of ten, one more passes', () => {
  const { setTime, take } = limiter();
  for (let n = 0; n < 10; n++) take();
  setTime(10_000);
  assert.equal(take().allowed, true);
});

test("a block lasts ten seconds from the eleventh request, and further requests don't extend it", () => {
  const { setTime, take } = limiter();
  for (let n = 0; n < 10; n++) take();
  setTime(3000);
  assert.equal(take().allowed, false);
  for (let ms = 3100; ms < 13_000; ms += 100) {
    setTime(ms);
    assert.equal(take().allowed, false, `at ${ms} ms`);
  }
  setTime(12_999.9);
  assert.equal(take().allowed, false);
  setTime(13_000);
  assert.equal(take().allowed, true);
});

test('after a block the count starts from zero', () => {
  const { setTime, take } = limiter();
  for (let n = 0; n < 11; n++) {
    setTime(n * 990);
    take();
  }
  setTime(20_000);
  for (let n = 0; n < 10; n++) assert.equal(take().remaining, 9 - n);
  assert.equal(take().allowed, false);
});

test('each IP address is counted separately', () => {
  const { take } = limiter();
  for (let n = 0; n < 11; n++) take('192.0.2.1');
  assert.equal(take('192.0.2.1').allowed, false);
  assert.equal(take('192.0.2.2').remaining, 9);
});

test('the header fields say how many requests are left and when more are allowed', () => {
  const { setTime, take } = limiter();
  assert.equal(policyField(LIMIT), '"default";q=10;w=10');
  assert.equal(take().field, '"default";r=9;t=10');
  setTime(2500);
  assert.equal(take().field, '"default";r=8;t=8');
  for (let n = 0; n < 8; n++) take();
  setTime(4000);
  assert.equal(take().field, '"default";r=0;t=10');
  setTime(13_999);
  assert.deepEqual([take().field, take().seconds], ['"default";r=0;t=1', 1]);
});

test('a million IP addresses stay within the maximum, and the newest are remembered', () => {
  const { take, size } = limiter(1000);
  for (let n = 0; n < 1_000_000; n++) take(`a${n}`);
  assert.equal(size(), 1000);
  assert.equal(take('a999999').remaining, 8);
  assert.equal(take('a5').remaining, 9);
});

test('an active IP address is not evicted by new ones', () => {
  const { take } = limiter(8);
  for (let n = 0; n < 11; n++) take('busy');
  for (let n = 0; n < 100; n++) {
    take(`stranger ${n}`);
    assert.equal(take('busy').allowed, false);
  }
});

test('only inactive IP addresses are dropped', () => {
  const { setTime, take, forget, size } = limiter();
  take('quiet');
  for (let n = 0; n < 11; n++) take('blocked');
  setTime(5000);
  take('busy');
  setTime(9999);
  forget();
  assert.equal(size(), 3);
  setTime(10_000);
  forget();
  assert.equal(size(), 1);
  assert.equal(take('blocked').remaining, 9);
  assert.equal(take('quiet').remaining, 9);
  assert.equal(take('busy').remaining, 8);
  setTime(100_000);
  forget();
  assert.equal(size(), 0);
  take('new');
  assert.equal(size(), 1);
});

test('it agrees with a simple list of times, for any times', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4000 }), { maxLength: 120 }), (gaps) => {
      const { setTime, take } = limiter();
      let now = 0;
      let times: number[] = [];
      let until = 0;
      for (const gap of gaps) {
        now += gap;
        setTime(now);
        let expected = true;
        if (now < until) expected = false;
        else {
          if (until) [times, until] = [[], 0];
          times = times.filter((time) => now - time < 10_000);
          if (times.length === 10) [expected, until] = [false, now + 10_000];
          else times.push(now);
        }
        assert.equal(take().allowed, expected);
      }
    }),
  );
});
