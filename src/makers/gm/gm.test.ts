import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf, type Run } from '../../../test/label-page.ts';
import type { Reading } from '../../reading/types.ts';
import { readText } from '../read.ts';
import { source as gm } from './source.ts';

const header: Run[] = [
  [447, 63, '2024 MADEUP LUXURY', 20],
  ...columnOf(
    692,
    57,
    ['EXTERIOR: SPECIAL EDITION EXTERIOR', 'FINISH', 'INTERIOR: JET BLACK W/ JET BLACK', 'ACCENTS'],
    12,
  ),
  ...columnOf(890, 57, ['ENGINE, 2.0L TURBO', 'TRANSMISSION, 8-SPD AUTOMATIC'], 12),
  [808, 116, 'Visit us at www.cadillac.com', 12],
];

const standard = (x: number, type = 10): Run[] => [
  [x, 136, 'STANDARD EQUIPMENT', 13],
  [x, 150, 'ITEMS FEATURED BELOW ARE INCLUDED AT NO EXTRA CHARGE IN', 7],
  [x, 177, 'PERFORMANCE', 11],
  ...columnOf(x, 190, ['• TIRES, ALL-SEASON,', 'SELF-SEALING', '•WHEELS, 17"'], type),
];

const base = (x: number): Run[] => [
  [x + 60, 351, "MANUFACTURER'S SUGGESTED RETAIL PRICE", 7],
  [x, 369, 'STANDARD VEHICLE PRICE'],
  [x + 125, 369, '$34,595.00', 11],
];

const heading = (x: number): Run[] => [
  [x, 385, 'OPTIONS & PRICING', 13],
  [x, 400, 'OPTIONS INSTALLED BY THE MANUFACTURER (MAY REPLACE', 7],
  [x, 407, 'STANDARD EQUIPMENT SHOWN)', 7],
];

const list: (string | [string, string])[] = [
  ['CLIMATE PACKAGE:', '1,200.00'],
  '• SEATS, DRIVER &',
  'PASSENGER HEATED',
  '• STEERING WHEEL, HEATED',
  ['WHEELS, 18" DIAMOND CUT ALLOY', '600.00'],
  '(REPLACES STD/PKG WHEELS)',
  ['GAS GUZZLER TAX', '1,000.00'],
  ['REAR SEAT DELETE', '-50.00'],
  ['STEERING WHEEL', 'INC.'],
];

const end: (string | [string, string])[] = [
  ['TOTAL OPTIONS', '$2,750.00'],
  ['TOTAL VEHICLE & OPTIONS', '$37,345.00'],
  ['DESTINATION CHARGE', '1,395.00'],
  ['TOTAL BEFORE SAVINGS', '$38,740.00'],
  ['SUN AND SOUND PREFERRED', '-250.00'],
  'PACKAGE SAVINGS',
  ['TOTAL VEHICLE PRICE*', '$38,490.00'],
];

const foot: Run[] = [
  [879, 577, 'FINAL ASSEMBLY POINT:', 12],
  [879, 591, 'LANSING, MI', 12],
  [962, 591, 'U.S.A.', 12],
  [870, 703, 'VIN 1G6DA5RK9R0000000', 9],
  [870, 716, 'DEALER TO WHOM DELIVERED', 6],
  [870, 727, 'A DEALER', 9],
  [870, 746, 'WARREN, MI 48092-2709', 9],
  [19, 6, '{"maker":"CADILLAC", "vin":"1G6DA5RK9R0000000", "Options":["GAZ"]}', 3],
];

const seen: Run[] = [
  ...standard(39),
  ...base(426),
  ...heading(426),
  ...columnOf(620, 140, list),
  ...columnOf(814, 140, end),
];

function read(...block: Run[]): Reading {
  return readText(pageOf(...header, ...block, ...foot), {});
}

const names = (lines: { name: string; price: number | null }[] | undefined): unknown =>
  lines?.map(({ name, price }) => [name, price]);

