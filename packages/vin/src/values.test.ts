import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liters, plant, valueOrNull, transmission } from './values.ts';

test('displacement is rounded to one decimal, to two below one liter', () => {
  const cases = { '3.5': '3.5L', '5': '5.0L', '3.474057568': '3.5L', '1.984000': '2.0L', '0.6494': '0.65L' };
  for (const [printed, expected] of Object.entries({ ...cases, '1.15': '1.2L', '0.999': '1.0L' }))
    assert.equal(liters(printed), expected, printed);
  for (const printed of ['0', '', 'Not Applicable', 'x']) assert.equal(liters(printed), null, printed);
});

test('speeds come before the transmission if both are known', () => {
  assert.equal(transmission('Automatic', '10'), '10-Speed Automatic');
  assert.equal(transmission('Manual/Standard', null), 'Manual/Standard');
  assert.equal(transmission('Not Applicable', '6'), null);
});

test('a plant leaves out what is missing', () => {
  assert.equal(
    plant('DEARBORN', 'MICHIGAN', 'UNITED STATES (USA)'),
    'DEARBORN, MICHIGAN, UNITED STATES (USA)',
  );
  assert.equal(plant('', null, 'JAPAN'), 'JAPAN');
  assert.equal(plant(null, undefined, 'Not Applicable'), null);
});

test('"Not Applicable" and blank values are null', () => {
  for (const value of [' ', 'Not Applicable', null, undefined]) assert.equal(valueOrNull(value), null);
  assert.equal(valueOrNull('4 '), '4 ');
});
