import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBundled } from './load.ts';

test('with a clock behind the data, VINs are decoded for the month of the data', (t) => {
  const vpic = loadBundled();
  const dataDate = new Date(vpic.month);
  t.mock.timers.enable({ apis: ['Date'], now: 0 });
  const vin = '1FTEW2LP1TKE90000';
  assert.deepEqual(vpic.decode(vin), vpic.decode(vin, { now: dataDate }));
  assert.equal(vpic.decode(vin).vehicle?.make, 'FORD');
  assert.deepEqual(vpic.decodeFull(vin), vpic.decodeFull(vin, { now: dataDate }));
  assert.equal(vpic.decode(vin, { now: new Date(0) }).vehicle, null, 'an explicit date is used unchanged');
});
