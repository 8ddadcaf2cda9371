import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBodyBudget } from './body.ts';

const open = new AbortController().signal;
const settled = async <T>(promise: Promise<T>): Promise<T | 'waiting'> => {
  const later = new Promise<'waiting'>((resolve) => setImmediate(() => resolve('waiting')));
  return Promise.race([promise, later]);
};

test('bodies beyond the budget wait until one is released', async () => {
  const budget = createBodyBudget(100);
  const first = (await budget.reserve('a', 50, open))!;
  await budget.reserve('b', 50, open);
  const third = budget.reserve('c', 10, open);
  assert.equal(await settled(third), 'waiting');
  first();
  first();
  assert.equal(typeof (await settled(third)), 'function');
  assert.equal(await settled(budget.reserve('d', 50, open)), 'waiting');
});

test('a host gets half of the budget and does not block others behind it', async () => {
  const budget = createBodyBudget(100);
  const first = (await budget.reserve('a', 40, open))!;
  const second = budget.reserve('a', 40, open);
  assert.equal(await settled(second), 'waiting');
  assert.equal(typeof (await settled(budget.reserve('b', 40, open))), 'function');
  first();
  assert.equal(typeof (await settled(second)), 'function');
});

test('a body larger than the budget is admitted alone', async () => {
  const budget = createBodyBudget(100);
  const done = (await budget.reserve('a', 1000, open))!;
  assert.equal(await settled(budget.reserve('b', 1, open)), 'waiting');
  done();
});

test('an aborted reservation leaves nothing reserved', async () => {
  const budget = createBodyBudget(100);
  const done = (await budget.reserve('a', 100, open))!;
  const leaving = new AbortController();
  const second = budget.reserve('b', 100, leaving.signal);
  leaving.abort();
  assert.equal(await second, null);
  assert.equal(await budget.reserve('b', 100, leaving.signal), null);
  done();
  assert.equal(typeof (await settled(budget.reserve('c', 100, open))), 'function');
});
