import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liters, plant, valueOrNull, transmission } from './forms.ts';

test('displacement is rounded to one decimal, to two below one liter', () => {
  const printed = [
    '3.5',
    '5',
    '3.474057568',
    '1.984000',
    '0.6494',
    '1.15',
    '0.999',
    '0',
    '',
    'Not Applicable',
    'x',
  ];
  assert.deepEqual(printed.map(liters), [
    '3.5L',
    '5.0L',
    '3.5L',
    '2.0L',
    '0.65L',
    '1.2L',
    '1.0L',
    null,
    null,
    null,
    null,
  ]);
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
  assert.deepEqual([' ', 'Not Applicable', null, undefined, '4 '].map(valueOrNull), [
    null,
    null,
    null,
    null,
    '4 ',
  ]);
});
