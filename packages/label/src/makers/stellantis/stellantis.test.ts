import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf, type Run } from '../../../../../test/label-page.ts';
import type { Reading } from '../../reading/types.ts';
import { readText } from '../../read-text.ts';

const head: Run[] = [
  [64, 62, '2', 15],
  [64, 77, '0', 15],
  [64, 92, '2', 15],
  [64, 107, '1', 15],
  [88, 92, 'A', 90],
  [88, 92, 'MADEUP R/T', 29],
  [103, 174, 'Base Price:', 14],
  [198, 174, '$40,000', 14],
  ...columnOf(60.5, 192, [
    'DODGE MADEUP R/T AWD',
    'Exterior Color: Granite Metallic Clear–Coat Exterior Paint',
    'Interior Color: Black Interior Color',
    'Interior: Cloth Seats',
    'Engine: 3.6L V6 Engine',
    'Transmission: 8–Speed Automatic',
  ]),
];

const standard: Run[] = [
  [61, 270, 'STANDARD EQUIPMENT (UNLESS REPLACED BY OPTIONAL EQUIPMENT)'],
  [97, 282, 'INTERIOR FEATURES', 9],
  [61, 294, 'Cruise Control', 9],
  [61, 306, 'H', 32],
  [61, 318, 'Heated Seats', 9],
  [97, 330, 'EXTERIOR FEATURES', 9],
  [61, 342, 'Fog Lamps', 9],
];

const tail: Run[] = [
  ...columnOf(345, 451, [['Destination Charge', '$1,595']], 10, 243),
  [360, 462, 'Package Value Savings of $3,125'],
  [392, 479, 'TOTAL PRICE: *$44,590', 14],
  [54, 682, 'Assembly Point/Port of Entry: BRAMPTON, ONTARIO, CANADA', 8],
  [300, 682, 'S.L.', 6],
  [55, 695, 'VIN: 2C3–CDZAG6HH–000000', 6],
  [964, 626, 'ENGINE: UNITED STATES', 12],
];

function read(...options: Run[]): Reading {
  return readText(pageOf(...head, ...standard, ...options, ...tail), {});
}

function read2018(...options: Run[]): Reading {
  const year = head.map((run): Run =>
    run[1] === 107 ? [64, 107, '8', 15] : run[1] === 92 && run[2] === '2' ? [64, 92, '1', 15] : run,
  );
  return readText(pageOf(...year, ...standard, ...options, ...tail), {});
}

const options: Run[] = [
  [61, 380, 'OPTIONAL EQUIPMENT (May Replace Standard Equipment)'],
  ...columnOf(
    61.1,
    392,
    [['Granite Metallic Exterior Paint', '$395'], 'Customer Preferred Package 2BH', ['Sound Group', '$795']],
    9,
    243,
  ),
  [64.7, 428, '6 Premium Speakers (vs 25MY: $2,515)', 9],
  [348.6, 142, '276–Watt Amplifier', 9],
  ...columnOf(
    345,
    154,
    [
      ['Delete Bed Step', '–$300'],
      ['Gas Guzzler Tax', '$2,105'],
    ],
    9,
    243,
  ),
];

test('the header is read as printed, and the engine of the parts box is not', () => {
  const { label, paint, vin } = read(...options);
  assert.deepEqual(paint, { color: 'Granite Metallic Clear–Coat Exterior Paint', code: null });
  assert.equal(vin, '2C3CDZAG6HH000000');
  assert.ok(label);
  const { make, model, year, series, interior, seats, engine, transmission, assembly } = label;
  assert.deepEqual(
    { make, model, year, series, interior, seats, engine, transmission, assembly },
    {
      make: 'Dodge',
      model: 'MADEUP R/T',
      year: 2021,
      series: 'DODGE MADEUP R/T AWD',
      interior: 'Black Interior Color',
      seats: 'Cloth Seats',
      engine: '3.6L V6 Engine',
      transmission: '8–Speed Automatic',
      assembly: 'BRAMPTON, ONTARIO, CANADA',
    },
  );
});

test('options go on from the left column into the right, with children by their indent and taxes apart', () => {
  const { label, proof } = read(...options);
  assert.deepEqual(
    label?.prices.options.map(({ name, price, children }) => [name, price, children]),
    [
      ['Granite Metallic Exterior Paint', 39_500, []],
      ['Customer Preferred Package 2BH', null, []],
      ['Sound Group', 79_500, ['6 Premium Speakers (vs 25MY: $2,515)', '276–Watt Amplifier']],
      ['Delete Bed Step', -30_000, []],
    ],
  );
  assert.deepEqual(
    label?.prices.taxes.map(({ name, price }) => [name, price]),
    [['Gas Guzzler Tax', 210_500]],
  );
  assert.deepEqual(proof, { closes: true, reason: null, sum: 4_459_000, total: 4_459_000, difference: 0 });
});