test('a color wraps until the interior, and may say EXTERIOR itself', () => {
  const { label, paint } = read(...seen);
  assert.deepEqual(paint, { color: 'SPECIAL EDITION EXTERIOR FINISH', code: null });
  assert.ok(label);
  const { make, model, year, interior, engine, transmission, assembly, shipTo } = label;
  assert.deepEqual(
    [make, model, year, interior],
    ['Cadillac', '2024 MADEUP LUXURY', 2024, 'JET BLACK W/ JET BLACK ACCENTS'],
  );
  assert.deepEqual([engine, transmission], ['ENGINE, 2.0L TURBO', 'TRANSMISSION, 8-SPD AUTOMATIC']);
  assert.deepEqual([assembly, shipTo], ['LANSING, MI U.S.A.', 'MI']);
});

test('a price begins an option, a bullet a child, and other lines go on with either', () => {
  const { label, proof } = read(...seen);
  assert.deepEqual(names(label?.prices.options), [
    ['CLIMATE PACKAGE:', 120_000],
    ['WHEELS, 18" DIAMOND CUT ALLOY (REPLACES STD/PKG WHEELS)', 60_000],
    ['REAR SEAT DELETE', -5000],
    ['STEERING WHEEL', null],
  ]);
  assert.deepEqual(label?.prices.options[0]?.children, [
    'SEATS, DRIVER & PASSENGER HEATED',
    'STEERING WHEEL, HEATED',
  ]);
  assert.deepEqual(names(label?.prices.taxes), [['GAS GUZZLER TAX', 100_000]]);
  assert.deepEqual(names(label?.prices.discounts), [['SUN AND SOUND PREFERRED PACKAGE SAVINGS', -25_000]]);
  assert.deepEqual(
    [label?.prices.base, label?.prices.destination, label?.prices.total],
    [3_459_500, 139_500, 3_849_000],
  );
  assert.deepEqual(proof, {
    closes: true,
    sum: 3_849_000,
    total: 3_849_000,
    difference: 0,
    options: { printed: 275_000, sum: 275_000, closes: true },
  });
});

test('options may be set in small type', () => {
  const { label, proof } = read(
    ...standard(233),
    ...base(620),
    ...heading(620),
    ...columnOf(814, 140, [['CLIMATE PACKAGE:', '1,200.00'], '• SEATS', 'HEATED'], 7.5),
    ...columnOf(
      1007,
      140,
      [
        ['TOTAL OPTIONS', '$1,200.00'],
        ['DESTINATION CHARGE', '1,395.00'],
        ['TOTAL VEHICLE PRICE*', '$37,190.00'],
      ],
      7.5,
    ),
  );
  assert.deepEqual(names(label?.prices.options), [['CLIMATE PACKAGE:', 120_000]]);
  assert.deepEqual(label?.prices.options[0]?.children, ['SEATS HEATED']);
  assert.deepEqual(label?.standard, [
    { section: 'PERFORMANCE', items: ['TIRES, ALL-SEASON, SELF-SEALING', 'WHEELS, 17"'] },
  ]);
  assert.equal(proof?.closes, true);
});

test('the base may follow the heading of the options', () => {
  const { label, proof } = read(
    ...standard(39),
    ...heading(426),
    ...base(426),
    ...columnOf(620, 140, list),
    ...columnOf(814, 140, end),
  );
  assert.equal(label?.prices.base, 3_459_500);
  assert.equal(label?.prices.options.length, 4);
  assert.equal(proof?.closes, true);
});

