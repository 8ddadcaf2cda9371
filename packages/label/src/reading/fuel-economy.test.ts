import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, type Run } from '../../../../test/label-page.ts';
import type { FuelEconomy } from './types.ts';
import { fuelEconomyOf, NO_FIGURES } from './fuel-economy.ts';
import { phrasesOf } from './phrases.ts';

function read(...runs: Run[]): FuelEconomy | null {
  return fuelEconomyOf(phrasesOf(pageOf(...runs).pages[0]!))?.fuel ?? null;
}

/** The geometry of real labels: a large figure, its word below it in small type. */
const gasoline: Run[] = [
  [664, 224, '20', 72],
  [664, 232, 'combined city/hwy', 8],
  [752, 187, 'MPG', 18],
  [760, 214, '17', 20],
  [760, 222, 'city', 8],
  [796, 214, '25', 20],
  [796, 222, 'highway', 8],
  [668, 257, '5.0', 20],
  [698, 257, 'gallons per 100 miles', 8],
  [1014, 160, 'You', 14],
  [1044, 160, 'spend', 26],
  [1013, 200, '$4,750', 38],
  [1027, 217, 'in fuel costs', 14],
  [639, 292, 'Annual fuel', 13],
  [715, 292, 'cost', 26],
  [648, 333, '$2,450', 38],
  [
    795,
    339,
    'This vehicle emits 436 grams CO2 per mile. The best emits 0 grams per mile (tailpipe only).',
    7,
  ],
];
const figures = {
  ...NO_FIGURES,
  city: 17,
  highway: 25,
  combined: 20,
  per100: 5,
  annualFuelCost: 245_000,
  fiveYearCost: 475_000,
  co2: 436,
};

test('each figure is above or beside the words that name it', () => {
  assert.deepEqual(read(...gasoline), figures);
});

test('content order, shift, scale and split runs make no difference', () => {
  assert.deepEqual(read(...gasoline.toReversed()), figures);
  for (const scale of [0.9, 1.1])
    assert.deepEqual(
      read(
        ...gasoline.map(([x, y, text, size]): Run => [x * scale + 20, y * scale - 7, text, size! * scale]),
      ),
      figures,
    );
  const split = gasoline.flatMap(([x, y, text, size = 10]): Run[] => {
    const half = Math.ceil(text.length / 2);
    return text.length < 3
      ? [[x, y, text, size]]
      : [
          [x, y, text.slice(0, half), size],
          [x + half * size * 0.45, y, text.slice(half), size],
        ];
  });
  assert.deepEqual(read(...split), figures);
});

test('a saving over five years is a negative cost', () => {
  const saving = gasoline.map((run): Run => (run[2] === 'spend' ? [run[0], run[1], 'save', 26] : run));
  assert.equal(read(...saving)?.fiveYearCost, -475_000);
});

test('figures that contradict each other are left out', () => {
  const wrong = (from: string, to: string): Run[] =>
    gasoline.map(([x, y, text, size]): Run => [x, y, text === from ? to : text, size]);
  // Gallons per 100 miles support the combined figure, so city and highway are in doubt.
  assert.deepEqual(read(...wrong('17', '11')), { ...figures, city: null, highway: null });
  assert.equal(read(...wrong('5.0', '6.2'))?.per100, null);
  assert.equal(read(...wrong('20', '36')), null);
});

test('Canada prints liters, in two languages', () => {
  const fuel = read(
    [720, 507, '13.3', 56],
    [740, 521, 'combined/combinée', 7],
    [843, 481, 'L/100 km', 18],
    [840, 507, '14.7', 20],
    [854, 518, 'city', 7],
    [853, 525, 'ville', 7],
    [892, 507, '11.6', 20],
    [897, 518, 'highway', 7],
    [902, 525, 'route', 7],
    [738, 562, '21 mi/gal', 36],
    [1052, 464, 'Annual fuel cost', 9],
    [1037, 517, '$ 3 990', 30],
    [706, 621, '2.7 – 19.7 Le/100 km', 12],
    [934, 620, '312 g CO2 /km', 6.5],
  );
  assert.deepEqual(fuel, {
    ...NO_FIGURES,
    city: 14.7,
    highway: 11.6,
    combined: 13.3,
    unit: 'L/100 km',
    annualFuelCost: 399_000,
    co2: 312,
  });
});

