import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Vehicle } from '@monroney/vin';
import { contradictionOf } from './printed-car.ts';
import type { PrintedCar } from './types.ts';

const vehicle: Vehicle = {
  year: '2023',
  make: 'DODGE',
  model: 'Challenger',
  trim: null,
  bodyClass: 'Coupe',
  driveType: null,
  doors: '2',
  engine: { displacement: '3.6L', cylinders: '6', fuel: 'Gasoline', electrification: null, horsepower: null },
  transmission: null,
  plant: 'DETROIT, MICHIGAN, UNITED STATES (USA)',
  manufacturer: null,
};

const engineOf = (displacement: string | null, cylinders: string | null, fuel: string | null) => ({
  engine: { displacement, cylinders, fuel, electrification: null, horsepower: null },
});

const conflict = (printed: Partial<PrintedCar>, decoded: Partial<Vehicle> = {}): string | null =>
  contradictionOf({ ...vehicle, ...decoded }, null, {
    make: 'Dodge',
    model: null,
    year: null,
    engine: null,
    assembly: null,
    ...printed,
  });

test('a contradiction is told in one sentence', () => {
  assert.equal(
    conflict({ engine: '5.7L V8 HEMI® Engine' }),
    'The sticker says 5.7L V8, but the VIN says 3.6L 6-cylinder.',
  );
  assert.equal(
    conflict({ year: 2022, engine: '2.0L I-4 TURBO' }),
    'The sticker says model year 2022 and 2.0L I4, but the VIN says model year 2023 and 3.6L 6-cylinder.',
  );
  assert.equal(
    conflict({ assembly: 'SALTILLO, MEXICO' }),
    'The sticker says built in Mexico, but the VIN says built in Detroit, Michigan.',
  );
  assert.equal(
    conflict({ assembly: 'CALL 555-0100, OHIO, U.S.A.' }),
    'The sticker says built in Ohio, but the VIN says built in Detroit, Michigan.',
    'what is printed is not repeated',
  );
  assert.equal(
    conflict({ model: '2023 CAMARO 2SS CONV' }),
    'The sticker says convertible, but the VIN says coupe.',
  );
  assert.equal(conflict({ model: 'BRONCO 4-DOOR' }), 'The sticker says 4 doors, but the VIN says 2 doors.');
  const electric = engineOf(null, null, 'Electric');
  assert.equal(
    conflict({ engine: '6.2L V8' }, electric),
    'The sticker says 6.2L V8, but the VIN says electric.',
  );
});

test('only what both say is compared', () => {
  assert.equal(
    conflict({ engine: '5.7L V8' }, engineOf('3.6L', null, null)),
    'The sticker says 5.7L, but the VIN says 3.6L.',
  );
  assert.equal(conflict({ engine: 'V8' }), 'The sticker says V8, but the VIN says 6-cylinder.');
});

test('codes and valves of an engine are no cylinders', () => {
  const v8 = engineOf('5.3L', '8', 'Gasoline');
  for (const engine of [
    'ENGINE, L83 5.3L ECOTEC3',
    'ENGINE, L84 5.3L',
    'ENGINE, L8T 5.3L V8 GAS',
    'ENGINE, L-83 5.3L',
    'LT4 5.3L SUPERCHARGED',
    'ENGINE, LT6 5.3L V8, DOHC 32V',
    '5.3L TI-VCT V8: GT',
    '5.3L V8 VERSION V2',
    '5.3L V8 WITH V4 MODE',
    'V8-6-4 5.3L',
    'PACKAGE W/ V8 5.3L',
    '5.3L V-8 48V eTorque',
    '5.3 CYL',
    '7 CYL',
  ])
    assert.equal(conflict({ engine }, v8), null, engine);
  const six = engineOf('3.0L', '6', 'Gasoline');
  for (const engine of [
    '3.0L I6 HO',
    '3.0L H6 BOXER',
    'L3B 3.0L',
    'LM2 3.0L I-6',
    'V6 DE 3,0 L 24V',
    '3.0L L6',
  ])
    assert.equal(conflict({ engine }, six), null, engine);
  const four = engineOf('1.6L', '4', 'Gasoline');
  for (const engine of [
    '1.6T HYBRID',
    '2.5T',
    '1.6L H4 BOXER 16V',
    '1.6L I-VCT ATK I-4 HYB ENG',
    '1.6L I4 DOHC DI Turbo PHEV Engine',
    '1.6L/2.0L TURBO',
    '1.6L TURBO, 4-CYL, 4 CYLINDRES',
    '1.6L L4',
  ])
    assert.equal(conflict({ engine }, four), null, engine);
});

