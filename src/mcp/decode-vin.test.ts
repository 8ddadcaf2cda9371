import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertVinErrors, FORD, fakeLookup, runTool } from '../../test/fake-lookup.ts';

test('a VIN is decoded without a lookup', async () => {
  const fake = fakeLookup();
  const { text, data } = await runTool('decode_vin', { vin: FORD }, fake);
  assert.deepEqual([data.vin, data.codes, data.warning, data.suggested], [FORD, [0], null, null]);
  const { make, model, year } = data.vehicle as { make: string; model: string; year: string };
  assert.deepEqual([year, make, model], ['2026', 'FORD', 'Explorer']);
  assert.match(text, /^2026 Ford Explorer.*\n(?:.*\n)*Built in: /);
  assert.deepEqual(fake.calls, []);
});

test('a wrong check digit is a warning, and nothing else is decoded instead', async () => {
  const { text, data } = await runTool('decode_vin', { vin: FORD.replace('X', '5') });
  assert.deepEqual(data.codes, [1]);
  assert.match(String(data.warning), /check digit/);
  assert.ok(text.includes(`Warning: ${String(data.warning)}`));
});

test('bad input is a tool error', () => assertVinErrors('decode_vin'));
