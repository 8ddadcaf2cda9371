import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBreaker, type HostResult } from './breaker.ts';

/** A breaker of hosts without a health check, which failures pause at once. */
function timed() {
  const clock = { now: 0 };
  const breaker = createBreaker({ pauseMs: 1000, now: () => clock.now });
  function report(host: string, result: HostResult, retryAfterMs?: number, client?: string): void {
    const pause = breaker.report(host, result, retryAfterMs, client);
    if (pause) breaker.pause(host, pause);
  }
  return { clock, breaker: { ...breaker, report } };
}

test('three consecutive refusals open the breaker, one does not', () => {
  const { breaker } = timed();
  for (let refusal = 1; refusal <= 2; refusal++) {
    breaker.report('a', 'refused');
    assert.equal(breaker.admit('a'), null);
  }
  breaker.report('a', 'refused');
  assert.equal(breaker.admit('a')?.ms, 1000);
  assert.equal(breaker.admit('b'), null, 'another host is not held to it');
});

test('a response in between resets the count', () => {
  const { breaker } = timed();
  for (const result of ['refused', 'refused', 'responded', 'refused', 'refused'] as const)
    breaker.report('a', result);
  assert.equal(breaker.admit('a'), null);
});

test('Retry-After pauses the host at once, for up to 15 minutes', () => {
  const { clock, breaker } = timed();
  breaker.report('a', 'refused', 7000);
  assert.equal(breaker.admit('a')?.ms, 7000);
  clock.now = 7000;
  assert.equal(breaker.admit('a'), null);
  breaker.report('b', 'refused', 1e12);
  assert.equal(breaker.pauseOf('b')?.ms, 900_000);
});

test('after the pause one probe is admitted, and nothing else until it reports', () => {
  const { clock, breaker } = timed();
  for (let refusal = 0; refusal < 3; refusal++) breaker.report('a', 'refused');
  clock.now = 1000;
  assert.equal(breaker.admit('a'), null);
  assert.ok(breaker.admit('a'));
  breaker.report('a', 'responded');
  assert.equal(breaker.admit('a'), null);
  assert.equal(breaker.admit('a'), null);
});