test('standard equipment comes by section, without the letters of logo fonts', () => {
  assert.deepEqual(read(...options).label?.standard, [
    { section: 'INTERIOR FEATURES', items: ['Cruise Control', 'Heated Seats'] },
    { section: 'EXTERIOR FEATURES', items: ['Fog Lamps'] },
  ]);
});

test('every field says where it was read', () => {
  const { places } = read(...options).label!;
  assert.deepEqual(places['prices.options.2'], { page: 1, x: 61.1, y: 408.8, width: 243, height: 9 });
  assert.ok(
    places['exterior'] && places['prices.base'] && places['prices.total'] && places['prices.taxes.0'],
  );
});

test('children set flush in the left column of 2018 are known by having no price', () => {
  const { label } = read2018(
    [61, 380, 'OPTIONAL EQUIPMENT'],
    ...columnOf(
      61.1,
      392,
      ['Customer Preferred Package 2BH', ['Sound Group', '$2,995'], '6 Premium Speakers'],
      9,
      243,
    ),
    [348.6, 142, '276–Watt Amplifier', 9],
  );
  assert.deepEqual(
    label?.prices.options.map(({ name, children }) => [name, children]),
    [
      ['Customer Preferred Package 2BH', []],
      ['Sound Group', ['6 Premium Speakers', '276–Watt Amplifier']],
    ],
  );
});

test('a French label groups thousands by spaces and puts the dollar sign last', () => {
  const { label, proof, paint } = readText(
    pageOf(
      [118, 63, 'ANNÉE–MODÈLE 2026', 13],
      [120, 91, 'RAM INVENTÉ 4X4', 25],
      [103, 174, 'Prix de base : 60 895 $', 14],
      ...columnOf(60.5, 192, [
        'RAM INVENTÉ 4X4',
        'Couleur extérieure : GRIS DESTROYER',
        'Couleur intérieure : NOIR',
        'Moteur : 6 cyl. 6,7 L',
      ]),
      [61, 243, 'ÉQUIPEMENT DE SÉRIE (SAUF SI REMPLACÉ PAR ACCESSOIRES OPTIONNELS)'],
      [61, 255, 'Assistance au freinage', 9],
      [345, 143, 'ACCESSOIRES OPTIONNELS'],
      ...columnOf(
        345,
        155,
        [
          ['Moteur turbo diesel 6,7L', '10 000 $'],
          ['TAXE ACCISE FEDERALE – CLIMATISEUR', '100 $'],
          'ECOPRELEVEMENT FEDERAL',
          '4CV',
        ],
        9,
        243,
      ),
      ...columnOf(345, 300, [["FRAIS D'EXPÉDITION", '2 695 $']], 10, 243),
      [392, 330, 'PRIX TOTAL : * 73 690 $', 14],
      [54, 682, "Point d'assemblage/Port d'entrée : SALTILLO, MEXIQUE", 8],
      [55, 695, 'VIN: 3C6–UR5DL2TG–000000', 6],
      [720, 507, '13.3', 56],
      [740, 521, 'combined/combinée', 7],
      [843, 481, 'L/100 km', 18],
      [693, 151, '5 ANS/100 000 KM', 10],
      [693, 161, 'GARANTIE LIMITÉE', 10],
    ),
    { make: 'RAM' },
  );
  assert.deepEqual(paint, { color: 'GRIS DESTROYER', code: null });
  assert.ok(label && proof);
  assert.deepEqual(
    [label.make, label.year, label.market, label.language, label.prices.currency],
    ['Ram', 2026, 'CA', 'fr', 'CAD'],
  );
  assert.deepEqual([label.interior, label.engine, label.standard.length], ['NOIR', '6 cyl. 6,7 L', 1]);
  assert.deepEqual([label.assembly, label.portOfEntry], ['SALTILLO, MEXIQUE', null]);
  assert.deepEqual([label.fuelEconomy?.combined, label.fuelEconomy?.unit], [13.3, 'L/100 km']);
  assert.deepEqual(label.warranty, ['5 ANS/100 000 KM GARANTIE LIMITÉE']);
  assert.equal(label.prices.options[0]?.price, 1_000_000);
  assert.equal(label.prices.taxes[0]?.price, 10_000);
  assert.equal(proof.closes, true);
});

test('of a car built outside North America, the line names the port and not the plant', () => {
  const imported = tail.map((run): Run => {
    if (run[2].startsWith('Assembly')) return [54, 682, 'Assembly Point/Port of Entry: BALTIMORE, U.S.A.', 8];
    return run[2].startsWith('VIN') ? [55, 695, 'VIN: ZAR–FAMEV6L7–000000', 6] : run;
  });
  const { label } = readText(pageOf(...head, ...standard, ...options, ...imported), {
    vin: 'ZARFAMEV6L7000000',
  });
  assert.deepEqual([label?.assembly, label?.portOfEntry], [null, 'BALTIMORE, U.S.A.']);
});

