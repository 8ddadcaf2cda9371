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

test('a source that says how long to stay away is obeyed at once, up to a quarter of an hour', async () => {
  const { clock, breaker } = timed();
  await breaker.report('a', 'refused', 7000);
  assert.equal((await breaker.admit('a'))?.ms, 7000);
  clock.now = 7000;
  assert.equal(await breaker.admit('a'), null);
  await breaker.report('b', 'refused', 1e12);
  assert.equal((await breaker.resting('b'))?.ms, 900_000);
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

test('one client alone cannot open it: the host rests for that client only', async () => {
  const { clock, breaker } = timed();
  for (let failure = 0; failure < 22; failure++) await breaker.report('a', 'failed', undefined, 'attacker');
  assert.equal(await breaker.admit('a', 'visitor'), null);
  assert.deepEqual(await breaker.resting('a', 'attacker'), { ms: 1000, after: 'failed' });
  for (let refusal = 0; refusal < 9; refusal++) await breaker.report('b', 'refused', undefined, 'attacker');
  assert.equal(await breaker.admit('b', 'visitor'), null);
  assert.ok(await breaker.resting('b', 'attacker'));
  clock.now = 1000;
  assert.equal(await breaker.admit('a', 'attacker'), null);
});

test('one failure of somebody else does not help an attacker over the threshold', async () => {
  const { breaker } = timed();
  for (let failure = 0; failure < 100; failure++) await breaker.report('a', 'failed', undefined, 'attacker');
  for (let failure = 0; failure < 6; failure++) await breaker.report('a', 'failed', undefined, 'visitor');
  assert.equal(await breaker.resting('a', 'somebody'), null);
});

test('what several clients meet opens it for everybody, and so does a VIN that is known to work', async () => {
  const { breaker } = timed();
  for (let failure = 0; failure < 20; failure++)
    await breaker.report('a', 'failed', undefined, `client ${failure % 4}`);
  assert.deepEqual(await breaker.resting('a', 'somebody'), { ms: 1000, after: 'failed' });
  for (const client of ['one', 'two', 'three']) await breaker.report('b', 'refused', undefined, client);
  assert.deepEqual(await breaker.resting('b', 'somebody'), { ms: 1000, after: 'refused' });
  for (let failure = 0; failure < 20; failure++) await breaker.report('c', 'failed');
  assert.ok(await breaker.resting('c', 'somebody'));
});

test('a time to stay away counts for a minute at most on one client’s word, and a failure’s for that client only', async () => {
  const { breaker } = timed();
  await breaker.report('a', 'refused', 3_600_000, 'attacker');
  assert.equal((await breaker.resting('a', 'visitor'))?.ms, 60_000);
  await breaker.report('b', 'failed', 3_600_000, 'attacker');
  assert.equal(await breaker.resting('b', 'visitor'), null);
  assert.equal((await breaker.resting('b', 'attacker'))?.ms, 60_000);
  await breaker.report('b', 'failed', 3_600_000, 'visitor');
  assert.equal((await breaker.resting('b', 'somebody'))?.ms, 900_000);
});

test('probes of one client do not make the pause grow, and the next probe is somebody else’s', async () => {
  const { clock, breaker } = timed();
  for (const client of ['one', 'two', 'three']) await breaker.report('a', 'refused', undefined, client);
  for (let probe = 0; probe < 3; probe++) {
    clock.now += (await breaker.resting('a', 'attacker'))!.ms;
    assert.equal(await breaker.admit('a', 'attacker'), null);
    await breaker.report('a', 'refused', undefined, 'attacker');
    assert.equal((await breaker.resting('a', 'visitor'))?.ms, 2000);
    const [mine, others] = [await breaker.resting('a', 'attacker'), await breaker.resting('a', 'visitor')];
    clock.now += others!.ms;
    assert.ok(await breaker.resting('a', 'attacker'), 'the attacker waits longer');
    assert.equal(await breaker.resting('a', 'visitor'), null);
    assert.ok(mine!.ms >= others!.ms);
  }
});
