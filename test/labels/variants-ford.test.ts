import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from '@monroney/label/read-text';
import type { Label } from '@monroney/label/reading/types';
import {
  type Car,
  type Edit,
  skip,
  carOf,
  readEdited,
  hasText,
  removeItems,
  replaceText,
  addBelow,
  factsOf,
} from './edited-labels.ts';

/** Labels of Ford that the samples don't show, see edited-labels.ts. */

const F150 = 'labels-2/ford/1FTFW3LD5SFB91830.pdf';
const MACH_E = 'labels-2/ford/3FMTK3R72SMA57045.pdf';
const ESCAPE = 'labels-2/ford/1FMCU0E15RUA50610.pdf';
const MUSTANG = 'labels-2/ford/1FA6P8TH7S5131217.pdf';

/** Other text on the F-150's label, and the facts that are missing then. */
const EDITS: [what: string, edits: (car: Car) => Edit[], missing?: (keyof Label)[]][] = [
  ...['INCLUDED', 'N/C', 'INC.', 'STD'].map((words): (typeof EDITS)[number] => [
    `"${words}" for "no charge"`,
    () => [replaceText('NO CHARGE', words)],
  ]),
  ['no federal boxes', () => [removeItems(({ x }) => x > 680)], ['fuelEconomy', 'safety', 'parts']],
  [
    // The heading of the equipment has the same name and goes with it.
    'no interior',
    ({ label }) => [removeItems(hasText('INTERIOR')), removeItems(hasText(label.interior!))],
    ['interior', 'standard'],
  ],
  ['no transmission', ({ label }) => [removeItems(hasText(label.transmission!))], ['transmission']],
  [
    'a line after the engine that is not a transmission',
    ({ label }) => [replaceText(new RegExp(`^${label.transmission!}$`), 'ZERO EMISSIONS VEHICLE')],
    ['transmission'],
  ],
  [
    'a chassis without paint',
    ({ label }) => [
      removeItems(({ text, y }) => text.trim() === 'EXTERIOR' && y < 130),
      removeItems(hasText(label.exterior!.color)),
    ],
    ['exterior'],
  ],
  [
    'amounts without cents',
    () => [
      (items) =>
        items.map((item) => ({
          ...item,
          text: item.x < 680 ? item.text.replace(/^(\$[\d,]+)\.00$/, '$1') : item.text,
        })),
    ],
  ],
  [
    'the body of a motor home, which is not its engine',
    () => [
      (items) =>
        items.map((item) =>
          /WHEELBASE|STYLESIDE|\bWB\b/.test(item.text) && item.x < 430 && item.y < 130
            ? { ...item, text: 'MOTOR HOME STRIPPED CHASSIS' }
            : item,
        ),
    ],
    ['wheelbase'],
  ],
];
/** Drawn in part, or listed under other headings too. */
const PARTLY: (keyof Label)[] = ['standard', 'safety', 'parts'];

for (const [what, edits, missing = []] of EDITS)
  test(`Ford: ${what} changes no other fact`, { skip }, async () => {
    const car = await carOf(F150);
    const applied = edits(car);
    const { items } = car.text.pages[0]!;
    const edited = applied.reduce((before, edit) => edit(before), items);
    assert.notDeepEqual(edited, items, 'the edit found its text');
    const { label, proof } = readEdited(car, ...applied);
    for (const field of missing.filter((name) => !PARTLY.includes(name)))
      assert.equal(label[field] ?? null, null, field);
    assert.deepEqual(factsOf(label, ...missing), factsOf(car.label, ...missing));
    assert.equal(proof?.closes, true);
  });

test('Ford: a second line about the body is neither engine nor transmission', { skip }, async () => {
  for (const path of [F150, MUSTANG]) {
    const car = await carOf(path);
    const { label } = readEdited(
      car,
      (items) =>
        items.map((item) =>
          item.y < 130 && [car.label.engine, car.label.transmission].includes(item.text.trim())
            ? { ...item, y: item.y + 9 }
            : item,
        ),
      (items) => {
        const engine = items.find(hasText(car.label.engine!))!;
        return [...items, { ...engine, text: 'LONG BED, DUAL REAR WHEELS', y: engine.y - 9 }];
      },
    );
    assert.deepEqual(factsOf(label), factsOf(car.label), car.vin);
  }
});

test('Ford: options that continue in the second column are read the same', { skip }, async () => {
  const car = await carOf(F150);
  const heading = car.text.pages[0]!.items.find(hasText('OPTIONAL EQUIPMENT/OTHER'))!;
  for (const row of [4, 5, 7, 9]) {
    const from = heading.y + row * 9.15 - 4;
    const { label, proof } = readEdited(car, (items) =>
      items.map((item) =>
        item.x < 250 && item.y > from && item.y < 610
          ? { ...item, x: item.x + 212, y: item.y - from + 338 }
          : item,
      ),
    );
    assert.deepEqual(factsOf(label), factsOf(car.label), `from option ${row} on`);
    assert.equal(proof?.options?.closes, true);
  }
});

