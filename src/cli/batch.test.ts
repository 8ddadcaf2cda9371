import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOrder } from './batch.ts';

test('a result does not wait for the next item to arrive', async () => {
  const later = Promise.withResolvers<void>();
  async function* items() {
    yield 1;
    await later.promise;
    yield 2;
  }
  const results = inOrder(items(), 4, async (item) => item);
  assert.deepEqual(await results.next(), { value: 1, done: false });
  later.resolve();
  assert.deepEqual(await results.next(), { value: 2, done: false });
  assert.equal((await results.next()).done, true);
});

test('an error of the source is thrown after the results of the items before it', async () => {
  async function* items() {
    yield 1;
    throw new Error('broken');
  }
  const results = inOrder(items(), 4, async (item) => item);
  assert.equal((await results.next()).value, 1);
  await assert.rejects(results.next(), /broken/);
});
