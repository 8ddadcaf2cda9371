import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inMemoryBreaker } from './breaker.ts';

function timed() {
  const clock = { now: 0 };
  const breaker = inMemoryBreaker({ pauseMs: 1000, maxPauseMs: 5000, now: () => clock.now });
  return { clock, breaker };
}

test('three consecutive refusals open the breaker, one does not', async () => {
  const { breaker } = timed();
  for (let refusal = 1; refusal <= 2; refusal++) {
    await breaker.report('a', 'refused');
    assert.equal(await breaker.admit('a'), null);
  }
  await breaker.report('a', 'refused');
  assert.equal((await breaker.admit('a'))?.ms, 1000);
  assert.equal(await breaker.admit('b'), null, 'another host is not held to it');
});

test('a response in between resets the count', async () => {
  const { breaker } = timed();
  for (const result of ['refused', 'refused', 'responded', 'refused', 'refused'] as const)
    await breaker.report('a', result);
  assert.equal(await breaker.admit('a'), null);
});

test('Retry-After pauses the host at once, for up to 15 minutes', async () => {
  const { clock, breaker } = timed();
  await breaker.report('a', 'refused', 7000);
  assert.equal((await breaker.admit('a'))?.ms, 7000);
  clock.now = 7000;
  assert.equal(await breaker.admit('a'), null);
  await breaker.report('b', 'refused', 1e12);
  assert.equal((await breaker.pauseOf('b'))?.ms, 900_000);
});

test('after the pause one probe is admitted, and nothing else until it reports', async () => {
  const { clock, breaker } = timed();
  for (let refusal = 0; refusal < 3; refusal++) await breaker.report('a', 'refused');
  clock.now = 1000;
  assert.equal(await breaker.admit('a'), null);
  assert.ok(await breaker.admit('a'));
  await breaker.report('a', 'responded');
  assert.equal(await breaker.admit('a'), null);
  assert.equal(await breaker.admit('a'), null);
});

test('each refused probe doubles the pause, up to maxPauseMs', async () => {
  const { clock, breaker } = timed();
  for (let refusal = 0; refusal < 3; refusal++) await breaker.report('a', 'refused');
  for (const pause of [2000, 4000, 5000, 5000]) {
    clock.now += (await breaker.pauseOf('a'))!.ms;
    assert.equal(await breaker.admit('a'), null);
    await breaker.report('a', 'refused');
    assert.equal((await breaker.pauseOf('a'))?.ms, pause);
  }
});

test('requests in flight when it opened do not lengthen the pause', async () => {
  const { breaker } = timed();
  for (let refusal = 0; refusal < 9; refusal++) await breaker.report('a', 'refused');
  assert.equal((await breaker.pauseOf('a'))?.ms, 1000);
});

test('a response to an earlier request does not end the pause', async () => {
  const { breaker } = timed();
  await breaker.report('a', 'refused', 7000);
  await breaker.report('a', 'responded');
  assert.equal((await breaker.pauseOf('a'))?.ms, 7000);
});

test('failures open the breaker too, but it takes more of them', async () => {
  const { breaker } = timed();
  for (let failure = 0; failure < 19; failure++) await breaker.report('a', 'failed');
  assert.equal(await breaker.pauseOf('a'), null);
  await breaker.report('a', 'failed');
  assert.deepEqual(await breaker.pauseOf('a'), { ms: 1000, after: 'failed' });
});

test('an unknown result admits the next probe, and a probe that never reports expires', async () => {
  const { clock, breaker } = timed();
  for (let refusal = 0; refusal < 3; refusal++) await breaker.report('a', 'refused');
  clock.now = 1000;
  assert.equal(await breaker.admit('a'), null);
  await breaker.report('a', 'unknown');
  assert.equal(await breaker.admit('a'), null);
  clock.now += 30_000;
  assert.equal(await breaker.admit('a'), null);
});