test('Ford: taxes, fees and discounts in other words are recognized', { skip }, async () => {
  const car = await carOf(F150);
  const last = 'STANDARD FUEL TANK';
  const amount = (words: string, dx: number, rows = 1) => addBelow(last, words, rows, dx);
  const { label } = readEdited(
    car,
    addBelow(last, '*** GAS GUZZLER TAX ***'),
    amount('1,300.00', 170),
    addBelow(last, 'EQUIPMENT GROUP SAVINGS', 2),
    amount('- 1,000.00', 165, 2),
    addBelow(last, 'TAILGATE DELETE', 3),
    amount('-', 165, 3),
    amount('85.00', 180, 3),
  );
  assert.deepEqual(
    label.prices.taxes.map(({ name, price }) => [name, price]),
    [['*** GAS GUZZLER TAX ***', 130_000]],
  );
  assert.deepEqual(label.prices.discounts[0]?.price, -100_000);
  assert.deepEqual(
    label.prices.options.slice(-2).map(({ name, price }) => [name, price]),
    [
      [last, null],
      ['TAILGATE DELETE', -8_500],
    ],
  );
});

test('Ford: amounts without a comma or with a dollar sign are the same amounts', { skip }, async () => {
  const car = await carOf(F150);
  const isMoney = /^\$?(\d{1,3}),(\d{3}\.\d{2})$/;
  for (const shape of ['$1$2', '$$$1,$2']) {
    const { label, proof } = readEdited(car, (items) =>
      items.map((item) => ({ ...item, text: item.x < 680 ? item.text.replace(isMoney, shape) : item.text })),
    );
    if (shape === '$1$2') assert.equal(label.prices.base, car.label.prices.base);
    assert.deepEqual(
      label.prices.options.map(({ price }) => price),
      car.label.prices.options.map(({ price }) => price),
    );
    assert.equal(proof?.options?.closes, true);
  }
});

/** With the words of the foot that Ford covers. */
const uncover: Edit = (items) => [
  ...items,
  { text: 'FINAL ASSEMBLY PLANT', x: 331, y: 630, width: 74, size: 6 },
  { text: 'DEARBORN', x: 350, y: 642, width: 52, size: 9 },
  { text: 'METHOD OF TRANSP.', x: 331, y: 655, width: 64, size: 6 },
];

test('Ford: two lines under a heading are not a color, an interior or a plant', { skip }, async () => {
  const covered = await carOf(F150);
  const text = {
    ...covered.text,
    pages: covered.text.pages.map((page) => ({ ...page, items: uncover(page.items) })),
  };
  const reading = readText(text, { vin: covered.vin });
  const car = { ...covered, text, reading, label: reading.label! };
  assert.equal(car.label.assembly, 'DEARBORN');
  for (const field of ['exterior', 'interior', 'assembly'] as const) {
    const { exterior, interior, assembly } = car.label;
    const value = { exterior: exterior!.color, interior: interior!, assembly }[field];
    for (const rows of [-0.4, 0.5]) {
      const { label } = readEdited(car, addBelow(value, 'FLEET SPECIAL', rows, 4));
      assert.equal(label[field], null, `${field} ${rows}`);
      assert.deepEqual(factsOf(label, field), factsOf(car.label, field), `${field} ${rows}`);
    }
  }
});

test('Ford: a section of the equipment in other words is a section', { skip }, async () => {
  for (const path of [F150, MACH_E]) {
    const car = await carOf(path);
    const { label } = readEdited(
      car,
      replaceText(/^FUNCTIONAL$/, 'DRIVER ASSISTANCE'),
      replaceText(/^WARRANTY$/, 'COVERAGE'),
    );
    // A column needs one known heading: COVERAGE is under SAFETY/SECURITY. In other words, it isn't known to be the warranty.
    assert.deepEqual(
      label.standard.filter(({ section }) => section !== 'DRIVER ASSISTANCE'),
      [
        ...car.label.standard.filter(({ section }) => section !== 'FUNCTIONAL'),
        { section: 'COVERAGE', items: car.label.warranty },
      ],
    );
  }
});

