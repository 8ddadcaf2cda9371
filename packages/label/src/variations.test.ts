import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWords } from '../../../test/drawn-label.ts';
import { columnOf, pageOf, type Run } from '../../../test/label-page.ts';
import { plainText } from './reading/lines.ts';
import { readText } from './read-text.ts';

/** Wordings that labels may have and our specimens have not: each is read as printed, or missed. Never guessed. */

const paintOf = (make: string, lines: string[]) => readWords(make, lines).paint?.color ?? null;

const enclave = (...colors: string[]): string[] => [
  ...colors,
  'ENGINE, 3.6L V6',
  'TRANSMISSION, 9-SPEED',
  'Visit us at www.buick.com',
  'STANDARD EQUIPMENT',
  'INTERIOR',
  '• SEATS, FRONT BUCKET',
  'STANDARD VEHICLE PRICE $45,900.00',
];

test('GM: a color ends at the interior or the engine, else it is left out', () => {
  for (const [colors, color, interior] of [
    [['2024 MADEUP EXTERIOR: MOSS GREEN'], 'MOSS GREEN', null],
    [['2024 MADEUP EXTERIOR: MOSS GREEN', 'TINTCOAT', 'INTERIOR: BLACK'], 'MOSS GREEN TINTCOAT', 'BLACK'],
    [['INTERIOR: BLACK', '2024 MADEUP EXTERIOR: MOSS GREEN', 'TINTCOAT'], 'MOSS GREEN TINTCOAT', null],
    [['2024 MADEUP', 'EXTERIOR: MOSS GREEN / INTERIOR: BLACK'], 'MOSS GREEN', 'BLACK'],
    [['2024 MADEUP', 'EXTERIOR: MOSS GREEN INTERIOR: BLACK'], 'MOSS GREEN', 'BLACK'],
    [['2024 MADEUP EXTERIOR:'], null, null],
  ] as [string[], string | null, string | null][]) {
    const { paint, label } = readWords('Buick', enclave(...colors));
    assert.deepEqual([paint?.color ?? null, label?.interior ?? null], [color, interior], colors.join(' | '));
  }
  const endless = [
    '2024 MADEUP EXTERIOR: MOSS GREEN',
    'A',
    'B',
    'C',
    'D',
    'STANDARD VEHICLE PRICE $45,900.00',
  ];
  assert.equal(paintOf('Buick', endless), null);
});

test('GM: a levy among the options is a tax, savings among them a discount, and the printed sum still closes', () => {
  const { label, proof } = readWords('Chevrolet', [
    ...enclave('2024 MADEUP EXTERIOR: MOSS GREEN', 'INTERIOR: BLACK'),
    'OPTIONS & PRICING',
    'WHEELS, 20" 1,000.00',
    'GREEN LEVY 500.00',
    'PACKAGE SAVINGS -250.00',
    'TOTAL OPTIONS $1,250.00',
    'DESTINATION CHARGE 1,395.00',
    'TOTAL VEHICLE PRICE* $48,545.00',
  ]);
  assert.deepEqual(label?.prices.taxes, [{ name: 'GREEN LEVY', price: 50_000 }]);
  assert.deepEqual(label?.prices.discounts, [{ name: 'PACKAGE SAVINGS', price: -25_000 }]);
  assert.deepEqual([proof?.closes, proof?.options?.closes], [true, true]);
});

test('a VIN prefix shared by several makes is resolved by the decoder, a site by its name', () => {
  const words = ['VIN 5XYZU3LB1GG000000', 'EXTERIOR COLOR: MOSS GREEN', 'INTERIOR/SEAT COLOR: BLACK'].join(
    '\n',
  );
  const reading = readText(plainText(words), { makeOf: () => 'HYUNDAI' });
  assert.deepEqual([reading.label?.make, reading.paint?.color], ['Hyundai', 'MOSS GREEN']);
  const camaro = enclave('2024 MADEUP EXTERIOR: MOSS GREEN', 'INTERIOR: BLACK')
    .join('\n')
    .replace('buick', 'chevy');
  assert.equal(readText(plainText(camaro)).label?.make, 'Chevrolet');
});

