// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORD, JEEP, runTool } from '../../test/fake-lookup.ts';

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

test('the engine of a hybrid is called that, with its horsepower', async () => {
  const { text } = await runTool('decode_vin', { vin: '2T3B6RFV0MW000000' });
  assert.match(text, /^Engine: 2\.5L, 4 cylinders, Gasoline, hybrid, 176 hp$/m);
  const plugIn = await runTool('decode_vin', { vin: '1C4JJXP60PW000000' });
  assert.match(plugIn.text, /^Engine: 2\.0L, 4 cylinders, plug-in hybrid, 375 hp$/m, 'NHTSA has Electric');
  const printed = await runTool('decode_vin', { vin: '4T1B61HK5JU000000' });
  assert.match(printed.text, /^Engine: .*, 206 hp$/m, 'NHTSA has 206.00');
});
