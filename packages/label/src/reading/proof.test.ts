import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_FIGURES } from './fuel-economy.ts';
import type { Label } from './types.ts';
import { proofOf, proofWords } from './proof.ts';
import { blankLabel } from './reader.ts';

function priced(change: Partial<Label['prices']> = {}): Label {
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
  assert.deepEqual(proofOf(priced()), {
    closes: true,
    reason: null,
    sum: 3_483_900,
    total: 3_483_900,
    difference: 0,
  });
});

test('prices that do not add up report the difference', () => {
  const { closes, reason, difference } = proofOf(priced({ fees: [] }));
  assert.deepEqual(
    { closes, reason, difference },
    { closes: false, reason: 'sum-differs', difference: -69_900 },
  );
});

test('without a base, a destination charge or a total nothing can be checked', () => {
  for (const missing of ['base', 'destination'] as const)
    assert.equal(proofOf(priced({ [missing]: null })).reason, 'no-total');
  assert.deepEqual(proofOf(priced({ total: null })), {
    closes: false,
    reason: 'no-total',
    sum: null,
    total: null,
    difference: null,
  });
});

test('missing prices are not called wrong', () => {
  assert.equal(proofWords(proofOf(priced())), 'The prices add up to the total.');
  assert.match(
    proofWords(proofOf(priced({ fees: [] }))),
    /: they don't add up to the total\. Check the PDF\.$/,
  );
  assert.match(proofWords(proofOf(priced({ base: null, total: null }))), /: we couldn't find all of them\./);
});

test('prices that add up prove nothing while the page has others', () => {
  for (const reason of ['unread-priced-lines', 'subtotal-differs'] as const) {
    const proof = proofOf(priced(), reason);
    assert.deepEqual([proof.closes, proof.reason, proof.difference], [false, reason, 0]);
    assert.match(proofWords(proof), /Check the PDF/);
  }
});

test('the printed sum of options is compared with the lines above it', () => {
  const proof = proofOf(priced(), null, { printed: 279_500, sum: 279_500 });
  assert.deepEqual(proof.options, { printed: 279_500, sum: 279_500, closes: true });
  assert.equal(proofOf(priced(), null, { printed: 1, sum: 279_500 }).options?.closes, false);
});

test('combined economy is the harmonic mean, and consumption the plain one', () => {
  const proof = (city: number, highway: number, combined: number, unit: string) =>
    proofOf({ ...priced(), fuelEconomy: { ...NO_FIGURES, city, highway, combined, unit } }).fuelEconomy;
  assert.deepEqual(proof(17, 25, 20, 'MPG'), { combined: 20, computed: 20, closes: true });
  assert.deepEqual(proof(12.8, 8.2, 10.7, 'L/100 km'), { combined: 10.7, computed: 10.7, closes: true });
  assert.equal(proof(17, 25, 25, 'MPG')?.closes, false);
  assert.equal(
    proofOf({ ...priced(), fuelEconomy: { ...NO_FIGURES, combined: 49, unit: 'MPGe' } }).fuelEconomy,
    undefined,
  );
});
