import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createPeriodic } from './periodic.ts';

test('work runs at intervals but never twice at a time, and stop() waits for it', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const events: string[] = [];
  let end = () => {};
  const periodic = createPeriodic(1000, async () => {
    events.push('begins');
    await new Promise<void>((resolve) => (end = resolve));
    events.push('ends');
  });
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await setImmediate();
  };
  await pass(999);
  assert.equal(events.length, 0);
  await pass(1);
  assert.deepEqual(events, ['begins']);
  // Skipped, instead of following when this run ends.
  await pass(3000);
  end();
  await setImmediate();
  assert.deepEqual(events, ['begins', 'ends']);
  await pass(1000);
  void periodic.run();
  void periodic.stop().then(() => events.push('stopped'));
  await pass(5000);
  assert.deepEqual(events, ['begins', 'ends', 'begins']);
  end();
  await setImmediate();
  end();
  await setImmediate();
  await pass(5000);
  assert.deepEqual(events, ['begins', 'ends', 'begins', 'ends', 'begins', 'ends', 'stopped']);
});