test('Canada prints two languages, a charge for air conditioning and a fee, each over two lines', () => {
  const { label, proof } = readText(
    pageOf(
      [415, 63, '2024 COUPE INVENTEE', 20],
      ...columnOf(
        692,
        57,
        ['EXTERIOR / EXTERIEUR: BLEU RIVAGE', 'METALLISE', 'INTERIOR / INTERIEUR: NOIR JAIS'],
        12,
      ),
      ...columnOf(890, 57, ['MOTEUR 3,6L V6', 'BOITE AUTOMATIQUE'], 12),
      [808, 116, 'Visitez le www.chevrolet.ca', 12],
      [39, 135, 'STANDARD EQUIPMENT/ÉQUIPEMENT DE BASE', 9.5],
      [426, 302, 'STANDARD VEHICLE PRICE /'],
      [426, 312, 'PRIX DE BASE'],
      [550, 302.3, '$40,299.00', 11],
      [426, 338, 'OPTIONS & PRICING / OPTIONS ET PRIX', 9.5],
      ...columnOf(426, 393, ["GROUPE D'EQUIP. 1LT"]),
      ...columnOf(620, 140, [['GROUPE RS', '2,145.00'], 'FREINS RENFORCES1,095.00']),
      ...columnOf(814, 140, [
        'TOTAL OPTIONS/TOTAL EQUIPEMENT $3,240.00',
        ['AIR CONDITIONING CHARGE/', '100.00'],
        'FRAIS DE CLIMATISATION',
        ['SUB TOTAL/TOTAL PARTIEL', '$43,639.00'],
        ['DESTINATION CHARGE/', '2,000.00'],
        'FRAIS DE TRANSPORT',
        ['SUB TOTAL/TOTAL PARTIEL', '$45,639.00'],
        'MAXIMUM DEALER FEE /',
        ['FRAIS MAXIMUM DU CONCESS.', '699.00'],
        ['PRIX TOTAL PRICE*', '$46,338.00'],
      ]),
      [870, 683, "FINAL ASSEMBLY/USINE D'ORIGINE:", 6],
      [870, 690, 'LANSING, MI', 6],
      [918, 690, 'U.S.A.', 6],
    ),
    { make: 'CHEVROLET' },
  );
  assert.ok(label && proof);
  assert.deepEqual(
    [label.market, label.language, label.exterior?.color, label.interior],
    ['CA', 'fr', 'BLEU RIVAGE METALLISE', 'NOIR JAIS'],
  );
  assert.deepEqual(names(label.prices.options), [
    ["GROUPE D'EQUIP. 1LT", null],
    ['GROUPE RS', 214_500],
    ['FREINS RENFORCES', 109_500],
  ]);
  assert.deepEqual(names(label.prices.taxes), [['AIR CONDITIONING CHARGE/ FRAIS DE CLIMATISATION', 10_000]]);
  assert.deepEqual(names(label.prices.fees), [['MAXIMUM DEALER FEE / FRAIS MAXIMUM DU CONCESS.', 69_900]]);
  assert.equal(label.assembly, 'LANSING, MI U.S.A.');
  assert.equal(proof.closes, true);
  assert.equal(proof.options?.closes, true);
});

test('a fleet form has a color and a VIN, no prices, and is still readable', () => {
  const { label, paint, proof, readable } = readText(
    pageOf(
      [692, 57, 'EXTERIOR: RED MIST METALLIC', 12],
      [692, 71, 'TINTCOAT', 12],
      [870, 703, 'VIN 1G1FB3DS0L0000000', 9],
    ),
    { makeOf: (vin) => (vin === '1G1FB3DS0L0000000' ? 'CHEVROLET' : null) },
  );
  assert.equal(readable, true);
  assert.deepEqual(paint, { color: 'RED MIST METALLIC TINTCOAT', code: null });
  assert.equal(label?.make, 'Chevrolet');
  assert.deepEqual(proof, { closes: false, sum: null, total: null, difference: null });
});

