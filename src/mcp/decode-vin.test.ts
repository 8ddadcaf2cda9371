import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertVinErrors, FORD, fakeLookup, JEEP, runTool } from '../../test/fake-lookup.ts';

test('a VIN is decoded without a lookup', async () => {
  const fake = fakeLookup();
  const { text, data } = await runTool('decode_vin', { vin: FORD }, fake);
  assert.deepEqual([data.vin, data.codes, data.warning, data.suggested], [FORD, [0], null, null]);
  const { make, model, year } = data.vehicle as { make: string; model: string; year: string };
  assert.deepEqual([year, make, model], ['2026', 'FORD', 'Explorer']);
  assert.match(text, /^2026 Ford Explorer.*\n(?:.*\n)*Built in: /);
  assert.match(text, /\nThe VIN doesn't tell: .*\nThe VIN is valid: its check digit is right\.$/);
  assert.deepEqual(fake.calls, []);
});

test('a wrong check digit is a warning, and nothing else is decoded instead', async () => {
  const { text, data } = await runTool('decode_vin', { vin: FORD.replace('X', '5') });
  assert.deepEqual(data.codes, [1]);
  assert.match(String(data.warning), /check digit/);
  assert.ok(text.includes(`Warning: ${String(data.warning)}`));
  assert.doesNotMatch(text, /is valid/);
});

test('the VIN is found in the URL of a listing, unless there are several', async () => {
  for (const vin of [
    `https://www.dealer.example/new/2026-ford-explorer-${FORD.toLowerCase()}/?utm_source=x`,
    `https://cars.example/vehicledetail/?listing=77&vin=${FORD}#photos`,
    `2026 Ford Explorer, VIN ${FORD}, clean title`,
  ])
    assert.equal((await runTool('decode_vin', { vin })).data.vin, FORD, vin);
  const several = await runTool('decode_vin', { vin: `https://cars.example/compare/${FORD}/${JEEP}` });
  assert.equal(several.text, `This text contains several VINs: ${FORD} and ${JEEP}. Give one.`);
  const none = await runTool('decode_vin', { vin: 'https://cars.example/vehicledetail/1234567' });
  assert.match(none.text, /^A VIN has 17 characters/);
});

test('bad input is a tool error', () => assertVinErrors('decode_vin'));
