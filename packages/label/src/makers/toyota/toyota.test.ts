import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDrawn, readWords } from '../../../../../test/drawn-label.ts';
import { pageOf, type Run } from '../../../../../test/label-page.ts';
import { readText } from '../../read-text.ts';

test('on a page with /Rotate, a place is where the line is printed on the upright page', async () => {
  const { label } = await readDrawn({ vin: 'JTEVB5BR6S5000000', make: 'Toyota' });
  assert.deepEqual(label.places['prices.subtotal'], { page: 1, x: 575, y: 595.2, width: 283, height: 8.5 });
});

const HEAD: Run[] = [
  [54, 112.5, 'DESC.:', 8],
  [97, 114, 'MADEUP XLE', 12],
  [54, 141.5, 'YR/MDL:', 8],
  [97, 141.5, '2026/1234A', 8],
];
const colors = (names: string, codes: string): Run[] => [
  [54, 154.5, 'CLR:', 8],
  [97, 154.5, names, 8],
  [264, 154.5, codes, 8],
];

type Row = [code: string, name: string, amount?: string, indent?: number];

/** A form with these lines among the options. */
function form(
  options: Row[],
  {
    subtotal = '$30,000.00',
    total = '$31,500.00',
    delivery = 'DELIVERY, PROCESSING AND HANDLING FEE',
    head = HEAD,
  } = {},
) {
  const amount = (y: number, text: string): Run[] => (text ? [[858 - text.length * 4, y, text, 8.5]] : []);
  return readText(
    pageOf(
      ...head,
      ...colors('MOON STONE/FB20', '(0040/20)'),
      [398, 54, 'STANDARD EQUIPMENT', 10],
      [370, 106, '- An Item of Equipment Beside', 8.5],
      [374, 114, 'the Name of the Model', 8.5],
      [575, 54, "BASE MANUFACTURER'S SUGGESTED RETAIL PRICE", 8.5],
      ...amount(54, '$30,000.00'),
      [658, 64, 'OPTIONAL EQUIPMENT', 8.5],
      ...options.flatMap(([code, name, money = '', indent = 0], index): Run[] => [
        ...(code ? ([[575, 75 + 9 * index, code, 8.5]] as Run[]) : []),
        [600 + indent, 75 + 9 * index, name, 8.5],
        ...amount(75 + 9 * index, money),
      ]),
      [575, 602, "MANUFACTURER'S SUGGESTED RETAIL PRICE", 8.5],
      [761, 596, '†', 5],
      ...amount(602, subtotal),
      [575, 623, delivery, 8.5],
      ...amount(623, '1,500.00'),
      [575, 681, 'TOTAL SUGGESTED RETAIL PRICE', 11],
      ...amount(681, total),
      [350, 350, 'Created on 2026-01-01 00:00:00 (UTC)', 25],
      [552, 716, 'Manufacturer’s suggested retail price excludes delivery processing and handling fees', 5],
    ),
    { make: 'Toyota' },
  );
}

const optionsOf = ({ label }: ReturnType<typeof form>) =>
  label?.prices.options.map(({ code, name, price, children }) => [code, name, price, ...children]);

test('a car without options has a base price that is not the subtotal', () => {
  const { label, proof } = form([]);
  const { base, subtotal, destination, total, options } = label!.prices;
  assert.deepEqual(
    [base, subtotal, destination, total, options],
    [3_000_000, 3_000_000, 150_000, 3_150_000, []],
  );
  assert.equal(proof?.closes, true);
  assert.deepEqual([label?.model, label?.year, label?.interior], ['MADEUP XLE', 2026, 'FB20']);
  assert.deepEqual(label?.standard, [
    { section: null, items: ['An Item of Equipment Beside the Name of the Model'] },
  ]);
});

