import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDigit, hasRightCheckDigit } from './check-digit.ts';

test('the example of 49 CFR 565 has check digit X', () => {
  assert.equal(checkDigit('1M8GDM9A_KP042788'), 'X');
  assert.ok(hasRightCheckDigit('1M8GDM9AXKP042788'));
});

test('seventeen ones have a right check digit', () => {
  assert.ok(hasRightCheckDigit('11111111111111111'));
});

test('changing any character to one with another value makes it wrong', () => {
  const vin = '1M8GDM9AXKP042788';
  for (let index = 0; index < 17; index++) {
    if (index === 8) continue;
    const other = vin[index] === '3' ? '4' : '3';
    const changed = vin.slice(0, index) + other + vin.slice(index + 1);
    // L, C, T and 3 have the same value, so such a change goes unnoticed.
    assert.equal(hasRightCheckDigit(changed), 'CLT'.includes(vin[index] ?? ''), `position ${index + 1}`);
  }
});

test('a character without a value, or another length, has no check digit', () => {
  for (const text of ['1M8GDM9AXKPO42788', '1M8GDM9AXKP04278', '', '1M8GDM9AXKP04278é']) {
    assert.equal(checkDigit(text), null);
    assert.equal(hasRightCheckDigit(text), false);
  }
});
