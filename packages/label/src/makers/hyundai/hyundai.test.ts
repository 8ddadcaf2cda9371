import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDrawn, readWords } from '../../../../../test/drawn-label.ts';
import { pageOf } from '../../../../../test/label-page.ts';
import { readText } from '../../read-text.ts';

const prices = (...added: string[]): string[] => [
  "Manufacturer's Suggested Retail Price: $30,000.00",
  'ADDED FEATURES:',
  ...added,
  'Inland Freight & Handling : $1,000.00',
];

test('an unpriced Genesis paint has no code', async () => {
  const { paint } = await readDrawn({ vin: 'KMTGC4SC5TU000000', make: 'Genesis', options: [] });
  assert.deepEqual(paint, { color: 'SAVANNA GOLD', code: null });
});

test('lines that were joined are split again', () => {
  const { paint, label, proof } = readWords('Hyundai', [
    '2026 MADEUP SEL',
    'MODEL: XXXEXTERIOR COLOR: CORAL REDINTERIOR/SEAT COLOR: BLACK/BLACK TRANSPORT: TRUCK',
    ...prices('*CORAL RED(R1X) Paint $500.00*Cross Rails (Dealer Install) $300.00*Cargo Net $50.00'),
    'Total Price : $31,850.00',
  ]);
  assert.deepEqual(paint, { color: 'CORAL RED', code: 'R1X' });
  assert.equal(label?.interior, 'BLACK/BLACK');
  assert.deepEqual(
    label.prices.options.map(({ name, price }) => [name, price]),
    [
      ['CORAL RED(R1X) Paint', 50_000],
      ['Cross Rails (Dealer Install)', 30_000],
      ['Cargo Net', 5_000],
    ],
  );
  assert.equal(proof?.closes, true);
});

test('brackets that are no paint line, a paint of another color and a free paint give no code', () => {
  for (const line of [
    '*CORAL RED (Dealer Install) $500.00',
    '*MOSS GREEN(G2X) Paint $500.00',
    '*CORAL RED(R1X) Paint',
  ]) {
    const { paint } = readWords('Hyundai', [
      '2026 MADEUP',
      'EXTERIOR COLOR: CORAL RED',
      ...prices(line),
      'Total Price : $31,000.00',
    ]);
    assert.deepEqual(paint, { color: 'CORAL RED', code: null }, line);
  }
});

test('a word without a value, with another word under it, is no color', () => {
  const { paint } = readWords('Genesis', [
    'EXTERIOR COLOR:',
    'INTERIOR/SEAT COLOR:',
    'BLACK',
    ...prices(),
    'TOTAL PRICE: $31,000.00',
  ]);
  assert.equal(paint, null);
});

test('where buyer and receiver differ, the dealer is the buyer and only the state of the receiver is kept', () => {
  const { label } = readWords('Hyundai', [
    'SOLD TO: XX001 SHIPPED TO: XX002',
    'A DEALER',
    '1 EXAMPLE STREET',
    'SOMEWHERE CA 90000',
    'ANOTHER PLACE',
    'ELSEWHERE GA 30000',
    'VIN: 5NMJECDE7TH000000',
    'EXTERIOR COLOR: CORAL RED',
  ]);
  assert.equal(label?.shipTo, 'GA');
  assert.deepEqual(label.delivery.dealer, {
    name: 'A DEALER',
    street: '1 EXAMPLE STREET',
    city: 'SOMEWHERE',
    state: 'CA',
    zip: '90000',
    code: 'XX001',
  });
  assert.doesNotMatch(JSON.stringify(label), /ANOTHER PLACE|ELSEWHERE/);
});

test('fuel economy glued to its words counts when its figures agree', () => {
  const boxes = (city: number): string[] => [
    'EXTERIOR COLOR: CORAL RED',
    'MPG',
    '26combined city/hwy',
    `${city}city`,
    '30highway',
  ];
  assert.partialDeepStrictEqual(readWords('Hyundai', boxes(24)).label?.fuelEconomy, {
    city: 24,
    highway: 30,
    combined: 26,
    unit: 'MPG',
  });
  assert.equal(readWords('Hyundai', boxes(14)).label?.fuelEconomy, null);
});

test('a feature over two lines is one feature, and a dealer that buys for itself is the receiver', () => {
  const { label } = readText(
    pageOf(
      [340, 60, '2026 MADEUP SEL', 16],
      [30, 100, 'SOLD TO: MD044', 9],
      [180, 100, 'SHIPPED TO: MD044', 9],
      [30, 112, 'MADEUP TOWN MD 20740', 8],
      [30, 200, 'EXTERIOR COLOR:', 9],
      [166, 200, 'MOSS GREEN', 9],
      [30, 366.5, 'STANDARD FEATURES:', 10],
      [30, 375.5, 'SAFETY TECHNOLOGIES', 8],
      [30, 384, "Front, Front Center, Side-Curtain & Driver's Knee", 8],
      [30, 390.5, 'Airbags', 8],
      [30, 399, 'Rearview Camera', 8],
      [30, 407.5, 'Immobilizer', 8],
      [30, 416, 'Forward Attention Warning', 8],
    ),
    { make: 'Hyundai' },
  );
  assert.deepEqual(label?.standard, [
    {
      section: 'SAFETY TECHNOLOGIES',
      items: [
        "Front, Front Center, Side-Curtain & Driver's Knee Airbags",
        'Rearview Camera',
        'Immobilizer',
        'Forward Attention Warning',
      ],
    },
  ]);
  assert.deepEqual([label.exterior?.color, label.shipTo], ['MOSS GREEN', 'MD']);
});
