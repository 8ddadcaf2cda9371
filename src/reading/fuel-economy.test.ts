import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf, type Run } from '../../test/label-page.ts';
import type { FuelEconomy } from './types.ts';
import { fuelEconomyOf } from './fuel-economy.ts';
import { linesOf } from './lines.ts';

function read(...runs: Run[]): FuelEconomy | null {
  const text = pageOf(...runs);
  return fuelEconomyOf({ text, lines: linesOf(text), words: '', positioned: true, vin: null })?.fuel ?? null;
}

const petrol: Run[] = [
  [664, 224, '20', 72],
  [664, 232, 'combined city/hwy', 8],
  [752, 187, 'MPG', 18],
  [760, 214, '17', 20],
  [760, 222, 'city', 8],
  [796, 214, '25', 20],
  [796, 222, 'highway', 8],
  [668, 257, '5.0', 20],
  [698, 257, 'gallons per 100 miles', 8],
];

test('each number stands above its word', () => {
  assert.deepEqual(read(...petrol), { city: 17, highway: 25, combined: 20, unit: 'MPG' });
});

test('Canada counts litres, in two languages', () => {
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
    [706, 621, '2.7 – 19.7 Le/100 km', 12],
  );
  assert.deepEqual(fuel, { city: 14.7, highway: 11.6, combined: 13.3, unit: 'L/100 km' });
});

test('a plug-in hybrid prints two combined figures and no others', () => {
  const fuel = read(
    [664, 224, '49', 40],
    [664, 232, 'combined city/highway', 8],
    [720, 200, 'MPGe', 12],
    [900, 224, '20', 40],
    [900, 232, 'combined city/highway', 8],
    [950, 200, 'MPG', 12],
  );
  const gasoline = { combined: 20, unit: 'MPG' };
  assert.deepEqual(fuel, { city: null, highway: null, combined: 49, unit: 'MPGe', gasoline });
});

test('an electric car goes a number of miles, and its small e may be a run of its own', () => {
  const electric = petrol.filter(([, , text]) => !/gallons|5\.0/.test(text));
  const fuel = read(
    ...electric,
    [777, 189, 'e', 9],
    [640, 280, 'When fully charged, vehicle can travel about'],
    [660, 300, '314 miles'],
  );
  assert.deepEqual(fuel, { city: 17, highway: 25, combined: 20, unit: 'MPGe', range: 314 });
});

test('a truck too heavy to be rated has none', () => {
  assert.equal(read([664, 224, 'N/A', 72], [664, 232, 'combined city/hwy', 8], [752, 187, 'MPG', 18]), null);
  assert.equal(read([640, 156, 'Trucks range from 12 to 136 MPGe.', 8]), null);
});