test('names may wrap, with the price on either line, and packages have contents', () => {
  const reading = form(
    [
      ['FE', '50 State Emissions'],
      ['AB', 'A Very Long Name of an Option That Nearly', '100.00'],
      ['', 'Reaches the Amounts'],
      ['AC.', 'Another Long Name of an Option That Goes'],
      ['', 'On Below It', '200.00'],
      ['AD', 'A Package with', '300.00'],
      ['', 'Wheels'],
      ['AE', 'Weather Package', '400.00'],
      ['', 'Heated Seats'],
      ['', '- Heated Mirrors', '', 4],
    ],
    { subtotal: '$31,000.00', total: '$32,500.00' },
  );
  assert.deepEqual(optionsOf(reading), [
    ['FE', '50 State Emissions', null],
    ['AB', 'A Very Long Name of an Option That Nearly Reaches the Amounts', 10_000],
    ['AC', 'Another Long Name of an Option That Goes On Below It', 20_000],
    ['AD', 'A Package with Wheels', 30_000],
    ['AE', 'Weather Package', 40_000, 'Heated Seats', 'Heated Mirrors'],
  ]);
  assert.equal(reading.proof?.closes, true);
});

test('options may lack a code, and a word that looks like one is part of the name', () => {
  const reading = form(
    [
      ['18', 'Floor Mats', '100.00'],
      ['', '18 in Wheels', '700.00'],
      ['ZZZ.', 'Spare Tire Delete', '-300.00'],
    ],
    { subtotal: '$30,500.00', total: '$32,000.00' },
  );
  assert.deepEqual(optionsOf(reading), [
    ['18', 'Floor Mats', 10_000],
    [undefined, '18 in Wheels', 70_000],
    ['ZZZ', 'Spare Tire Delete', -30_000],
  ]);
  assert.equal(reading.proof?.closes, true);
});

test('a list down to the subtotal is read in full, beside the line that says when it was created', () => {
  const rows = Array.from({ length: 56 }, (_, at): Row => [`${10 + at}.`, `Option ${at}`, '10.00']);
  const reading = form(rows, { subtotal: '$30,560.00', total: '$32,060.00' });
  assert.equal(reading.label?.prices.options.length, 56);
  assert.equal(reading.proof?.closes, true);
});

test('the delivery fee may be worded differently, and an option may begin with the same word', () => {
  for (const delivery of [
    'DESTINATION CHARGE',
    'Delivery, Processing & Handling',
    'FREIGHT',
    'DELIVERY FEE',
  ]) {
    const { label, proof } = form([['', 'Destination Assist', '50.00']], {
      delivery,
      subtotal: '$30,050.00',
      total: '$31,550.00',
    });
    assert.deepEqual([label?.prices.destination, proof?.closes], [150_000, true], delivery);
  }
});

test('a tax or a saving among the options is listed as such', () => {
  const { label, proof } = form(
    [
      ['GT', 'Gas Guzzler Tax', '1,000.00'],
      ['PS', 'Package Savings', '-250.00'],
    ],
    { subtotal: '$30,750.00', total: '$32,250.00' },
  );
  const { taxes, discounts, options } = label!.prices;
  assert.deepEqual(
    [...taxes, ...discounts].map(({ name, price }) => [name, price]),
    [
      ['Gas Guzzler Tax', 100_000],
      ['Package Savings', -25_000],
    ],
  );
  assert.deepEqual([options, proof?.closes], [[], true]);
});

test('if two amounts compete for one price, it is left out', () => {
  const { label } = form([], { head: [...HEAD, [770, 602, '$500.00', 8.5]] });
  assert.equal(label?.prices.subtotal, null);
});