test('each refused probe doubles the pause, up to 15 minutes', () => {
  const { clock, breaker } = timed();
  for (let refusal = 0; refusal < 3; refusal++) breaker.report('a', 'refused');
  for (const pause of [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
    clock.now += breaker.pauseOf('a')!.ms;
    assert.equal(breaker.admit('a'), null);
    breaker.report('a', 'refused');
    assert.equal(breaker.pauseOf('a')?.ms, pause * 1000);
  }
});

test('requests in flight when it opened do not lengthen the pause', () => {
  const { breaker } = timed();
  for (let refusal = 0; refusal < 9; refusal++) breaker.report('a', 'refused');
  assert.equal(breaker.pauseOf('a')?.ms, 1000);
});

test('a response to an earlier request does not end the pause', () => {
  const { breaker } = timed();
  breaker.report('a', 'refused', 7000);
  breaker.report('a', 'responded');
  assert.equal(breaker.pauseOf('a')?.ms, 7000);
});

test('failures open the breaker too, but it takes more of them', () => {
  const { breaker } = timed();
  for (let failure = 0; failure < 19; failure++) breaker.report('a', 'failed');
  assert.equal(breaker.pauseOf('a'), null);
  breaker.report('a', 'failed');
  assert.deepEqual(breaker.pauseOf('a'), { ms: 1000, after: 'failed' });
});

test('an unknown result admits the next probe, and a probe that never reports expires', () => {
  const { clock, breaker } = timed();
  for (let refusal = 0; refusal < 3; refusal++) breaker.report('a', 'refused');
  clock.now = 1000;
  assert.equal(breaker.admit('a'), null);
  breaker.report('a', 'unknown');
  assert.equal(breaker.admit('a'), null);
  clock.now += 30_000;
  assert.equal(breaker.admit('a'), null);
});

test('one client cannot open it for all: the host is paused for that client only', () => {
  const { clock, breaker } = timed();
  for (let failure = 0; failure < 22; failure++) breaker.report('a', 'failed', undefined, 'attacker');
  assert.equal(breaker.admit('a', 'visitor'), null);
  assert.deepEqual(breaker.pauseOf('a', 'attacker'), { ms: 1000, after: 'failed' });
  for (let refusal = 0; refusal < 9; refusal++) breaker.report('b', 'refused', undefined, 'attacker');
  assert.equal(breaker.admit('b', 'visitor'), null);
  assert.ok(breaker.pauseOf('b', 'attacker'));
  clock.now = 1000;
  assert.equal(breaker.admit('a', 'attacker'), null);
});

test('one failure of another client does not lift an attacker over the threshold', () => {
  const { breaker } = timed();
  for (let failure = 0; failure < 100; failure++) breaker.report('a', 'failed', undefined, 'attacker');
  for (let failure = 0; failure < 6; failure++) breaker.report('a', 'failed', undefined, 'visitor');
  assert.equal(breaker.pauseOf('a', 'somebody'), null);
});

test('all /64s of a /48 are one client, however they alternate', () => {
  const { clock, breaker } = timed();
  for (let failure = 0; failure < 60; failure++)
    breaker.report('a', 'failed', undefined, `2001:db8:0:${(failure * 100).toString(16)}`);
  assert.equal(breaker.pauseOf('a', 'visitor'), null);
  assert.equal(breaker.pauseOf('a', '2001:db8:1:0'), null, 'another /48');
  assert.equal(breaker.pauseOf('a', '2001:db8:0:ffff')?.ms, 1000);
  for (const client of ['one', 'two', 'three']) breaker.report('b', 'refused', undefined, client);
  for (let probe = 0; probe < 5; probe++) {
    clock.now += breaker.pauseOf('b')!.ms;
    breaker.admit('b', `2001:db8:0:${probe}`);
    breaker.report('b', 'refused', undefined, `2001:db8:0:${probe}`);
    assert.equal(breaker.pauseOf('b')?.ms, 2000, 'its probes do not double the pause again and again');
  }
});

test('failures of several clients, or for a VIN known to work, open it for all', () => {
  const { breaker } = timed();
  for (let failure = 0; failure < 20; failure++)
    breaker.report('a', 'failed', undefined, `client ${failure % 4}`);
  assert.deepEqual(breaker.pauseOf('a', 'somebody'), { ms: 1000, after: 'failed' });
  for (const client of ['one', 'two', 'three']) breaker.report('b', 'refused', undefined, client);
  assert.deepEqual(breaker.pauseOf('b', 'somebody'), { ms: 1000, after: 'refused' });
  for (let failure = 0; failure < 20; failure++) breaker.report('c', 'failed');
  assert.ok(breaker.pauseOf('c', 'somebody'));
});

test('Retry-After seen by one client counts for a minute at most, and after a failure for that client only', () => {
  const { breaker } = timed();
  breaker.report('a', 'refused', 3_600_000, 'attacker');
  assert.equal(breaker.pauseOf('a', 'visitor')?.ms, 60_000);
  breaker.report('b', 'failed', 3_600_000, 'attacker');
  assert.equal(breaker.pauseOf('b', 'visitor'), null);
  assert.equal(breaker.pauseOf('b', 'attacker')?.ms, 60_000);
  breaker.report('b', 'failed', 3_600_000, 'visitor');
  assert.equal(breaker.pauseOf('b', 'somebody')?.ms, 900_000);
});

test('repeated probes of one client do not lengthen the pause, and another client probes next', () => {
  const { clock, breaker } = timed();
  for (const client of ['one', 'two', 'three']) breaker.report('a', 'refused', undefined, client);
  for (let probe = 0; probe < 3; probe++) {
    clock.now += breaker.pauseOf('a', 'attacker')!.ms;
    assert.equal(breaker.admit('a', 'attacker'), null);
    breaker.report('a', 'refused', undefined, 'attacker');
    assert.equal(breaker.pauseOf('a', 'visitor')?.ms, 2000);
    const [mine, others] = [breaker.pauseOf('a', 'attacker'), breaker.pauseOf('a', 'visitor')];
    clock.now += others!.ms;
    assert.ok(breaker.pauseOf('a', 'attacker'), 'the attacker waits longer');
    assert.equal(breaker.pauseOf('a', 'visitor'), null);
    assert.ok(mine!.ms >= others!.ms);
  }
});

test('failures alone pause nothing for all; a failed health check does, each time for twice as long', () => {
  const clock = { now: 0 };
  const breaker = createBreaker({ pauseMs: 1000, now: () => clock.now });
  for (const client of ['one', 'two', 'three', 'four']) breaker.report('a', 'refused', 7000, client);
  assert.equal(breaker.pauseOf('a', 'visitor'), null);
  for (const pause of [1, 2, 4]) {
    breaker.reportHealth('a', 'failed');
    assert.deepEqual(breaker.pauseOf('a', 'visitor'), { ms: pause * 1000, after: 'failed' });
    clock.now += pause * 1000;
    breaker.admit('a', 'one');
    // The same client sends every probe, which would not lengthen the pause.
    breaker.report('a', 'refused', undefined, 'one');
  }
  breaker.reportHealth('a', 'responded');
  assert.equal(breaker.admit('a', 'visitor'), null);
  assert.equal(breaker.admit('a', 'visitor'), null, 'it is not probed any more');
  breaker.reportHealth('b', 'refused', 1e12);
  assert.equal(breaker.pauseOf('b')?.ms, 900_000);
});

test('a client is forgotten two minutes after its last failure, also if the host gets no more requests', () => {
  const { clock, breaker } = timed();
  breaker.report('a', 'failed', 0, '192.0.2.1');
  clock.now = 60_000;
  breaker.report('a', 'failed', 0, '192.0.2.2');
  assert.equal(breaker.size(), 2);
  clock.now = 91_000;
  breaker.forget();
  assert.equal(breaker.size(), 1);
  clock.now = 151_000;
  breaker.forget();
  assert.equal(breaker.size(), 0);
});
