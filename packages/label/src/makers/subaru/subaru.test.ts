import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWords } from '../../../../../test/drawn-label.ts';
import { pageOf, type Run } from '../../../../../test/label-page.ts';
import { readText } from '../../read-text.ts';

test('without positions, wrapped names are joined and fuel economy is read from its rows', () => {
  const { label, paint } = readWords('Subaru', [
    'Model/Code   2025 SUBARU MADEUP/XXX',
    '29',
    'Fuel Economy',
    'MPG   Cars like it',
    '26   33',
    'combined city/hwy   city   highway',
    'OPTIONAL EQUIPMENT AND OTHER ITEMS',
    "Manufacturer's Suggested Retail Price   $30,000.00",
    'Exterior Color: Coral Red Pearl',
    'Mirrors   $695.00',
    'Auto-Dimming Mirror with Compass and',
    'Garage Opener',
    'Audio System',
    'w/ Speakers',
    'Destination and Delivery   $1,300.00',
    'Total Suggested Retail Price   $31,995.00',
  ]);
  assert.deepEqual(paint, { color: 'Coral Red Pearl', code: null });
  assert.deepEqual(label?.prices.options[0]?.children, [
    'Auto-Dimming Mirror with Compass and Garage Opener',
    'Audio System w/ Speakers',
  ]);
  const { city, highway, combined, unit } = label.fuelEconomy!;
  assert.deepEqual({ city, highway, combined, unit }, { city: 26, highway: 33, combined: 29, unit: 'MPG' });
});

test('amounts drawn after all the names still find their names', () => {
  const names = [
    'OPTIONAL EQUIPMENT AND OTHER ITEMS',
    "Manufacturer's Suggested Retail Price",
    'Exterior Color: Coral Red Pearl',
    'Option Package: 99',
    'Destination and Delivery',
    'Total Suggested Retail Price',
  ];
  const rows = names.map((name, index): Run => [400, 100 + index * 14, name]);
  const amounts: Run[] = [
    [640, 114, '$30,000.00'],
    [640, 142, '$1,000.00'],
    [640, 156, '$1,300.00'],
    [640, 170, '$32,300.00'],
  ];
  const elsewhere: Run = [800, 142, '29'];
  const { label, proof } = readText(pageOf(...rows, elsewhere, ...amounts), { make: 'Subaru' });
  assert.deepEqual(
    label?.prices.options.map(({ name, price }) => [name, price]),
    [['Option Package: 99', 100_000]],
  );
  assert.equal(proof?.closes, true);
});

test('a priced paint is an option, and its amount is not part of its name', () => {
  const { paint, proof } = readWords('Subaru', [
    'Model/Code: 2026 MADEUP',
    'OPTIONAL EQUIPMENT AND OTHER ITEMS',
    "Manufacturer's Suggested Retail Price   $30,000.00",
    'Exterior Color: Coral Red Pearl   $395.00',
    'Destination and Delivery   $1,300.00',
    'Total Suggested Retail Price   $31,695.00',
  ]);
  assert.deepEqual(paint, { color: 'Coral Red Pearl', code: null });
  assert.equal(proof?.closes, true);
});