test('the name of the car has two fields, each of which may be several texts in one type', () => {
  const body: Run = [200, 113.7, '4X4 DOUBLE CAB', 10];
  for (const [name, beside] of [
    ['MADEUP XLE 4X4 DOUBLE CAB 5-FT BED', [body, [300, 113.7, '5-FT BED', 10]]],
    [
      'MADEUP XLE LONG 4X4 DOUBLE CAB',
      [
        [185, 114, 'LONG', 12],
        [240, 113.7, '4X4 DOUBLE CAB', 10],
      ],
    ],
    [
      'MADEUP XLE LONG BED',
      [
        [185, 114, 'LONG', 12],
        [240, 114, 'BED', 12],
      ],
    ],
  ] as [string, Run[]][]) {
    const { label } = form([], { head: [...HEAD, ...beside] });
    assert.deepEqual(
      [label?.model, label?.year, label?.exterior?.code, label?.interior],
      [name, 2026, '0040', 'FB20'],
    );
  }
  const foreign: Run[] = [
    [300, 113.7, 'SOLD', 8],
    [300, 114.9, 'SOLD', 10],
    [350, 113.7, 'SOLD', 10],
    [175, 114, 'SOLD', 20],
  ];
  for (const text of foreign) {
    const { label } = form([], { head: [...HEAD, body, text] });
    assert.deepEqual([label?.model, label?.year, label?.exterior], [null, 2026, null], text.join(' '));
  }
});

test('the year is read without the name of the car, and without the row that names it there is no color', () => {
  const unnamed = form([], { head: HEAD.slice(2) }).label;
  assert.deepEqual([unnamed?.model, unnamed?.year, unnamed?.exterior], [null, 2026, null]);
  const { label } = form([], { head: [] });
  assert.deepEqual([label?.model, label?.exterior, label?.interior], [null, null, null]);
});

test('both colors and their codes are in one row, and a name may have a slash in it', () => {
  for (const [names, codes, color, code, interior] of [
    ['ICE CAP/FF10', '(0040/10)', 'ICE CAP', '0040', 'FF10'],
    ['ICE CAP/MIDNIGHT/FF10', '(2NB/10)', 'ICE CAP/MIDNIGHT', '2NB', 'FF10'],
    ['MOON STONE/BLACK SOFTEX', '(1L7/20)', 'MOON STONE', '1L7', 'BLACK SOFTEX'],
    ['MOON STONE', '(1L7)', 'MOON STONE', '1L7', null],
    ['MOON/STONE', '(1L7)', 'MOON/STONE', '1L7', null],
  ] as const) {
    for (const text of [pageOf(...colors(names, codes)), null]) {
      const { paint, label } = text
        ? readText(text, { make: 'Toyota' })
        : readWords('Toyota', [`CLR: ${names} ${codes}`]);
      assert.deepEqual([paint, label?.interior], [{ color, code }, interior], names);
    }
  }
});

test('if the row of the colors has other text in it, no color is read', () => {
  for (const [names, codes] of [
    ['ICE CAP/FF10', 'SOLD (0040/10)'],
    ['ICE CAP/FF10', '(0040/10) SOLD'],
    ['ICE CAP/FF10', '(00400/10)'],
    ['ICE CAP/FF10', '(ABC/10)'],
    ['ICE CAP/FF10', ''],
  ] as const)
    assert.equal(readText(pageOf(...colors(names, codes)), { make: 'Toyota' }).paint, null, codes);
  const between: Run = [190, 154.5, 'SOLD', 8];
  const page = pageOf(...colors('ICE CAP/FF10', '(0040/10)'), between);
  assert.equal(readText(page, { make: 'Toyota' }).paint, null);
});