test('a custom-built car prints the names of three sums and then their amounts', () => {
  const { label, proof } = readText(
    pageOf(
      [447, 63, '2025 CELESTIQ', 20],
      ...columnOf(692, 57, ['EXTERIOR: DEEP BLUE', 'INTERIOR: WHITE'], 12),
      ...columnOf(39, 140, ['PERSONAL SELECTIONS', 'ROOF', '- SMART GLASS', 'WHEELS']),
      ...columnOf(620, 140, ['STANDARD VEHICLE MSRP', 'PERSONAL SELECTIONS MSRP', 'DESTINATION CHARGE']),
      ...columnOf(760, 140, ['$340,000.00', '$25,000.00', '$3,995.00']),
      [620, 200, "TOTAL MANUFACTURER'S SUGGESTED RETAIL PRICE"],
      [620, 230, '$368,995.00', 20],
    ),
    { make: 'Cadillac' },
  );
  assert.deepEqual(names(label?.prices.options), [['PERSONAL SELECTIONS', 2_500_000]]);
  assert.deepEqual(label?.prices.options[0]?.children, ['ROOF', 'SMART GLASS', 'WHEELS']);
  assert.equal(proof?.closes, true);
});

const none = (text: string) => gm.none.some((pattern) => pattern.test(text));

test('error code 1001 means none, another code does not', () => {
  assert.ok(none('{"errorCode":1001,"errorMessage":"…"}'));
  assert.ok(!none('{"errorCode":10010,"errorMessage":"…"}'));
  assert.ok(!none('{"errorCode":5000,"errorMessage":"Service unavailable"}'));
});

test('an empty response is inconclusive at General Motors', () => {
  assert.equal(gm.empty, 'failed');
});

test('requests have no browser headers', () => {
  assert.equal(gm.headers, undefined);
});

test('selections of a custom-built car may wrap, indented or in the middle of a phrase', () => {
  const { label } = readText(
    pageOf(
      [447, 63, '2025 CELESTIQ', 20],
      ...columnOf(692, 57, ['EXTERIOR: DEEP BLUE', 'INTERIOR: WHITE'], 12),
      ...columnOf(39, 140, ['PERSONAL SELECTIONS', 'ROOF IN BODY COLOR WITH', 'SMART GLASS']),
      [45, 176, 'IN FOUR ZONES'],
      [39, 188, '- SHADES AND'],
      [39, 200, 'CURTAINS'],
      [39, 212, 'WHEELS'],
      ...columnOf(620, 140, ['STANDARD VEHICLE MSRP', 'PERSONAL SELECTIONS MSRP', 'DESTINATION CHARGE']),
      ...columnOf(760, 140, ['$340,000.00', '$25,000.00', '$3,995.00']),
      [620, 200, "TOTAL MANUFACTURER'S SUGGESTED RETAIL PRICE"],
      [620, 230, '$368,995.00', 20],
    ),
    { make: 'Cadillac' },
  );
  assert.deepEqual(label?.prices.options[0]?.children, [
    'ROOF IN BODY COLOR WITH SMART GLASS IN FOUR ZONES',
    'SHADES AND CURTAINS',
    'WHEELS',
  ]);
});

test('a color joined with the engine beside it is not a color', () => {
  const { paint } = readText(
    pageOf(
      [447, 63, '2025 COUPE', 20],
      ...columnOf(692, 57, ['EXTERIOR: ARCTIC WHITE 6.2L DI V8 ENGINE', 'INTERIOR: BLACK'], 12),
    ),
    { make: 'Chevrolet' },
  );
  assert.equal(paint, null);
});

test('if a value is missing, its neighbor is not taken for it', () => {
  const all = [...header, ...seen, ...foot];
  const without = (...texts: string[]) =>
    readText(pageOf(...all.filter(([, , text]) => !texts.includes(text))), {}).label;
  assert.equal(without('$34,595.00')?.prices.base, null);
  const engine = without('ENGINE, 2.0L TURBO');
  assert.deepEqual([engine?.engine, engine?.transmission], [null, 'TRANSMISSION, 8-SPD AUTOMATIC']);
  const next: Run = [879, 606, 'COUNTRY OF ORIGIN:', 12];
  const plant = readText(
    pageOf(...all.filter(([, , text]) => text !== 'LANSING, MI' && text !== 'U.S.A.'), next),
    {},
  ).label;
  assert.equal(plant?.assembly, null);
});
