import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMemoryBreaker } from './breaker.ts';

function timed() {
  const clock = { now: 0 };
  const breaker = inMemoryBreaker({ pauseMs: 1000, longestMs: 5000, now: () => clock.now });
  return { clock, breaker };
}

test('one refusal is forgiven, three in a row are not', async () => {
  const { breaker } = timed();
  for (let refusal = 1; refusal <= 2; refusal++) {
    await breaker.report('a', 'refused');
    assert.equal(await breaker.admit('a'), null);
  }
  await breaker.report('a', 'refused');
  assert.equal((await breaker.admit('a'))?.ms, 1000);
  assert.equal(await breaker.admit('b'), null, 'another host is not held to it');
});

test('an answer in between makes the count start again', async () => {
  const { breaker } = timed();
  for (const heard of ['refused', 'refused', 'answered', 'refused', 'refused'] as const)
    await breaker.report('a', heard);
  assert.equal(await breaker.admit('a'), null);
});

test('a source that says how long to stay away is obeyed at once, up to an hour', async () => {
  const { clock, breaker } = timed();
  await breaker.report('a', 'refused', 7000);
  assert.equal((await breaker.admit('a'))?.ms, 7000);
  clock.now = 7000;
  assert.equal(await breaker.admit('a'), null);
  await breaker.report('b', 'refused', 1e12);
  assert.equal((await breaker.resting('b'))?.ms, 3_600_000);
});

test('after the pause one probe goes, and nobody else until it is back', async () => {
  const { clock, breaker } = timed();
  for (let refusal = 0; refusal < 3; refusal++) await breaker.report('a', 'refused');
  clock.now = 1000;
  assert.equal(await breaker.admit('a'), null);
  assert.ok(await breaker.admit('a'));
  await breaker.report('a', 'answered');
  assert.equal(await breaker.admit('a'), null);
  assert.equal(await breaker.admit('a'), null);
});

test('each probe that is refused doubles the pause, up to the longest', async () => {
  const { clock, breaker } = timed();
  for (let refusal = 0; refusal < 3; refusal++) await breaker.report('a', 'refused');
  for (const pause of [2000, 4000, 5000, 5000]) {
    clock.now += (await breaker.resting('a'))!.ms;
    assert.equal(await breaker.admit('a'), null);
    await breaker.report('a', 'refused');
    assert.equal((await breaker.resting('a'))?.ms, pause);
  }
});

test('requests under way when it opened do not make the pause grow', async () => {
  const { breaker } = timed();
  for (let refusal = 0; refusal < 9; refusal++) await breaker.report('a', 'refused');
  assert.equal((await breaker.resting('a'))?.ms, 1000);
});

test('an answer to a request made before does not end the rest that was asked for', async () => {
  const { breaker } = timed();
  await breaker.report('a', 'refused', 7000);
  await breaker.report('a', 'answered');
  assert.equal((await breaker.resting('a'))?.ms, 7000);
});

test('a host that is down is left alone too, but later', async () => {
  const { breaker } = timed();
  for (let failure = 0; failure < 19; failure++) await breaker.report('a', 'failed');
  assert.equal(await breaker.resting('a'), null);
  await breaker.report('a', 'failed');
  assert.deepEqual(await breaker.resting('a'), { ms: 1000, after: 'failed' });
});

test('a probe we gave up ourselves lets the next one go, and one that never reports is forgotten', async () => {
  const { clock, breaker } = timed();
  for (let refusal = 0; refusal < 3; refusal++) await breaker.report('a', 'refused');
  clock.now = 1000;
  assert.equal(await breaker.admit('a'), null);
  await breaker.report('a', 'unknown');
  assert.equal(await breaker.admit('a'), null);
  clock.now += 30_000;
  assert.equal(await breaker.admit('a'), null);
});
