import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReadiness } from './readiness.ts';

void test('calls at the same time share one check, and a success counts for a second', async () => {
  let checks = 0;
  let clock = 0;
  const ready = createReadiness(
    async () => {
      checks++;
      await new Promise((resolve) => void setImmediate(resolve));
    },
    () => clock,
  );
  await Promise.all([ready(), ready(), ready()]);
  clock = 999;
  await ready();
  assert.equal(checks, 1);
  clock = 1000;
  await ready();
  assert.equal(checks, 2);
});

void test('a failure is reported to all that wait for it, and the next call checks again', async () => {
  let checks = 0;
  const ready = createReadiness(async () => {
    if (++checks === 1) throw new Error('full');
  });
  const results = await Promise.allSettled([ready(), ready()]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await ready();
  assert.equal(checks, 2);
});