test('an amount of the right column whose name is missing belongs to nothing at the left', () => {
  const engine = head.find(([, , text]) => text.startsWith('Engine'))!;
  const { label } = read(...options, [570, engine[1], '$3,995', 9]);
  assert.equal(label?.engine, '3.6L V6 Engine');
  assert.equal(label.series, 'DODGE MADEUP R/T AWD');
});

test('an option where the series usually is printed is not the series', () => {
  const text = pageOf(
    ...head.map(([x, y, words, size]): Run => [
      x,
      y,
      words.replace('DODGE MADEUP R/T AWD', 'Customer Preferred Package 26A'),
      size,
    ]),
    ...standard,
    ...tail,
  );
  const { label } = readText(text, { make: 'Dodge' });
  assert.deepEqual([label?.series, label?.model], [null, 'MADEUP R/T']);
});

test('an engine may continue on the next line, a heading over two lines is not an item, a fact is not a series', () => {
  const { label } = readText(
    pageOf(
      [120, 91, 'RAM 1500', 19],
      [120, 63, '2026 MODEL YEAR', 13],
      [103, 173, 'Base Price:', 14],
      [198, 173, '$40,000', 14],
      ...columnOf(61, 200, ['Exterior Color: Moss Green', 'Engine: 5.7L V8 HEMI Engine w/', 'Stop/Start']),
      [61, 250, 'ÉQUIPEMENT DE SÉRIE (SAUF SI REMPLACÉ PAR'],
      [61, 262, 'ACCESSOIRES OPTIONNELS)'],
      [61, 274, 'CARACTÉRISTIQUES INTÉRIEURES'],
      [61, 286, 'Sièges'],
      [345, 143, 'ACCESSOIRES OPTIONNELS'],
      [345, 155, 'Destination Charge'],
      [570, 155, '$1,000'],
      [392, 200, 'TOTAL PRICE: * $41,000', 14],
    ),
    { make: 'Ram' },
  );
  assert.equal(label?.engine, '5.7L V8 HEMI Engine w/ Stop/Start');
  assert.equal(label.series ?? null, null);
  assert.deepEqual(label.standard, [{ section: 'CARACTÉRISTIQUES INTÉRIEURES', items: ['Sièges'] }]);
});

test('words for no charge are not part of an option, and zero dollars are', () => {
  const { label, proof } = read(
    [61, 380, 'OPTIONAL EQUIPMENT'],
    ...columnOf(
      61.1,
      392,
      [
        ['Sound Group', '$2,995'],
        ['Engine Block Heater', 'No Charge'],
        ['Bracket', 'N/C'],
        ['Tow Hooks', '$0'],
      ],
      9,
      243,
    ),
  );
  assert.deepEqual(
    label?.prices.options.map(({ name, price }) => [name, price]),
    [
      ['Sound Group', 299_500],
      ['Engine Block Heater', null],
      ['Bracket', null],
      ['Tow Hooks', 0],
    ],
  );
  assert.equal(proof?.closes, true);
});

test('a color of two tones may continue on the next line', () => {
  const two = head.flatMap((run): Run[] =>
    run[2].startsWith('Exterior Color')
      ? [
          [run[0], run[1] - 4, 'Exterior Color: Granite Metallic Clear–Coat /'],
          [run[0], run[1] + 4, 'Black Roof', 8],
        ]
      : [run],
  );
  assert.equal(
    readText(pageOf(...two, ...standard, ...options, ...tail), {}).paint?.color,
    'Granite Metallic Clear–Coat / Black Roof',
  );
});

test('a title as large as the digits of the year beside it is not joined with them', () => {
  for (const size of [29, 19, 16, 15, 14, 13]) {
    const title = 'MADEUP R/T ANNIVERSARY PLUS ALL–WHEEL DRIVE';
    const beside = head.map((run): Run => (run[2] === 'MADEUP R/T' ? [82, 92, title, size] : run));
    const { label, paint } = readText(pageOf(...beside, ...standard, ...options, ...tail), {});
    assert.deepEqual([label?.year, label?.model], [2021, title], `${size} points`);
    assert.equal(paint?.color, 'Granite Metallic Clear–Coat Exterior Paint');
  }
});

test('equipment whose first digit is a run of its own keeps it', () => {
  const items = ['4–Wheel Disc Brakes', '6 Speakers', '8–Inch Display', '2 USB Ports'];
  const runs = items.flatMap((item, index): Run[] => [
    [64, 354 + 6 * index, item.slice(0, 1), 6],
    [66.7, 354 + 6 * index, item.slice(1), 6],
  ]);
  const { label } = readText(pageOf(...head, ...standard, ...runs, ...options, ...tail), {});
  assert.deepEqual(label?.standard.at(-1)?.items, ['Fog Lamps', ...items]);
  assert.equal(label.year, 2021);
});
