import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hideEachPrice } from '../../test/hidden-prices.ts';
import { readWords } from '../../test/drawn-label.ts';
import { specimenPdf, specimens } from '../lookup/specimens/index.ts';
import { extractText } from '../pdf/text.ts';
import { readText, readerVersionOf } from './read.ts';

const readable = specimens.filter(({ make, label }) => label && readerVersionOf(make));

test('a reading that leaves out a price is never called right, on any of our drawings', async () => {
  assert.ok(readable.length >= 4);
  for (const { vin, make } of readable) {
    const text = await extractText(specimenPdf(vin));
    assert.equal(readText(text, { make, vin }).proof?.closes, true, vin);
    const hidden = hideEachPrice(text, { make, vin });
    assert.ok(hidden.length > 0, vin);
    for (const { name, reason } of hidden) assert.notEqual(reason, null, `${vin} ${name}`);
  }
});

const kia = (...prices: string[]) =>
  readWords('Kia', [
    '2025 MADEUP LX',
    'EXTERIOR COLOR: MOSS GREEN',
    "MANUFACTURER'S SUGGESTED RETAIL PRICE $30,000.00",
    ...prices,
    'INLAND FREIGHT AND HANDLING $1,000.00',
    "TOTAL MANUFACTURER'S SUGGESTED RETAIL PRICE $31,500.00",
  ]).proof;

test('a printed subtotal must be the sum of what was read', () => {
  const options = ['ADDITIONAL INSTALLED EQUIPMENT:', 'Floor Mats $200.00', 'Cargo Net $300.00'];
  assert.equal(kia(...options, 'MSRP INCLUDING OPTIONS $30,500.00')?.closes, true);
  const proof = kia(...options, 'MSRP INCLUDING OPTIONS $30,400.00');
  assert.deepEqual([proof?.closes, proof?.reason, proof?.difference], [false, 'subtotal-differs', 0]);
});

test('a price that belongs to nothing makes the sum worthless', () => {
  const options = ['ADDITIONAL INSTALLED EQUIPMENT:', 'Floor Mats $500.00'];
  assert.equal(kia('Window Tint $300.00', ...options)?.reason, 'unread-priced-lines');
  for (const harmless of [
    'Floor Liner $0.00',
    'Alarm INCLUDED',
    'Axle Ratio 3.55',
    'Package savings of $1,000.00',
    'Annual fuel cost $1,850',
  ])
    assert.equal(kia(harmless, ...options)?.reason, null, harmless);
});
