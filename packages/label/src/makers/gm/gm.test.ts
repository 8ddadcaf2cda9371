import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, pageOf, type Run } from '../../../../../test/label-page.ts';
import type { Reading } from '../../reading/types.ts';
import { readText } from '../../read-text.ts';
import {
  header,
  standard,
  base,
  heading,
  list,
  end,
  foot,
  usualBlocks,
  read,
  names,
} from '../../../../../test/gm-page.ts';

test('a color wraps until the interior, and may say EXTERIOR itself', () => {
  const { label, paint } = read(...usualBlocks);
  assert.deepEqual(paint, { color: 'SPECIAL EDITION EXTERIOR FINISH', code: null });
  assert.ok(label);
  const { make, model, year, interior, engine, transmission, assembly, shipTo } = label;
  assert.deepEqual(
    [make, model, year, interior],
    ['Cadillac', 'MADEUP LUXURY', 2024, 'JET BLACK W/ JET BLACK ACCENTS'],
  );
  assert.deepEqual([engine, transmission], ['ENGINE, 2.0L TURBO', 'TRANSMISSION, 8-SPD AUTOMATIC']);
  assert.deepEqual([assembly, shipTo], ['LANSING, MI U.S.A.', 'MI']);
});

test('a price begins an option, a bullet a child, and other lines go on with either', () => {
  const { label, proof } = read(...usualBlocks);
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
    reason: null,
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

test('a list may be as small as the explanations', () => {
  for (const type of [7, 6.5, 6]) {
    const { label, proof } = read(
      ...standard(39, type),
      ...base(426),
      ...heading(426),
      ...columnOf(620, 140, list, type),
      ...columnOf(814, 140, end, type),
    );
    const usual = read(...usualBlocks).label!;
    for (const field of ['options', 'taxes', 'fees', 'discounts'] as const)
      assert.deepEqual(names(label?.prices[field]), names(usual.prices[field]), `${field} in ${type} points`);
    assert.deepEqual(
      label?.prices.options.map(({ children }) => children),
      usual.prices.options.map(({ children }) => children),
    );
    assert.deepEqual(label?.standard, usual.standard);
    assert.equal(proof?.closes, true, `${type} points`);
  }
});

/** Runs as wide as the narrow type of real labels, so that a long color ends just before the engine. */
function headerOf(color: string, interior: string, engine: string, gearbox: string): Reading {
  const text = pageOf(
    [447, 63, '2024 MADEUP LUXURY', 20],
    ...columnOf(692, 57, [`EXTERIOR: ${color}`, `INTERIOR: ${interior}`], 12),
    ...columnOf(890, 57, [engine, gearbox], 12),
    ...usualBlocks,
    ...foot,
  );
  const [page] = text.pages;
  const items = page!.items.map((item) =>
    item.x === 692 ? { ...item, width: item.text.length * 5.85 } : item,
  );
  return readText({ ...text, pages: [{ ...page!, items }] }, { make: 'Cadillac' });
}

test('a long color that nearly reaches the engine ends before it', () => {
  for (const color of ['DARK MOON BLUE METALLIC', 'MANHATTAN NOIR METALLIC', 'STELLAR BLACK METALLIC'])
    for (const interior of ['JET BLACK', 'CAMELIA W/BACKEN BLACK']) {
      const { paint, label } = headerOf(
        color,
        interior,
        'ENGINE, 2.0L TURBO',
        'TRANSMISSION, 8-SPD AUTOMATIC',
      );
      assert.deepEqual(
        [paint?.color, label?.interior, label?.engine, label?.transmission],
        [color, interior, 'ENGINE, 2.0L TURBO', 'TRANSMISSION, 8-SPD AUTOMATIC'],
      );
    }
});

test('an engine that stops and starts by itself is not the transmission', () => {
  for (const engine of [
    'ENGINE, 1.5L W/ AUTO STOP',
    '2.5L 4-CYL AUTO STOP/START',
    'MOTEUR 5,3 L AUTO STOP',
  ]) {
    const { label } = headerOf('BLACK', 'JET BLACK', engine, 'CONTINUOUSLY VARIABLE TRANS');
    assert.deepEqual([label?.engine, label?.transmission], [engine, 'CONTINUOUSLY VARIABLE TRANS']);
  }
});

test('the plant in the foot may be in a province or region', () => {
  for (const plant of [
    'YANTAI ETDZ,P.R., CHINA',
    'BUPYEONG GU, IN KOREA',
    'OSHAWA, ONTARIO CANADA',
    'RAMOS ARIZPE, CZ MEXICO',
  ]) {
    const { label } = readText(
      pageOf(
        ...header,
        ...usualBlocks,
        ...foot.slice(3),
        [870, 683, 'FINAL ASSEMBLY:', 6],
        [870, 692, plant, 9],
      ),
      {},
    );
    assert.equal(label?.assembly, plant);
  }
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
  const all = [...header, ...usualBlocks, ...foot];
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

/** The foot of a label with other words in it. */
const withFoot = (from: string, to: string) =>
  readText(
    pageOf(
      ...header,
      ...usualBlocks,
      ...foot.map(([x, y, text, size]): Run => [x, y, text.replace(from, to), size]),
      [870, 676, 'DEALER NO 12345', 6],
      [870, 669, 'ORDER NO DRGV0V', 6],
      [870, 736.5, '1 EXAMPLE STREET', 9],
    ),
    {},
  ).label!;

test('order, dealer, day and option codes are read from the foot and the hidden text', () => {
  const label = withFoot(
    '"Options":["GAZ"]',
    '"creation_date":"5/4/2025", "Options":["GAZ", "A1B", "", "no code", ""]',
  );
  assert.deepEqual(label.delivery, {
    dealer: {
      name: 'A DEALER',
      street: '1 EXAMPLE STREET',
      city: 'WARREN',
      state: 'MI',
      zip: '48092-2709',
      code: '12345',
    },
    orderNumber: 'DRGV0V',
    transport: null,
  });
  assert.deepEqual([label.created, label.optionCodes], ['2025-05-04', ['GAZ', 'A1B']]);
  assert.equal(label.exterior?.code, null);
});

test('hidden text about another car, a list without its end and an impossible day mean nothing', () => {
  assert.equal(withFoot('"vin":"1G6DA5RK9R0000000"', '"vin":"another"').optionCodes, null);
  assert.equal(withFoot('"GAZ"]}', '"GAZ"').optionCodes, null);
  assert.equal(withFoot('"Options"', '"creation_date":"13/40/2025", "Options"').created, null);
});

test('there are at most 400 option codes', () => {
  const codes = Array.from({ length: 500 }, (_, index) => `"${String(index).padStart(3, '0')}"`);
  assert.equal(withFoot('"GAZ"', codes.join(', ')).optionCodes?.length, 400);
});
