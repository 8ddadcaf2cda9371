import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportedLines } from '../../test/linting.ts';

test('a test that sleeps, reads a clock, measures itself or has a time limit is rejected', () => {
  const text = `import { setTimeout as wait } from 'node:timers/promises';
    import { test } from 'node:test';
    await new Promise((resolve) => setTimeout(resolve, 5));
    const from = performance.now() - Date.now();
    const today = new Date();
    const { rss } = process.memoryUsage();
    const ticks = process.hrtime.bigint();
    socket.setTimeout(5000);
    test('is quick', { timeout: 5000 }, () => {});
    fetch('/', { signal: AbortSignal.timeout(100) });`;
  assert.deepEqual(reportedLines('tests.ts', 'tests/no-clock', text), [1, 3, 4, 4, 5, 6, 7, 8, 9, 10]);
});

test('a fixed date, a clock that is passed on, an event and an excused line are accepted', () => {
  const text = `import { test } from 'node:test';
    const day = new Date('2026-11-17');
    const options = { now: Date.now, timeout: 5000 };
    await new Promise((resolve) => setImmediate(resolve));
    test('runs', { concurrency: true }, (t) => t.mock.timers.tick(100));
    // oxlint-disable-next-line tests/no-clock -- Another process has the real clock.
    const at = Date.now();`;
  assert.deepEqual(reportedLines('tests.ts', 'tests/no-clock', text), []);
});