test('Ford: an empty cell and the letters of a barcode font are not a color', () => {
  const page = (color: string) =>
    readText(
      pageOf(
        [40, 60, 'VEHICLE DESCRIPTION'],
        [40, 80, '2026 MADEUP 4WD'],
        [240, 80, 'EXTERIOR'],
        [40, 92, '112" WHEELBASE'],
        ...(color ? ([[240, 92, color]] as [number, number, string][]) : []),
        [40, 104, '2.0L ENGINE'],
        [240, 104, 'INTERIOR'],
        [40, 116, '10-SPEED AUTO TRANSMISSION'],
        [240, 116, 'BLACK CLOTH'],
      ),
      { make: 'Ford' },
    );
  assert.deepEqual(
    [page('MOSS GREEN').paint?.color, page('MOSS GREEN').label?.interior],
    ['MOSS GREEN', 'BLACK CLOTH'],
  );
  assert.equal(page('').paint, null);
  assert.equal(page('ƬŏƘūżŜ').paint, null);
});

const fordPage = (left: Run[], second: Run[], prices: [string, string][], total: string, inside = true) =>
  readText(
    pageOf(
      [200, 60, 'VEHICLE DESCRIPTION'],
      [215, 80, '2026 MADEUP 4WD'],
      [432, 80, 'EXTERIOR'],
      [446, 92, 'MOSS GREEN'],
      [215, 104, '2.0L ENGINE'],
      ...(inside
        ? ([
            [432, 104, 'INTERIOR'],
            [446, 116, 'BLACK VINYL'],
          ] as Run[])
        : []),
      [36, 330, 'INCLUDED ON THIS VEHICLE', 8],
      ...left,
      ...second,
      [461, 342, 'PRICE INFORMATION', 8],
      ...columnOf(461, 354, prices, 8, 209),
      [36, 630, 'SOLD TO', 6],
      [462, 643, 'TOTAL MSRP', 14],
      [577, 643, total, 14],
    ),
    { make: 'Ford' },
  );

test('Ford: names that end in a figure, a tax among the options and notes in other type', () => {
  const { label, proof } = fordPage(
    columnOf(
      36,
      342,
      [
        'OPTIONAL EQUIPMENT/OTHER',
        '2026 MODEL YEAR',
        ['LIMITED SLIP W/3.73', '570.00'],
        '.TIRES 31X10.50',
        'AXLE RATIO 3.55',
        ['FLEET DISCOUNT', '-100.00'],
        ['*** GAS GUZZLER TAX ***', '1,300.00'],
        ['BOX DELETE', '- 625.00'],
        'DEALER INSTALLED OPTIONS',
        ['OPTIONAL EQUIPMENT BAG', '50.00'],
      ],
      8,
      209,
    ),
    [[300, 500, 'Proudly designed', 12]],
    [
      ['BASE PRICE', '$40,000.00'],
      ['TOTAL OPTIONS/OTHER', '1,195.00'],
      ['DESTINATION & DELIVERY', '2,000.00'],
    ],
    '$43,195.00',
  );
  assert.deepEqual(
    label?.prices.options.map(({ name, price, children }) => [name, price, ...children]),
    [
      ['LIMITED SLIP W/3.73', 57_000],
      ['TIRES 31X10.50', null],
      ['AXLE RATIO 3.55', null],
      ['BOX DELETE', -62_500],
      ['OPTIONAL EQUIPMENT BAG', 5_000],
    ],
  );
  const { taxes, discounts } = label.prices;
  assert.deepEqual([taxes[0]?.name, taxes[0]?.price], ['*** GAS GUZZLER TAX ***', 130_000]);
  assert.deepEqual([discounts[0]?.name, discounts[0]?.price], ['FLEET DISCOUNT', -10_000]);
  assert.deepEqual([proof?.closes, proof?.options?.closes], [true, true]);
});

test('Ford: a second column of any length, beside lines at no charge', () => {
  for (let length = 1; length <= 7; length++)
    for (const step of [0, 1.5, 3, 4.5, 6]) {
      const names = (from: string, count: number): string[] =>
        Array.from({ length: count }, (_, at) => `${from} OPTION ${String.fromCharCode(65 + at)}`);
      const free = (lines: string[]): [string, string][] => lines.map((name) => [name, 'NO CHARGE']);
      const { label } = fordPage(
        columnOf(36, 342, free(names('FIRST', 12)), 8, 209),
        columnOf(248.4, 342 + step, free(names('SECOND', length)), 8, 209),
        [
          ['BASE PRICE', '$40,000.00'],
          ['DESTINATION & DELIVERY', '2,000.00'],
        ],
        '$42,000.00',
      );
      assert.deepEqual(
        label?.prices.options.map(({ name }) => name),
        [...names('FIRST', 12), ...names('SECOND', length)],
        `${length} lines, ${step} points lower`,
      );
    }
});

