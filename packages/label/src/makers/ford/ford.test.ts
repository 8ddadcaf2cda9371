import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWords } from '../../../../../test/drawn-label.ts';

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
