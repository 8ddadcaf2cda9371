// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasRightCheckDigit, isVin } from '../src/index.ts';
import { vpic } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');

test('a test VIN decodes without errors to the requested make, model and year', () => {
  const makes = [
    'FORD',
    'TESLA',
    'TOYOTA',
    'BMW',
    'HARLEY-DAVIDSON',
    'KIA',
    'VOLVO',
    'FREIGHTLINER',
    'AIRSTREAM',
  ];
  for (const make of makes) {
    for (const year of [1998, 2009, 2010, 2015, 2021, 2026]) {
      const vin = vpic.testVin({ make: make.toLowerCase(), year, seed: year, now });
      if (make === 'TESLA' && year < 2008) {
        assert.equal(vin, null);
        continue;
      }
      assert.ok(vin && isVin(vin) && hasRightCheckDigit(vin), `${make} ${year}: ${vin}`);
      const { codes, vehicle } = vpic.decode(vin, { now });
      assert.deepEqual([codes[0], vehicle?.make, vehicle?.year], [0, make, String(year)], vin);
    }
  }
  const vin = vpic.testVin({ make: 'Tesla', model: 'Model 3', year: 2023, now })!;
  assert.equal(vpic.decode(vin, { now }).vehicle?.model, 'Model 3');
});

test('every seed gives another test VIN, of any manufacturer', () => {
  const vins = new Set<string>();
  for (let seed = 1; seed <= 25; seed++) {
    const vin = vpic.testVin({ seed, now })!;
    assert.ok(isVin(vin) && hasRightCheckDigit(vin), String(vin));
    assert.equal(vpic.decode(vin, { now }).codes[0], 0, vin);
    vins.add(vin);
  }
  assert.equal(vins.size, 25);
});

test('the same options give the same test VIN, and another seed gives another', () => {
  const options = { wmi: '1FT', year: 2021, now };
  const vin = vpic.testVin({ ...options, seed: 7 })!;
  assert.equal(vin.slice(0, 3), '1FT');
  assert.equal(vpic.testVin({ ...options, seed: 7 }), vin);
  assert.notEqual(vpic.testVin({ ...options, seed: 8 }), vin);
  assert.equal(vpic.testVin({ wmi: '1a9gpe', now })?.slice(0, 3) ?? null, null, 'no such manufacturer');
  const small = vpic.testVin({ wmi: '1A9596', now })!;
  assert.deepEqual([small.slice(0, 3), small.slice(11, 14)], ['1A9', '596']);
});

test('a vehicle that does not exist has no test VIN', () => {
  for (const options of [
    { make: 'nobody' },
    { make: 'Tesla', model: 'F-150' },
    { make: 'Ford', year: 1901 },
    { make: 'Ford', year: 2100 },
    { wmi: 'XXX' },
    { wmi: '' },
  ])
    assert.equal(vpic.testVin({ ...options, now }), null, JSON.stringify(options));
});