test('the French words may come first, or share a word with the English', () => {
  const fuel = read(
    [720, 507, '10,7', 56],
    [740, 521, 'combinée/combined', 7],
    [843, 481, 'L/100km', 18],
    [840, 507, '12,8', 20],
    [854, 518, 'ville/city', 7],
    [892, 507, '8,2', 20],
    [897, 518, 'route/highway', 7],
    [1037, 517, '3 103 $', 30],
    [1041, 540, 'Coût', 14],
    [1070, 540, 'annuel en carburant', 8],
    [934, 620, '253 g de CO', 6.5],
    [969, 621, '2', 4],
    [972, 620, '/km', 6.5],
  );
  assert.deepEqual(fuel, {
    ...NO_FIGURES,
    city: 12.8,
    highway: 8.2,
    combined: 10.7,
    unit: 'L/100 km',
    annualFuelCost: 310_300,
    co2: 253,
  });
});

test('an electric car in Canada prints equivalent liters and kilometers', () => {
  const box = (time: string): Run[] => [
    [720, 507, '2,3', 56],
    [740, 521, 'combinée/combined', 7],
    [820, 481, 'Le/100 km', 18],
    [830, 507, '2,1', 20],
    [840, 518, 'ville', 7],
    [880, 507, '2,5', 20],
    [886, 518, 'route', 7],
    [738, 562, '20,5', 30],
    [810, 562, 'kWh/100 km', 8],
    [700, 600, time, 7],
    [900, 600, '418', 18],
    [935, 600, 'km', 7],
  ];
  for (const [time, hours] of [
    ['Temps de recharge (240 V) : 9,3 heures', 9.3],
    ['Durée de recharge : 9 h', 9],
    ['Charge time (240V): 10 hours / Temps de recharge (240 V) : 10 heures', 10],
    ['Charge time: 30 minutes', null],
  ] as const)
    assert.deepEqual(
      read(...box(time)),
      {
        ...NO_FIGURES,
        city: 2.1,
        highway: 2.5,
        combined: 2.3,
        unit: 'Le/100 km',
        electric: { combined: 2.3, per100: null, range: 418, chargeHours: hours },
      },
      time,
    );
});

test('a plug-in hybrid prints two combined figures and no others', () => {
  const runs: Run[] = [
    [693, 108, 'Charge Time:', 7],
    [738, 108, '3.4', 7],
    [749, 108, 'hours', 7],
    [706, 154, '101', 60],
    [726, 164, 'combined city/highway', 7],
    [810, 123, 'MPGe', 14],
    [809, 138, '0.0', 16],
    [837, 129, 'gallons', 5],
    [837, 134, 'per 100', 5],
    [837, 139, 'miles', 5],
    [813, 154, '33', 16],
    [837, 146, 'kW-hrs', 5],
    [837, 151, 'per 100', 5],
    [837, 156, 'miles', 5],
    [902, 153, '40', 60],
    [899, 164, 'combined city/highway', 7],
    [985, 121, 'MPG', 14],
    [990, 141, '2.5', 18],
    [989, 149, 'gallons per', 6.5],
    [989, 155, '100 miles', 6.5],
    [843, 204, '37', 18],
    [868, 203, 'miles', 6.5],
    [866, 185, 'Gasoline only', 7],
  ];
  assert.deepEqual(read(...runs), {
    ...NO_FIGURES,
    combined: 40,
    per100: 2.5,
    electric: { combined: 101, per100: 33, range: 37, chargeHours: 3.4 },
  });
  assert.equal(read(...runs.filter(([, , text]) => text !== '40')), null, 'not taken for an electric car');
});

