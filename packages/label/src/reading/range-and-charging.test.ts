import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, type Run } from '../../../../test/label-page.ts';
import type { FuelEconomy } from './types.ts';
import { fuelEconomyOf } from './fuel-economy.ts';
import { phrasesOf } from './phrases.ts';

function read(...runs: Run[]): FuelEconomy | null {
  return fuelEconomyOf(phrasesOf(pageOf(...runs).pages[0]!))?.fuel ?? null;
}

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
