import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText } from './extracted-text.ts';
import { columnOf, pageOf } from '../../../../test/label-page.ts';
import { linesOf } from './lines.ts';
import { cents, isNoCharge, priced } from './money.ts';

const split = (text: string): unknown[] => Object.values(priced(linesOf(plainText(text))[0]!));

test('amounts are cents, however a label writes them', () => {
  const written: Record<string, number> = {
    $52980: 5_298_000,
    '$52,980': 5_298_000,
    '1,495.00': 149_500,
    '$ 49,085.00': 4_908_500,
    '–$445': -44_500,
    '-50.00': -5000,
    '- 2,000.00': -200_000,
    '$-445': -44_500,
    '10 000 $': 1_000_000,
    '1 234,00 $': 123_400,
    '.00': 0,
    'NO CHARGE': 0,
    Included: 0,
    'INC.': 0,
  };
  for (const [text, value] of Object.entries(written)) assert.equal(cents(text), value, text);
});

test('text that is more than an amount is not an amount', () => {
  for (const text of ['', 'SEATS', '$', '($995)', '4CV', 'N/A', '1,495.00 SEATS'])
    assert.equal(cents(text), null, text);
});

test('words for no charge are not amounts', () => {
  assert.ok(isNoCharge('no charge'));
  assert.ok(!isNoCharge('.00'));
});

test('a price glued to its name, or the last word of recorded text, is split off', () => {
  assert.deepEqual(split('SEATS1,595.00'), ['SEATS', 159_500, '1,595.00']);
  assert.deepEqual(split('EQUIPEMENT$10,010.00'), ['EQUIPEMENT', 1_001_000, '$10,010.00']);
  assert.deepEqual(split('STX LOW DISCOUNT - 2,000.00'), ['STX LOW DISCOUNT', -200_000, '- 2,000.00']);
  assert.deepEqual(split('PLATE BRACKET NO CHARGE'), ['PLATE BRACKET', null, 'NO CHARGE']);
  assert.deepEqual(split('FLOOR MATS .00'), ['FLOOR MATS', 0, '.00']);
});

test('a number at the end of a name is part of the name', () => {
  const names = ['REAR AXLE RATIO 3.73', 'Customer Preferred Package 24', 'PACKAGE 2026', '… 6,7L 10 000'];
  for (const name of names)
    assert.deepEqual(priced(linesOf(plainText(name))[0]!), { name, price: null, printed: null });
});

test('on a page a price is a cell of its own, its minus too, and a name may end in words for no charge', () => {
  const lines = linesOf(
    pageOf(
      ...columnOf(60, 100, [['SPOILER', '1,495.00'], ['SEATS', 'INC.'], '3 YEAR SUBSCRIPTION INCLUDED'], 10),
      [60, 160, 'CREDIT'],
      [180, 160, '-'],
      [200, 160, '50.00'],
    ),
  );
  assert.deepEqual(
    lines.map((line) => Object.values(priced(line))),
    [
      ['SPOILER', 149_500, '1,495.00'],
      ['SEATS', null, 'INC.'],
      ['3 YEAR SUBSCRIPTION INCLUDED', null, null],
      ['CREDIT', -5000, '-50.00'],
    ],
  );
});
