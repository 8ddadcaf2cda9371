import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORD, fakeLookup, MISTYPED, runTool } from '../../test/fake-lookup.ts';
import { withProgress } from './call.ts';
import { tools } from './tools.ts';

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

test('bad input and the limit on new labels are errors of every tool that takes one VIN', async () => {
  for (const { name, openWorld } of tools.filter(({ input }) => 'vin' in input.shape)) {
    for (const [args, message] of [
      [{ vin: MISTYPED }, new RegExp(`Position 17 .*Did you mean ${FORD}\\?$`)],
      [{ vin: 'nonsense' }, /17 characters/],
      [{ vin: 5 }, /^"vin" must be a string\.$/],
      [{}, /^"vin" is missing; it must be a string\.$/],
      [{ vin: FORD, year: 2026 }, /doesn't take "year"; it takes vin/],
    ] as const) {
      const fake = fakeLookup();
      const result = await runTool(name, args, fake);
      assert.equal(result.isError, true);
      assert.match(result.text, message);
      assert.deepEqual(fake.calls, []);
    }
    if (!openWorld) continue;
    const limited = fakeLookup({ findings: { [FORD]: { state: 'limited', retryAfter: 30 } } });
    const result = await runTool(name, { vin: FORD }, limited);
    assert.equal(result.isError, true);
    assert.match(result.text, /too many new labels.*Try again in 30 seconds/);
    assert.deepEqual(limited.calls, [{ vin: FORD, sticker: true, client: '192.0.2.1' }]);
  }
});
