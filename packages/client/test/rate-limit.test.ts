import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRateLimit, type Clock } from '../src/rate-limit.ts';

/** A clock that jumps to the end of the next sleep once everything else is waiting. */
function fakeClock(): Clock & { time: number } {
  const clock = {
    time: 0,
    now: () => clock.time,
    sleep: (ms: number, signal: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        const until = clock.time + ms;
        const timer = setImmediate(() => {
          clock.time = Math.max(clock.time, until);
          resolve();
        });
        signal.addEventListener('abort', () => {
          clearImmediate(timer);
          reject(signal.reason as Error);
        });
      }),
  };
  return clock;
}

const announcing = (policy: string | null, status = 200, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { ...(policy ? { 'ratelimit-policy': policy } : {}), ...headers } });

/** When each of so many requests is sent, in seconds, if every response arrives before the next request. */
async function sendTimes(count: number, response: Response, requests?: number): Promise<number[]> {
  const clock = fakeClock();
  const rateLimit = createRateLimit(requests, clock);
  const times: number[] = [];
  for (let sent = 0; sent < count; sent++) {
    await rateLimit.wait(new AbortController().signal);
    times.push(clock.time / 1000);
    rateLimit.update(response);
  }
  return times;
}

test('the client sends as many requests as the service announces, and no more', async () => {
  const times = await sendTimes(1001, announcing('"default";q=1000;w=60'));
  assert.equal(times[999], 0);
  assert.equal(times[1000], 61);
  const slow = await sendTimes(4, announcing('"default";q=2;w=5'));
  assert.deepEqual(slow, [0, 0, 6, 6]);
});

test('without an announced limit there is none', async () => {
  assert.equal((await sendTimes(5000, announcing(null))).at(-1), 0);
});

test("an error page of a proxy doesn't lift the limit", async () => {
  assert.equal((await sendTimes(11, announcing(null, 502)))[10], 11);
});

test('a 429 without a policy means the default limit again', async () => {
  const clock = fakeClock();
  const rateLimit = createRateLimit(undefined, clock);
  rateLimit.update(announcing(null));
  rateLimit.update(announcing(null, 429, { 'retry-after': '10' }));
  const times: number[] = [];
  for (let sent = 0; sent < 11; sent++) {
    await rateLimit.wait(new AbortController().signal);
    times.push(clock.time / 1000);
  }
  assert.deepEqual([times[0], times[9], times[10]], [10, 10, 21]);
});

test('a limit of your own replaces the announced one', async () => {
  assert.deepEqual(await sendTimes(3, announcing('"default";q=1000;w=60'), 1), [0, 11, 22]);
  assert.equal((await sendTimes(50, announcing('"default";q=2;w=5'), 0)).at(-1), 0);
});

test('requests that wait go out as soon as a response announces a higher limit', async () => {
  const clock: Clock = {
    now: () => 0,
    sleep: (_, signal) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
  };
  const rateLimit = createRateLimit(undefined, clock);
  const all = Promise.all(Array.from({ length: 50 }, () => rateLimit.wait(new AbortController().signal)));
  // The eleventh is waiting now.
  await new Promise((resolve) => setImmediate(resolve));
  rateLimit.update(announcing('"default";q=1000;w=60'));
  await all;
});

test('a response from a shared cache says nothing about the limit', async () => {
  assert.equal((await sendTimes(11, announcing('"default";q=1000;w=60', 200, { age: '5' })))[10], 11);
});

test('an aborted request leaves its turn to the next', async () => {
  const rateLimit = createRateLimit(1, fakeClock());
  await rateLimit.wait(new AbortController().signal);
  const stop = new AbortController();
  const aborted = rateLimit.wait(stop.signal);
  const next = rateLimit.wait(new AbortController().signal);
  stop.abort(new Error('stop'));
  await assert.rejects(aborted, /stop/);
  await next;
});