test('Ford: an engine may mention its automatic start, and years their halves', { skip }, async () => {
  const car = await carOf(F150);
  const engine = '3.5L V6 ECOBOOST AUTO START';
  const { label } = readEdited(
    car,
    replaceText(new RegExp(`^${car.label.engine!}$`), engine),
    addBelow('STANDARD FUEL TANK', '2025.5 MODEL YEAR'),
  );
  assert.deepEqual([label.engine, label.transmission], [engine, car.label.transmission]);
  assert.equal(label.prices.options.at(-1)?.name, 'STANDARD FUEL TANK');
});

test('Ford: no charge in the run of its name, and zero, are no charge', { skip }, async () => {
  const car = await carOf(F150);
  const last = 'STANDARD FUEL TANK';
  const { label, proof } = readEdited(
    car,
    addBelow(last, 'BACKGLASS DEFROST   NO CHARGE'),
    addBelow(last, 'JACK', 2),
    addBelow(last, '0.00', 2, 180),
  );
  assert.deepEqual(
    label.prices.options.slice(-2).map(({ name, price, children }) => [name, price || null, children.length]),
    [
      ['BACKGLASS DEFROST', null, 0],
      ['JACK', null, 0],
    ],
  );
  assert.equal(proof?.closes, true);
});

test('Ford: what takes the amount of the destination is not a fee', { skip }, async () => {
  const car = await carOf(F150);
  const { label, proof } = readEdited(car, addBelow('DESTINATION & DELIVERY', 'FLEET SPECIAL', 0, 140));
  assert.deepEqual(label.prices.fees, []);
  assert.equal(proof?.closes, false);
});

test('Ford: a Canadian label is known by its address and lists taxes and levies', { skip }, async () => {
  const car = await carOf(ESCAPE);
  const destination = 'DESTINATION & DELIVERY';
  const row = (name: string, amount: string, rows: number) => [
    addBelow(destination, name, rows),
    addBelow(destination, amount, rows, 180),
  ];
  const { label } = readEdited(
    car,
    (items) => [...items, { text: 'OAKVILLE ON L6J 5E4', x: 40, y: 657, width: 108, size: 8 }],
    ...row('FEDERAL A/C EXCISE TAX', '100.00', 1),
    ...row('FEDERAL GREEN LEVY', '1,000.00', 2),
    ...row('FUEL CHARGE', '30.00', 3),
  );
  assert.deepEqual([label.market, label.prices.currency], ['CA', 'CAD']);
  assert.deepEqual(
    label.prices.taxes.map(({ name, price }) => [name, price]),
    [
      ['FEDERAL A/C EXCISE TAX', 10_000],
      ['FEDERAL GREEN LEVY', 100_000],
    ],
  );
  assert.deepEqual(
    label.prices.fees.map(({ name, price }) => [name, price]),
    [['FUEL CHARGE', 3_000]],
  );
  const except = ['market', 'prices', 'shipTo'] as const;
  assert.deepEqual(factsOf(label, ...except), factsOf(car.label, ...except));
});

test('Ford: a note to the buyer beside the options is none of them', { skip }, async () => {
  const note = [
    'A day on rough ground is part of',
    'this car. Original owners who take',
    'delivery can attend it once. Fleet',
    'vehicles are not eligible. See your',
    'dealer for more.',
  ];
  for (const path of [F150, ESCAPE, MUSTANG]) {
    const car = await carOf(path);
    const first = car.text.pages[0]!.items.find(({ text }) => text.startsWith('OPTIONAL EQUIPMENT/OTHER'))!;
    for (const [x, size] of [
      [36, 8],
      [252, 8],
      [252, 9],
    ] as const) {
      const { label, proof } = readEdited(car, (items) => [
        ...items,
        ...note.map((text, at) => ({
          ...first,
          text,
          x,
          y: 560 + at * 10,
          size,
          width: text.length * size * 0.5,
        })),
      ]);
      assert.deepEqual(factsOf(label), factsOf(car.label), `${car.vin} at ${x}`);
      assert.deepEqual(proof, car.reading.proof);
    }
  }
});

test("Ford: a dealer's options in small letters are options", { skip }, async () => {
  const car = await carOf(ESCAPE);
  const last = 'FRONT LICENSE PLATE BRACKET';
  const { label } = readEdited(
    car,
    addBelow(last, 'DEALER INSTALLED OPTIONS'),
    addBelow(last, 'Trailer Tow Package', 2),
    addBelow(last, 'Full Outdoor Cover-Blk w/Gray', 3),
    addBelow(last, 'Splash Guards w/Hardware', 4),
    addBelow(last, '600.00', 4, 184),
  );
  assert.deepEqual(
    label.prices.options.slice(-3).map(({ name, price }) => [name, price]),
    [
      ['Trailer Tow Package', null],
      ['Full Outdoor Cover-Blk w/Gray', null],
      ['Splash Guards w/Hardware', 60_000],
    ],
  );
});
