import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWords } from '../../../../../test/drawn-label.ts';
import { pageOf } from '../../../../../test/label-page.ts';
import { readText } from '../../read-text.ts';

test('the sum before freight is no option, and what is included is equipment', () => {
  const { label, proof, paint } = readWords('Kia', [
    '2025 MADEUP EX',
    'EXTERIOR COLOR:   CORAL RED   INTERIOR COLOR:   BLACK',
    'STANDARD FEATURES',
    'STANDARD LX FEATURES',
    'MECHANICAL',
    'An Engine',
    "MANUFACTURER'S SUGGESTED RETAIL PRICE   $ 30,000.00",
    'COMPARE EX FEATURES',
    'Added to/in place of standard LX features   Included',
    '- Roof Rails   Included',
    'ADDITIONAL INSTALLED EQUIPMENT:',
    '(In addition to or in place of standard features)',
    'Coral Red Paint (R1X)   $495.00',
    'MSRP INCLUDING OPTIONS   $ 30,495.00',
    'INLAND FREIGHT AND HANDLING   $ 1,305.00',
    "TOTAL MANUFACTURER'S SUGGESTED RETAIL PRICE   $ 31,800.00",
  ]);
  assert.deepEqual(paint, { color: 'CORAL RED', code: null });
  assert.equal(label?.interior, 'BLACK');
  assert.deepEqual(
    label.prices.options.map(({ price }) => price),
    [49_500],
  );
  assert.deepEqual(label.standard, [
    { section: 'MECHANICAL', items: ['An Engine'] },
    { section: 'COMPARE EX FEATURES', items: ['Roof Rails'] },
  ]);
  assert.equal(proof?.closes, true);
});

test('a long title continues on the next line', () => {
  const { label } = readText(
    pageOf(
      [35, 59, '2025 SPORTAGE PLUG-IN HYBRID X-LINE', 16],
      [35, 76, 'PRESTIGE AWD', 16],
      [35, 92, 'MODEL/OPT.CODE:', 10],
      [135, 92, 'J4442 / 015', 10],
      [35, 106, 'EXTERIOR COLOR:', 10],
      [135, 106, 'WOLF GRAY', 10],
    ),
    { make: 'Kia' },
  );
  assert.equal(label?.model, 'SPORTAGE PLUG-IN HYBRID X-LINE PRESTIGE AWD');
  assert.equal(label.exterior?.color, 'WOLF GRAY');
});

test('the freight may be worded with an ampersand', () => {
  const { label, proof } = readWords('Kia', [
    '2014 MADEUP EX',
    'EXTERIOR COLOR:   CORAL RED   INTERIOR COLOR:   BLACK',
    "MANUFACTURER'S SUGGESTED RETAIL PRICE   $ 30,000.00",
    'INLAND FREIGHT & HANDLING   $ 850.00',
    "TOTAL MANUFACTURER'S SUGGESTED RETAIL PRICE   $ 30,850.00",
  ]);
  assert.deepEqual([label?.prices.destination, label?.prices.options], [85_000, []]);
  assert.equal(proof?.closes, true);
});