test('every layout that exists is compared', () => {
  const three = engineOf(null, '3', null);
  for (const [engine, layout] of [
    ['V-6', 'V6'],
    ['W/V8', 'V8'],
    ['V10', 'V10'],
    ['V12', 'V12'],
    ['I-4', 'I4'],
    ['I5', 'I5'],
    ['2.5L L4', '4-cylinder'],
    ['L-6', '6-cylinder'],
    ['2 CYL', '2-cylinder'],
    ['16-CYLINDER', '16-cylinder'],
    ['6 CYLINDRES', '6-cylinder'],
  ])
    assert.equal(
      conflict({ engine }, three),
      `The sticker says ${layout}, but the VIN says 3-cylinder.`,
      engine,
    );
});

test('other spellings, rounding and what is unclear are no contradictions', () => {
  const same: [Partial<PrintedCar>, Partial<Vehicle>?][] = [
    [{}],
    [{ year: 2023 }],
    [{ engine: '3.6–Liter V6 24–Valve VVT Engine' }],
    [{ engine: '6 CYL 3,6L' }],
    [{ engine: '3.6L OR 5.7L V8 OR V6' }],
    [{ engine: '392 V6 24V ENGINE' }],
    [{ engine: '88KWH BATTERY' }],
    [{ engine: '3.5L V6' }],
    [{ engine: '2.5L PLUG-IN HYBRID' }, engineOf(null, null, 'Electric')],
    [{ engine: '3.6L V6 RANGE-EXTENDER' }, engineOf(null, null, 'Electric')],
    [{ model: 'CHALLENGER V8' }],
    [{ assembly: 'DETROIT, MI U.S.A.' }],
    [{ assembly: 'STERLING HTS, MICH., U.S.A.' }],
    [{ assembly: 'HAMTRAMCK, MICHIGAN, U.S.A.' }],
    [{ assembly: 'KANSAS CITY' }],
    [{ assembly: 'KENTUCKY' }],
    [{ assembly: 'ULSAN, KOREA' }, { plant: 'UL-SAN, SOUTH KOREA' }],
    [{ assembly: 'RAMOS ARIZPE, CP MEX' }, { plant: 'RAMOS ARIZPE, COAHUILA, MEXICO' }],
    [{ model: 'CHALLENGER COUPE' }, { bodyClass: 'Sedan/Saloon' }],
    [{ model: 'WRANGLER 2-DOOR' }, { doors: '3' }],
  ];
  for (const [printed, decoded] of same)
    assert.equal(conflict(printed, decoded), null, JSON.stringify([printed, decoded]));
});

test('the second possible model year of a VIN is no contradiction', () => {
  const car = { make: 'Dodge', model: null, year: 1993, engine: null, assembly: null };
  assert.equal(contradictionOf(vehicle, '1993', car), null);
  assert.match(contradictionOf(vehicle, null, car)!, /model year 1993/);
});

test('without a label or a decoded VIN there is nothing to compare', () => {
  assert.equal(contradictionOf(vehicle, null, null), null);
  assert.equal(
    contradictionOf(null, null, { make: 'Kia', model: null, year: 2020, engine: null, assembly: null }),
    null,
  );
});
