import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from '../../read-text.ts';
import { readWords } from '../../../../../test/drawn-label.ts';
import { columnOf, pageOf } from '../../../../../test/label-page.ts';

const block = (row: string): string[] => [
  'VEHICLE DESCRIPTION',
  'MADEUP TG 000000',
  '2026 MADEUP BASE 4WD EXTERIOR',
  row,
  '2.0L ENGINE INTERIOR',
  '10-SPD AUTO TRANS W/MODES BLACK CLOTH 40/20/40',
];

test('without positions, the left column ends with the word that says what the body is', () => {
  for (const [row, color] of [
    ['4-PASSENGER SPORTS CAR CORAL RED', 'CORAL RED'],
    ['OPEN SKY - 5 PASSENGER MIST GRAY', 'MIST GRAY'],
    ['119" WHEELBASE WHITE MET TRI-CO', 'WHITE MET TRI-CO'],
    ['141" WB STYLESIDE DEEP BLUE METALLIC', 'DEEP BLUE METALLIC'],
    ['145" WB CHASSIS CAB PLAIN WHITE', 'PLAIN WHITE'],
  ] as const) {
    assert.equal(readWords('Ford', block(row)).paint?.color, color, row);
  }
});

test('a row that cannot be split with certainty gives no color', () => {
  for (const row of ['SOMETHING ELSE CORAL RED', '119" WHEELBASE', '119" WHEELBASE 2.0 TON BED', '']) {
    assert.equal(readWords('Ford', block(row)).paint, null, row);
  }
});

test('EXTERIOR as a heading of the equipment is no color', () => {
  const lines = [
    'VEHICLE DESCRIPTION',
    ...Array.from({ length: 8 }, () => 'NOISE'),
    'EXTERIOR',
    '5 PASSENGER DOORS',
  ];
  assert.equal(readWords('Ford', lines).paint, null);
});

test('without positions, the total is the first amount alone after its words', () => {
  const { label, proof } = readWords('Ford', [
    ...block('119" WHEELBASE CORAL RED'),
    'TOTAL MSRPSome Dealer',
    'A STREET 12',
    '$41,500.00',
    'PRICE INFORMATION',
    'BASE PRICE $40,000.00',
    'TOTAL OPTIONS/OTHER 0.00',
    'DESTINATION & DELIVERY 2,000.00',
    'TOTAL BEFORE DISCOUNTS 42,000.00',
    'A DISCOUNT - 500.00',
    'TOTAL SAVINGS - 500.00',
  ]);
  assert.equal(label?.prices.total, 4_150_000);
  assert.equal(label.transmission, '10-SPD AUTO TRANS W/MODES');
  assert.equal(label.interior, 'BLACK CLOTH 40/20/40');
  assert.equal(proof?.closes, true);
  assert.doesNotMatch(JSON.stringify(label), /Some Dealer|STREET/);
});

const OPTIONS: (string | [string, string])[] = [
  'INCLUDED ON THIS VEHICLE',
  ['EQUIPMENT GROUP 300A', '1,000.00'],
  '•HEATED SEATS',
  'OPTIONAL EQUIPMENT/OTHER',
  '.18" WHEELS',
  ['CORAL RED', '500.00'],
  '.36 GALLON TANK',
  '.TOW PACKAGE',
  '.HITCH',
  ['XL CHROME PACKAGE', '300.00'],
  '.FOG LAMPS',
  '7200# GVWR PACKAGE',
  '.AXLE',
];
const READ = [
  ['EQUIPMENT GROUP 300A', 'HEATED SEATS'],
  ['18" WHEELS'],
  ['CORAL RED'],
  ['36 GALLON TANK'],
  ['TOW PACKAGE'],
  ['HITCH'],
  ['XL CHROME PACKAGE', 'FOG LAMPS'],
  ['7200# GVWR PACKAGE'],
  ['AXLE'],
];

test('a dotted line is part of the package above it, and below anything else an option of its own', () => {
  const prices: [string, string][] = [
    ['BASE PRICE', '$40,000.00'],
    ['TOTAL OPTIONS/OTHER', '1,800.00'],
    ['DESTINATION & DELIVERY', '2,000.00'],
  ];
  const page = pageOf(
    [215, 40, 'VEHICLE DESCRIPTION'],
    [215, 60, '2026 MADEUP BASE 4WD'],
    [433, 60, 'EXTERIOR'],
    [447, 74, 'CORAL RED'],
    [36, 160, 'STANDARD EQUIPMENT INCLUDED AT NO EXTRA CHARGE'],
    ...columnOf(36, 300, OPTIONS),
    ...columnOf(447, 300, ['PRICE INFORMATION', ...prices]),
    [447, 560, 'TOTAL MSRP'],
    [600, 560, '$43,800.00'],
  );
  const words = readWords('Ford', [
    ...block('119" WHEELBASE CORAL RED'),
    ...[...OPTIONS, 'PRICE INFORMATION', ...prices, 'TOTAL MSRP $43,800.00'].map((line) =>
      typeof line === 'string' ? line.replace('•', '') : line.join(' '),
    ),
  ]);
  for (const { label, proof } of [readText(page, { make: 'Ford' }), words]) {
    assert.deepEqual(
      label?.prices.options.map(({ name, children }) => [name, ...children]),
      READ,
    );
    assert.equal(proof?.closes, true);
  }
});
