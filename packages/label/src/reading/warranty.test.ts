import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf } from '../../../../test/label-page.ts';
import { linesOf } from './lines.ts';
import { blankLabel } from './reader.ts';
import type { Label } from './types.ts';
import { warrantyOf } from './warranty.ts';

const listed = (...standard: Label['standard']) => warrantyOf({ ...blankLabel('Ford'), standard }, []);

test('the sentences of a box of its own, without the advice', () => {
  const box = columnOf(347, 404, [
    'WARRANTY COVERAGE',
    '10–year or 100,000–mile Powertrain Limited Warranty',
    '(Retail Purchases).',
    '3–year or 36,000–mile Basic Limited Warranty.',
    '5-year or 100,000-mile Roadside Assistance; certain',
    'restrictions apply.',
    'Ask Dealer for a copy of the limited warranties or',
    "see your owner's manual for details.",
  ]);
  const wanted = [
    '10–year or 100,000–mile Powertrain Limited Warranty (Retail Purchases).',
    '3–year or 36,000–mile Basic Limited Warranty.',
    '5-year or 100,000-mile Roadside Assistance; certain restrictions apply.',
  ];
  assert.deepEqual(warrantyOf(blankLabel('Jeep'), linesOf(pageOf(...box))), wanted);
  assert.deepEqual(warrantyOf(blankLabel('Jeep'), linesOf(pageOf(...box.toReversed()))), wanted);
});

test('terms among the standard equipment', () => {
  assert.deepEqual(
    listed({
      section: 'WARRANTY',
      items: ['3YR/36,000 BUMPER / BUMPER', '8YR/100,000 HYBRID', 'UNIQUE COMPONENTS'],
    }),
    ['3YR/36,000 BUMPER / BUMPER', '8YR/100,000 HYBRID UNIQUE COMPONENTS'],
  );
  assert.deepEqual(
    listed({
      section: 'OWNER BENEFITS',
      items: [
        '3 YEAR/36,000 MILE* BUMPER-TO-BUMPER LIMITED WARRANTY * 5 YEAR/60,000 MILE* POWERTRAIN LIMITED WARRANTY * FIRST MAINTENANCE VISIT',
        '8 YEARS ONSTAR BASICS SEE ONSTAR.COM FOR TERMS',
      ],
    }),
    [
      '3 YEAR/36,000 MILE* BUMPER-TO-BUMPER LIMITED WARRANTY',
      '5 YEAR/60,000 MILE* POWERTRAIN LIMITED WARRANTY',
    ],
  );
  assert.deepEqual(
    listed({
      section: "AMERICA'S BEST WARRANTY",
      items: ['5-year/Unlimited-mile Roadside Assistance', '*Limited warranties, see dealer for details'],
    }),
    ['5-year/Unlimited-mile Roadside Assistance'],
  );
  assert.equal(listed({ section: 'EXTERIOR', items: ['2 YEAR SUBSCRIPTION'] }), null);
});
