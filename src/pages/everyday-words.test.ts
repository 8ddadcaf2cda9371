import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Vehicle } from '@monroney/vin';
import { carName } from '@monroney/label/lib/names';
import { bodyWords, driveWords, engineWords, facts, plantWords } from './everyday-words.ts';

const jeep: Vehicle = {
  year: '2026',
  make: 'JEEP',
  model: 'Grand Cherokee',
  trim: 'Limited',
  bodyClass: 'Sport Utility Vehicle [SUV]/Multipurpose Vehicle [MPV]',
  driveType: '4WD/4-Wheel Drive/4x4',
  doors: '4',
  engine: { displacement: '2.0L', cylinders: '4', fuel: 'Gasoline', electrification: null, horsepower: null },
  transmission: null,
  plant: 'DETROIT, MICHIGAN, UNITED STATES (USA)',
  manufacturer: 'FCA US LLC',
};

test('a car’s name is year, make, model and trim, if there is only one', () => {
  assert.equal(carName(jeep), '2026 Jeep Grand Cherokee Limited');
  assert.equal(carName({ ...jeep, trim: 'Laredo, Limited, Summit' }), '2026 Jeep Grand Cherokee');
  assert.equal(carName({ ...jeep, model: null, trim: null }), '2026 Jeep');
  assert.equal(carName({ ...jeep, make: 'KTM', model: 'RC', trim: 'Rc 390' }), '2026 KTM RC 390');
  assert.equal(carName({ ...jeep, make: null }), null);
  assert.equal(carName(null), null);
});

test('vPIC’s terms become everyday words', () => {
  assert.equal(engineWords(jeep), '2.0 L 4-cylinder, gasoline');
  assert.equal(
    engineWords({
      ...jeep,
      engine: {
        displacement: null,
        cylinders: null,
        fuel: 'Electric',
        electrification: null,
        horsepower: null,
      },
    }),
    'Electric',
  );
  assert.equal(driveWords(jeep), 'Four-wheel drive');
  assert.equal(driveWords({ ...jeep, driveType: 'Something new' }), 'Something new');
  assert.equal(bodyWords(jeep), 'Four-door SUV');
  assert.equal(bodyWords({ ...jeep, bodyClass: 'Pickup', doors: null }), 'Pickup');
  const chassis = { ...jeep, bodyClass: 'Incomplete - Chassis Cab (Single Cab)', doors: null };
  assert.equal(bodyWords(chassis), 'Chassis cab');
  assert.equal(plantWords(jeep), 'Detroit, Michigan');
  assert.equal(plantWords({ ...jeep, plant: 'OAKVILLE, ONTARIO, CANADA' }), 'Oakville, Ontario, Canada');
});

test('a hybrid is called one', () => {
  const words = (electrification: string | null, fuel = jeep.engine.fuel) =>
    engineWords({ ...jeep, engine: { ...jeep.engine, fuel, electrification } });
  assert.equal(words('Strong HEV (Hybrid Electric Vehicle)'), '2.0 L 4-cylinder, gasoline hybrid');
  assert.equal(words('HEV (Hybrid Electric Vehicle) - Level Unknown'), '2.0 L 4-cylinder, gasoline hybrid');
  assert.equal(words('Mild HEV (Hybrid Electric Vehicle)'), '2.0 L 4-cylinder, gasoline mild hybrid');
  assert.equal(words('PHEV (Plug-in Hybrid Electric Vehicle)'), '2.0 L 4-cylinder, gasoline plug-in hybrid');
  assert.equal(
    words('PHEV (Plug-in Hybrid Electric Vehicle)', 'Electric'),
    '2.0 L 4-cylinder, plug-in hybrid',
  );
  for (const other of ['Not Applicable', 'BEV (Battery Electric Vehicle)', null])
    assert.equal(words(other), '2.0 L 4-cylinder, gasoline');
});

test('a fact is clear without its name, which phones don’t show', () => {
  const words = facts({ ...jeep, driveType: '4x2', plant: 'JAPAN' }, null).map(([, value]) => value);
  assert.deepEqual(words.slice(1), ['Two-wheel drive', 'Four-door SUV', 'Built in Japan']);
});

test('unknown facts are left out', () => {
  const bare: Vehicle = {
    ...jeep,
    driveType: null,
    plant: null,
    engine: { displacement: null, cylinders: null, fuel: null, electrification: null, horsepower: null },
  };
  assert.deepEqual(facts(bare, null), [['Body', 'Four-door SUV']]);
  assert.deepEqual(
    facts(jeep, '8-speed automatic').map(([name]) => name),
    ['Engine', 'Drive', 'Transmission', 'Body', 'Plant'],
  );
});