test('Ford: a chassis without seats has a color and no interior', () => {
  const { paint, label } = fordPage([], [], [['BASE PRICE', '$40,000.00']], '$40,000.00', false);
  assert.deepEqual([paint?.color, label?.interior, label?.engine], ['MOSS GREEN', null, '2.0L ENGINE']);
});

test('Ford: recorded text may have amounts on lines of their own and gears with names', () => {
  const { label, proof } = readWords('Ford', [
    'VEHICLE DESCRIPTION',
    '2026 MADEUP 4WD EXTERIOR',
    '160" WHEELBASE MOSS GREEN',
    '7.3L V8 ENGINE INTERIOR',
    '10-SPEED AUTO TORQSHIFT DARK SLATE VINYL',
    'INCLUDED ON THIS VEHICLE',
    'TOW PACKAGE',
    '395.00',
    'PRICE INFORMATION',
    'BASE PRICE',
    '$51,070.00',
    'DESTINATION & DELIVERY',
    '2,795.00',
    'TOTAL MSRP',
    '$54,260.00',
    'EnerGuide 12.4 L/100 km',
  ]);
  assert.deepEqual([label?.transmission, label?.interior], ['10-SPEED AUTO TORQSHIFT', 'DARK SLATE VINYL']);
  assert.deepEqual(
    label?.prices.options.map(({ name, price }) => [name, price]),
    [['TOW PACKAGE', 39_500]],
  );
  assert.equal(proof?.closes, true);
  assert.deepEqual([label?.market, label?.prices.currency], ['CA', 'CAD']);
});

test('Subaru: what a color costs is not part of its name', () => {
  for (const end of ['INCLD', 'NO CHARGE', '$395.00', '/ Interior Color: Gray Cloth   INCLD'])
    assert.equal(paintOf('Subaru', [`Exterior Color: Alpine Pearl   ${end}`]), 'Alpine Pearl', end);
  const { label } = readWords('Subaru', ['Exterior Color: Alpine Pearl', 'Interior Color: Gray Cloth INCLD']);
  assert.equal(label?.interior, 'Gray Cloth');
});

const genesis = (between: string[], below: string[], total: string): string[] => [
  '2026 MADEUP',
  'EXTERIOR COLOR:',
  'MAKALU GRAY',
  "Manufacturer's Suggested Retail Price: $50,000.00",
  'ADDED FEATURES:',
  ...between,
  'Inland Freight & Handling : $1,000.00',
  ...below,
  `Total Price : ${total}`,
];

test('charges below the freight, taxes and savings are listed separately, and the prices add up', () => {
  const { label, proof } = readWords(
    'Genesis',
    genesis(
      ['*Cargo Net $50.00', '*Package Savings -$45.00'],
      ['Gas Guzzler Tax : $1,000.00', 'Handling Fee $20.00'],
      '$52,025.00',
    ),
  );
  assert.deepEqual(
    label?.prices.options.map(({ name }) => name),
    ['Cargo Net'],
  );
  const { taxes, fees, discounts } = label.prices;
  assert.deepEqual(
    [taxes, fees, discounts].map((list) => list.map(({ name, price }) => [name, price])),
    [[['Gas Guzzler Tax', 100_000]], [['Handling Fee', 2_000]], [['Package Savings', -4_500]]],
  );
  assert.equal(proof?.closes, true);
});

test('figures between freight and total that are not charges are left out', () => {
  const { label, proof } = readWords('Genesis', genesis([], ['You could save $500.00'], '$51,000.00'));
  assert.deepEqual(label?.prices.fees, []);
  // Nothing tells that it isn't one, so the prices aren't called right.
  assert.deepEqual([proof?.difference, proof?.reason], [0, 'unread-priced-lines']);
});

test('a code appears only in the paint line, with its amount beside or below it', () => {
  const code = (total: string, ...lines: string[]) => {
    const { paint, proof } = readWords('Genesis', genesis(lines, [], total));
    return [paint?.code ?? null, proof?.closes];
  };
  assert.deepEqual(code('$51,575.00', '*MAKALU GRAY(NCM) Paint', '$575.00'), ['NCM', true]);
  assert.deepEqual(code('$51,575.00', '*GRAY(SET) Paint Protection Film $575.00'), [null, true]);
  assert.deepEqual(code('$51,575.00', '*Gray(XXL) Paint Touch Up Pen $575.00'), [null, true]);
});