test('one client cannot open it for all: the host is paused for that client only', async () => {
  const { clock, breaker } = timed();
  for (let failure = 0; failure < 22; failure++) await breaker.report('a', 'failed', undefined, 'attacker');
  assert.equal(await breaker.admit('a', 'visitor'), null);
  assert.deepEqual(await breaker.pauseOf('a', 'attacker'), { ms: 1000, after: 'failed' });
  for (let refusal = 0; refusal < 9; refusal++) await breaker.report('b', 'refused', undefined, 'attacker');
  assert.equal(await breaker.admit('b', 'visitor'), null);
  assert.ok(await breaker.pauseOf('b', 'attacker'));
  clock.now = 1000;
  assert.equal(await breaker.admit('a', 'attacker'), null);
});

test('one failure of another client does not lift an attacker over the threshold', async () => {
  const { breaker } = timed();
  for (let failure = 0; failure < 100; failure++) await breaker.report('a', 'failed', undefined, 'attacker');
  for (let failure = 0; failure < 6; failure++) await breaker.report('a', 'failed', undefined, 'visitor');
  assert.equal(await breaker.pauseOf('a', 'somebody'), null);
});

test('failures of several clients, or for a VIN known to work, open it for all', async () => {
  const { breaker } = timed();
  for (let failure = 0; failure < 20; failure++)
    await breaker.report('a', 'failed', undefined, `client ${failure % 4}`);
  assert.deepEqual(await breaker.pauseOf('a', 'somebody'), { ms: 1000, after: 'failed' });
  for (const client of ['one', 'two', 'three']) await breaker.report('b', 'refused', undefined, client);
  assert.deepEqual(await breaker.pauseOf('b', 'somebody'), { ms: 1000, after: 'refused' });
  for (let failure = 0; failure < 20; failure++) await breaker.report('c', 'failed');
  assert.ok(await breaker.pauseOf('c', 'somebody'));
});

test('Retry-After seen by one client counts for a minute at most, and after a failure for that client only', async () => {
  const { breaker } = timed();
  await breaker.report('a', 'refused', 3_600_000, 'attacker');
  assert.equal((await breaker.pauseOf('a', 'visitor'))?.ms, 60_000);
  await breaker.report('b', 'failed', 3_600_000, 'attacker');
  assert.equal(await breaker.pauseOf('b', 'visitor'), null);
  assert.equal((await breaker.pauseOf('b', 'attacker'))?.ms, 60_000);
  await breaker.report('b', 'failed', 3_600_000, 'visitor');
  assert.equal((await breaker.pauseOf('b', 'somebody'))?.ms, 900_000);
});

test('repeated probes of one client do not lengthen the pause, and another client probes next', async () => {
  const { clock, breaker } = timed();
  for (const client of ['one', 'two', 'three']) await breaker.report('a', 'refused', undefined, client);
  for (let probe = 0; probe < 3; probe++) {
    clock.now += (await breaker.pauseOf('a', 'attacker'))!.ms;
    assert.equal(await breaker.admit('a', 'attacker'), null);
    await breaker.report('a', 'refused', undefined, 'attacker');
    assert.equal((await breaker.pauseOf('a', 'visitor'))?.ms, 2000);
    const [mine, others] = [await breaker.pauseOf('a', 'attacker'), await breaker.pauseOf('a', 'visitor')];
    clock.now += others!.ms;
    assert.ok(await breaker.pauseOf('a', 'attacker'), 'the attacker waits longer');
    assert.equal(await breaker.pauseOf('a', 'visitor'), null);
    assert.ok(mine!.ms >= others!.ms);
  }
});

test('a client is forgotten two minutes after its last failure, also if the host gets no more requests', async () => {
  const { clock, breaker } = timed();
  await breaker.report('a', 'failed', 0, '192.0.2.1');
  clock.now = 60_000;
  await breaker.report('a', 'failed', 0, '192.0.2.2');
  assert.equal(breaker.size(), 2);
  clock.now = 91_000;
  breaker.forget();
  assert.equal(breaker.size(), 1);
  clock.now = 151_000;
  breaker.forget();
  assert.equal(breaker.size(), 0);
});