test('an electric car prints kilowatt-hours, a range and a charge time; its small e may be a run of its own', () => {
  const car: Run[] = [
    [713, 150, '110', 72],
    [716, 161, 'combined city/hwy', 8],
    [834, 151, '115 104', 20],
    [838, 161, 'city', 8],
    [878, 161, 'highway', 8],
    [926, 151, '31', 20],
    [922, 161, 'kW-hrs per', 8],
    [922, 170, '100 miles', 8],
    [716, 195, '0', 6],
    [893, 195, '300', 6],
    [914, 202, '320', 18],
    [950, 201, 'miles', 6.5],
    [716, 204, 'Charge Time:', 9],
    [776, 204, '9.6', 9],
    [793, 204, 'hours', 9],
  ];
  const wanted = {
    ...NO_FIGURES,
    city: 115,
    highway: 104,
    combined: 110,
    unit: 'MPGe',
    per100: 31,
    electric: { combined: 110, per100: 31, range: 320, chargeHours: 9.6 },
  };
  assert.deepEqual(read(...car, [832, 115, 'MPGe', 18]), wanted);
  assert.deepEqual(read(...car, [832, 115, 'MPG', 18], [857, 117, 'e', 9]), wanted);
});

test('a truck too heavy to be rated has none', () => {
  assert.equal(read([664, 224, 'N/A', 72], [664, 232, 'combined city/hwy', 8], [752, 187, 'MPG', 18]), null);
  assert.equal(read([640, 156, 'Trucks range from 12 to 136 MPGe.', 8]), null);
});

test('costs that contradict the small print are left out, together', () => {
  const print = (average: string): Run => [
    640,
    400,
    `The average new vehicle gets 27 MPG and costs ${average} to fuel over 5 years.`,
    6,
  ];
  assert.deepEqual(read(...gasoline, print('$7,500')), figures);
  // Some labels leave the average empty.
  assert.deepEqual(read(...gasoline, print('$0')), figures);
  assert.deepEqual(read(...gasoline, print('$9,500')), {
    ...figures,
    annualFuelCost: null,
    fiveYearCost: null,
  });
});

/** An electric car as some makers set it: the range is one run of text, in one size. */
const electricCar = (...more: Run[]): Run[] => [
  [67, 532, '88', 72],
  [70, 543, 'combined city/hwy', 8],
  [155, 494, 'MPGe', 18],
  [161, 532, '94', 20],
  [161, 543, 'city', 8],
  [204, 532, '82', 20],
  [203, 543, 'highway', 8],
  [250, 532, '38', 20],
  [250, 543, 'kW-hrs per', 8],
  [250, 552, '100 miles', 8],
  [70, 572, 'Driving Range', 9],
  [70, 580, 'When fully charged, vehicle can travel about...', 6],
  [70, 590, '0', 6],
  [104, 590, '65', 6],
  [70, 604, 'Charge Time: 10.7 hours (240V)', 8],
  ...more,
];

test('the range of an electric car may be one run of text', () => {
  for (const range of ['314 miles', '100 miles']) {
    const fuel = read(...electricCar([260, 596, range, 8]));
    assert.deepEqual(fuel?.electric, {
      combined: 88,
      per100: 38,
      range: Number(range.slice(0, 3)),
      chargeHours: 10.7,
    });
  }
  // Nothing tells which of two ranges is right.
  assert.equal(
    read(...electricCar([260, 596, '314 miles', 8], [260, 640, '250 miles', 8]))?.electric?.range,
    null,
  );
  assert.equal(read(...electricCar())?.electric?.range, null);
});

test('hydrogen and natural gas count in MPGe, but are not electric', () => {
  for (const name of ['Hydrogen Fuel Cell Vehicle', 'Compressed Natural Gas Vehicle']) {
    const isElectric = ([, , text]: Run) => /kW-hrs|Charge Time/.test(text);
    const fuel = read(
      ...electricCar([400, 500, name, 9], [260, 596, '380 miles', 8]).filter((run) => !isElectric(run)),
    );
    assert.deepEqual([fuel?.combined, fuel?.unit, fuel?.electric], [88, 'MPGe', null], name);
  }
  // An electric car's small print may mention hydrogen.
  assert.ok(read(...electricCar([400, 500, 'Hydrogen vehicles emit water.', 7]))?.electric);
});
