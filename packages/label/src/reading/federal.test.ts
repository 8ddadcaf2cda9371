import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf } from '../../../../test/label-page.ts';
import { linesOf } from './lines.ts';
import { blankLabel } from './reader.ts';
import type { Label, Line } from './types.ts';
import { readWarranty } from './federal.ts';

function read(standard: Label['standard'], lines: Line[] = []): Pick<Label, 'warranty' | 'standard'> {
  const label = { ...blankLabel('Ford'), standard };
  readWarranty(label, lines);
  return { warranty: label.warranty, standard: label.standard };
}

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
  assert.deepEqual(read([], linesOf(pageOf(...box))).warranty, wanted);
  assert.deepEqual(read([], linesOf(pageOf(...box.toReversed()))).warranty, wanted);
});

test('terms among the standard equipment are the warranty alone', () => {
  assert.deepEqual(
    read([
      { section: 'EXTERIOR', items: ['FOG LAMPS'] },
      {
        section: 'WARRANTY',
        items: ['3YR/36,000 BUMPER / BUMPER', '8YR/100,000 HYBRID', 'UNIQUE COMPONENTS'],
      },
    ]),
    {
      warranty: ['3YR/36,000 BUMPER / BUMPER', '8YR/100,000 HYBRID UNIQUE COMPONENTS'],
      standard: [{ section: 'EXTERIOR', items: ['FOG LAMPS'] }],
    },
  );
  const onstar = '8 YEARS ONSTAR BASICS SEE ONSTAR.COM FOR TERMS';
  assert.deepEqual(
    read([
      {
        section: 'OWNER BENEFITS',
        items: [
          '3 YEAR/36,000 MILE* BUMPER-TO-BUMPER LIMITED WARRANTY * 5 YEAR/60,000 MILE* POWERTRAIN LIMITED WARRANTY * FIRST MAINTENANCE VISIT *WHICHEVER COMES FIRST',
          onstar,
        ],
      },
    ]),
    {
      warranty: [
        '3 YEAR/36,000 MILE* BUMPER-TO-BUMPER LIMITED WARRANTY',
        '5 YEAR/60,000 MILE* POWERTRAIN LIMITED WARRANTY',
      ],
      standard: [
        { section: 'OWNER BENEFITS', items: ['FIRST MAINTENANCE VISIT *WHICHEVER COMES FIRST', onstar] },
      ],
    },
  );
  const advice = '*Limited warranties, see dealer for details';
  const section = "AMERICA'S BEST WARRANTY";
  assert.deepEqual(read([{ section, items: ['5-year/Unlimited-mile Roadside Assistance', advice] }]), {
    warranty: ['5-year/Unlimited-mile Roadside Assistance'],
    standard: [{ section, items: [advice] }],
  });
});

test('what is no warranty stays equipment, and no term is lost', () => {
  const subscription = [{ section: 'EXTERIOR', items: ['2 YEAR SUBSCRIPTION'] }];
  assert.deepEqual(read(subscription), { warranty: null, standard: subscription });
  const many = [{ section: 'WARRANTY', items: Array.from({ length: 20 }, (_, year) => `${year}YR`) }];
  const { warranty, standard } = read(many);
  assert.equal(warranty?.length, 12);
  assert.deepEqual(standard, many);
});
