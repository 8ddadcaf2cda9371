import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withProgress } from './progress.ts';

function caller(progressToken?: number) {
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

test('a caller that asked for progress hears of it every second until the answer is there', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const one = caller(7);
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = withProgress(promise, one);
  t.mock.timers.tick(2_500);
  resolve('here');
  assert.equal(await answer, 'here');
  t.mock.timers.tick(5_000);
  assert.deepEqual(
    one.sent,
    [1, 2].map((progress) => ({
      progressToken: 7,
      progress,
      total: 20,
      message: `Waiting for the manufacturer, ${progress} s.`,
    })),
  );
});

test('a caller that did not ask hears only the answer', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const one = caller();
  const { promise, resolve } = Promise.withResolvers<string>();
  const answer = withProgress(promise, one);
  t.mock.timers.tick(5_000);
  resolve('here');
  await answer;
  assert.deepEqual(one.sent, []);
});

test('a caller that cancels is not kept waiting, and hears nothing more', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const one = caller(7);
  const answer = withProgress(new Promise(() => {}), one);
  one.abort.abort();
  await assert.rejects(answer, /cancelled/);
  t.mock.timers.tick(5_000);
  assert.deepEqual(one.sent, []);
});
