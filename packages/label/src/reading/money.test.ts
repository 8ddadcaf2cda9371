import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainText, linesOf } from './lines.ts';
import { columnOf, pageOf } from '../../../../test/label-page.ts';
import { NO_FIGURES } from './fuel-economy.ts';
import { cents, isNoCharge, priced, proofOf, proofWords } from './money.ts';
import { blankLabel } from './reader.ts';
import type { Label } from './types.ts';

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

function labelWith(change: Partial<Label['prices']> = {}): Label {
  const label = blankLabel('Dodge');
  Object.assign(label.prices, {
    base: 3_000_000,
    options: [
      { name: 'Sunroof', price: 99_500, children: [] },
      { name: 'Delete Step', price: -30_000, children: [] },
      { name: 'Package', price: null, children: [] },
    ],
    taxes: [{ name: 'Gas Guzzler Tax', price: 210_000 }],
    fees: [{ name: 'Dealer Fee', price: 69_900 }],
    discounts: [{ name: 'Savings', price: -25_000 }],
    destination: 159_500,
    total: 3_483_900,
    ...change,
  });
  return label;
}

test('base, options, taxes, fees, destination and discounts add up to the total', () => {
  assert.deepEqual(proofOf(labelWith()), {
    closes: true,
    reason: null,
    sum: 3_483_900,
    total: 3_483_900,
    difference: 0,
  });
});

test('prices that do not add up report the difference', () => {
  const { closes, reason, difference } = proofOf(labelWith({ fees: [] }));
  assert.deepEqual(
    { closes, reason, difference },
    { closes: false, reason: 'sum-differs', difference: -69_900 },
  );
});

test('without a base, a destination charge or a total nothing can be checked', () => {
  for (const missing of ['base', 'destination'] as const)
    assert.equal(proofOf(labelWith({ [missing]: null })).reason, 'no-total');
  assert.deepEqual(proofOf(labelWith({ total: null })), {
    closes: false,
    reason: 'no-total',
    sum: null,
    total: null,
    difference: null,
  });
});

test('missing prices are not called wrong', () => {
  assert.equal(proofWords(proofOf(labelWith())), 'The prices add up to the total.');
  assert.match(
    proofWords(proofOf(labelWith({ fees: [] }))),
    /: they don't add up to the total\. Check the PDF\.$/,
  );
  assert.match(
    proofWords(proofOf(labelWith({ base: null, total: null }))),
    /: we couldn't find all of them\./,
  );
});

test('prices that add up prove nothing while the page has others', () => {
  for (const reason of ['unread-priced-lines', 'subtotal-differs'] as const) {
    const proof = proofOf(labelWith(), reason);
    assert.deepEqual([proof.closes, proof.reason, proof.difference], [false, reason, 0]);
    assert.match(proofWords(proof), /Check the PDF/);
  }
});

test('the printed sum of options is compared with the lines above it', () => {
  const proof = proofOf(labelWith(), null, { printed: 279_500, sum: 279_500 });
  assert.deepEqual(proof.options, { printed: 279_500, sum: 279_500, closes: true });
  assert.equal(proofOf(labelWith(), null, { printed: 1, sum: 279_500 }).options?.closes, false);
});

test('combined economy is the harmonic mean, and consumption the plain one', () => {
  const proof = (city: number, highway: number, combined: number, unit: string) =>
    proofOf({ ...labelWith(), fuelEconomy: { ...NO_FIGURES, city, highway, combined, unit } }).fuelEconomy;
  assert.deepEqual(proof(17, 25, 20, 'MPG'), { combined: 20, computed: 20, closes: true });
  assert.deepEqual(proof(12.8, 8.2, 10.7, 'L/100 km'), { combined: 10.7, computed: 10.7, closes: true });
  assert.equal(proof(17, 25, 25, 'MPG')?.closes, false);
  assert.equal(
    proofOf({ ...labelWith(), fuelEconomy: { ...NO_FIGURES, combined: 49, unit: 'MPGe' } }).fuelEconomy,
    undefined,
  );
});
