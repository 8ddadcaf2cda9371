import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withProgress } from './call.ts';

function createCaller(progressToken?: number) {
  const sent: unknown[] = [];
  const abort = new AbortController();
  return {
    sent,
    abort,
    _meta: progressToken === undefined ? {} : { progressToken },
    signal: abort.signal,
    notify: async (notification: { params?: unknown }) => void sent.push(notification.params),
  };
}

test('a client that asked for progress is notified every second until the result', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const caller = createCaller(7);
  const { promise, resolve } = Promise.withResolvers<string>();
  const result = withProgress(promise, caller);
  t.mock.timers.tick(2_500);
  resolve('here');
  assert.equal(await result, 'here');
  t.mock.timers.tick(5_000);
  assert.deepEqual(
    caller.sent,
    [1, 2].map((progress) => ({
      progressToken: 7,
      progress,
      total: 20,
      message: `Waiting for the manufacturer, ${progress} s.`,
    })),
  );
});

test('a client that did not ask for progress gets only the result', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const caller = createCaller();
  const { promise, resolve } = Promise.withResolvers<string>();
  const result = withProgress(promise, caller);
  t.mock.timers.tick(5_000);
  resolve('here');
  await result;
  assert.deepEqual(caller.sent, []);
});

test('cancelling rejects at once and stops the notifications', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const caller = createCaller(7);
  const result = withProgress(new Promise(() => {}), caller);
  caller.abort.abort();
  await assert.rejects(result, /cancelled/);
  t.mock.timers.tick(5_000);
  assert.deepEqual(caller.sent, []);
});