test('text without positions is read line by line', () => {
  const { label, paint, proof } = readWords('Toyota', [
    'DESC.: MADEUP SE   4-DOOR',
    'YR/MDL: 2026/1234A',
    'CLR: ICE CAP/FF10 (0040/10)',
    'STANDARD EQUIPMENT',
    'UNLESS REPLACED BY OPTIONAL EQUIPMENT',
    'MECHANICAL & PERFORMANCE',
    '- Full-Time All-Wheel Drive w/',
    'Electronic Control',
    'EXTERIOR',
    '- 18-in Wheels',
    'For Full Product Details:',
    '***Full Tank of Gas***',
    "BASE MANUFACTURER'S SUGGESTED RETAIL PRICE $30,000.00",
    'OPTIONAL EQUIPMENT',
    'FE 50 State Emissions',
    '2T. Floor Liners 199.00',
    "MANUFACTURER'S SUGGESTED RETAIL PRICE† $30,199.00",
    'DELIVERY, PROCESSING AND HANDLING FEE 1,500.00',
    'TOTAL SUGGESTED RETAIL PRICE† $31,699.00',
  ]);
  assert.deepEqual([label?.model, label?.year, paint?.code], ['MADEUP SE 4-DOOR', 2026, '0040']);
  assert.deepEqual(label?.standard, [
    { section: 'MECHANICAL & PERFORMANCE', items: ['Full-Time All-Wheel Drive w/ Electronic Control'] },
    { section: 'EXTERIOR', items: ['18-in Wheels'] },
  ]);
  assert.deepEqual(
    label.prices.options.map(({ code, name, price }) => [code, name, price]),
    [
      ['FE', '50 State Emissions', null],
      ['2T', 'Floor Liners', 19_900],
    ],
  );
  assert.deepEqual([label.prices.subtotal, proof?.closes], [3_019_900, true]);
});

test('name and code come in either order, and nothing else is taken for one', () => {
  for (const [text, color, code] of [
    ['EXTERIOR: MOON STONE (0040)', 'MOON STONE', '0040'],
    ['EXTERIOR: 040 MOON STONE', 'MOON STONE', '040'],
    ['EXTERIOR COLOR: 1G3 - MOON STONE', 'MOON STONE', '1G3'],
    ['EXTERIOR: MOON STONE 089', 'MOON STONE', '089'],
    ['EXT. COLOR: Moon Stone [3U5]', 'Moon Stone', '3U5'],
    ['EXTERIOR: MOON STONE (0040) INTERIOR: BLACK (FB20)', 'MOON STONE', '0040'],
    ['EXTERIOR: LUNAR STONE (6X3)', 'LUNAR STONE', '6X3'],
    ['EXTERIOR: 6X3 LUNAR STONE', 'LUNAR STONE', '6X3'],
    ['EXTERIOR: MOON STONE/0040', 'MOON STONE', '0040'],
    ['EXTERIOR: MOON STONE – 218', 'MOON STONE', '218'],
    ['EXTERIOR: MOON STONE (0040) $425.00', 'MOON STONE', '0040'],
    ['EXTERIOR COLOR 0040 MOON STONE', 'MOON STONE', '0040'],
    ['Exterior Paint: MOON STONE (0040)', 'MOON STONE', '0040'],
  ] as const) {
    assert.deepEqual(readWords('Toyota', ['2025 MADEUP', text]).paint, { color, code }, text);
  }
  for (const text of [
    'EXTERIOR: MOON STONE',
    'EXTERIOR: MOON STONE (BLK)',
    'EXTERIOR: MOON STONE (00040)',
    'EXTERIOR: 040 MOON STONE (0040)',
    'EXTERIOR: 0040',
    'EXTERIOR: HEATED MIRRORS 4WD',
    'EXTERIOR MOON STONE (0040)',
    'INTERIOR: BLACK (FB20)',
    'EXTERIOR: 18IN ALLOY WHEELS',
    'EXTERIOR: HEATED MIRRORS 2024',
    'EXTERIOR: SPORT TRIM 4X4',
    'EXTERIOR: MOON STONE 2025',
  ]) {
    assert.equal(readWords('Toyota', ['2025 MADEUP', text]).paint, null, text);
  }
});

test('the paint may be below its name, and a heading of the equipment before it does not hide it', () => {
  for (const lines of [
    ['EXTERIOR:', 'MOON STONE (0040)'],
    ['EXTERIOR:', 'LED HEADLAMPS', 'VIN: X EXTERIOR: MOON STONE (0040)'],
  ])
    assert.deepEqual(readWords('Toyota', lines).paint, { color: 'MOON STONE', code: '0040' });
  for (const under of ['INTERIOR: BLACK (FB20)', '200W AUDIO SYSTEM', 'ALLOY WHEELS 18X8'])
    assert.equal(readWords('Toyota', ['EXTERIOR:', under]).paint, null, under);
});
