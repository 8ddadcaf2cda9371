import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLimiter } from '../lib/limits.ts';
import { budgetOf, LIMIT, limitField, policyField } from './limit.ts';

test('the header fields say how many requests are left and when more are allowed', () => {
  let now = 5000;
  const { take } = createLimiter(budgetOf(LIMIT), () => now);
  const fieldAt = (ms: number) => {
    now = 5000 + ms;
    return limitField(take('192.0.2.1'));
  };
  assert.equal(policyField(LIMIT), '"default";q=10;w=10');
  assert.equal(fieldAt(0), '"default";r=9;t=10');
  assert.equal(fieldAt(2500), '"default";r=8;t=8');
  for (let n = 0; n < 8; n++) fieldAt(2500);
  assert.equal(fieldAt(4000), '"default";r=0;t=10', 'the eleventh starts a block');
  assert.equal(fieldAt(13_999), '"default";r=0;t=1');
  assert.equal(fieldAt(14_000), '"default";r=9;t=10');
});

test('rounding never makes the wait longer than the window', () => {
  for (let ms = 0; ms < 1000; ms++) {
    const { take } = createLimiter(budgetOf(LIMIT), () => 5000 + ms * 7.3);
    assert.equal(limitField(take('192.0.2.1')), '"default";r=9;t=10', `${ms}`);
  }
});
