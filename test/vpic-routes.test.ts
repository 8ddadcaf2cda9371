import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sample, withoutSamples } from './samples.ts';
import { serviceOfFile } from './simulated.ts';

/** Our implementation of NHTSA's vPIC API. */

const BASE = '/vpic/api/vehicles';
const VIN = '1FTMW1T88MFA00001';
const service = await serviceOfFile({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });

interface Envelope<T = Record<string, string>> {
  Count: number;
  Message: string;
  SearchCriteria: string | null;
  Results: T[];
}

interface Variable {
  Value: string | null;
  ValueId: string | null;
  Variable: string;
  VariableId: number;
}

const get = <T = Record<string, string>>(path: string) => service.json<Envelope<T>>(`${BASE}/${path}`);

test('a VIN is decoded as a list or as one object, in NHTSA’s envelope', async () => {
  const list = await get<Variable>(`DecodeVin/${VIN}?format=json`);
  assert.deepEqual(Object.keys(list), ['Count', 'Message', 'SearchCriteria', 'Results']);
  assert.equal(list.SearchCriteria, `VIN:${VIN}`);
  assert.match(list.Message, /^Results returned successfully\. NOTE: Any missing decoded values /);
  assert.equal(list.Count, list.Results.length);
  assert.deepEqual(
    list.Results.find(({ VariableId }) => VariableId === 26),
    { Value: 'FORD', ValueId: '460', Variable: 'Make', VariableId: 26 },
  );
  const extended = await get<Variable>(`DecodeVinExtended/${VIN}?format=json`);
  assert.equal(extended.Count, list.Count + 4);

  const flat = await get(`DecodeVinValues/${VIN}?format=json&modelyear=2021`);
  assert.deepEqual([flat.Count, flat.SearchCriteria], [1, `VIN(s): ${VIN}`]);
  const [values] = flat.Results;
  assert.equal(Object.keys(values!).length, 154);
  assert.deepEqual(
    [values!.Make, values!.MakeID, values!.ModelID, values!.VIN],
    ['FORD', '460', '1801', VIN],
  );
  for (const [key, value] of Object.entries(values!))
    if (key.startsWith('NCSA')) assert.equal(value, '', key);
  assert.deepEqual((await get(`DecodeVinValuesExtended/${VIN}`)).Results, flat.Results);
});

test('names of operations and parameters are case-insensitive, and a trailing slash is ignored', async () => {
  const expected = await get(`DecodeVinValues/${VIN}?format=json&modelyear=2020`);
  assert.match(expected.Results[0]!.ErrorCode!, /12/);
  assert.deepEqual(await get(`decodevinvalues/${VIN}/?FORMAT=JSON&ModelYear=2020`), expected);
  assert.deepEqual(
    (await get('getmodelsformakeyear/MAKE/tesla/modelYear/2020')).Results,
    (await get('GetModelsForMakeYear/make/tesla/modelyear/2020')).Results,
  );
});

test('partial VINs are decoded as far as possible', async () => {
  const [star] = (await get('DecodeVinValues/5UXWX7C5*BA')).Results;
  assert.deepEqual([star!.Make, star!.Model, star!.ErrorCode], ['BMW', 'X3', '6']);
  assert.equal(star!.ErrorText, '6 - Incomplete VIN');
  const [short] = (await get('DecodeVinValues/1FT')).Results;
  assert.deepEqual([short!.Make, short!.ErrorCode], ['FORD', '6,8,11']);
  const [long] = (await get(`DecodeVinValues/${VIN}123`)).Results;
  assert.deepEqual([long!.VIN, long!.ErrorCode], [VIN, '0']);
});

test('a batch accepts up to 50 VINs, with or without years', async () => {
  const post = (body: string) =>
    service.get(`${BASE}/DecodeVINValuesBatch`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
  const response = (await (await post(`DATA=${VIN},2021; 5UXWX7C5*BA ;&format=json`)).json()) as Envelope;
  assert.equal(response.Count, 2);
  assert.deepEqual(
    response.Results.map(({ Make }) => Make),
    ['FORD', 'BMW'],
  );
  assert.equal((await post(`data=${Array(50).fill(VIN).join(';')}`)).status, 200);
});

test('manufacturers, makes and models are listed', async () => {
  const wmi = await get('DecodeWMI/1FT?format=json');
  assert.deepEqual(Object.keys(wmi.Results[0]!), [
    'CommonName',
    'CreatedOn',
    'DateAvailableToPublic',
    'Make',
    'ManufacturerName',
    'ParentCompanyName',
    'URL',
    'UpdatedOn',
    'VehicleType',
  ]);
  assert.deepEqual((await get('DecodeWMI/ZZZ')).Results, []);
  const makes = await get<{ Make_ID: number; Make_Name: string }>('GetAllMakes?format=json');
  assert.ok(makes.Count > 12_000 && makes.SearchCriteria === null);
  assert.ok(makes.Results.some((row) => row.Make_ID === 441 && row.Make_Name === 'TESLA'));
  // NHTSA's own results for 2020.
  const models = await get('GetModelsForMakeYear/make/TESLA/modelyear/2020?format=json');
  assert.equal(models.SearchCriteria, 'Make:TESLA | ModelYear:2020');
  const tesla = { Make_ID: 441, Make_Name: 'TESLA' };
  assert.deepEqual(models.Results, [
    { ...tesla, Model_ID: 1685, Model_Name: 'Model S' },
    { ...tesla, Model_ID: 10199, Model_Name: 'Model X' },
    { ...tesla, Model_ID: 17834, Model_Name: 'Model 3' },
    { ...tesla, Model_ID: 27027, Model_Name: 'Model Y' },
  ]);
  const byId = await get('GetModelsForMakeIdYear/makeId/441/modelyear/2020');
  assert.deepEqual(byId.Results, models.Results);
  assert.ok((await get('GetModelsForMake/honda')).Count > 300);
  assert.ok((await get('GetModelsForMakeId/474')).Count > 300);
  const trucks = await get('GetModelsForMakeYear/make/honda/vehicleType/truck?format=json');
  assert.equal(trucks.SearchCriteria, 'Make:honda | VehicleType:truck');
  assert.ok(trucks.Results.some((row) => row.Model_Name === 'Ridgeline'));
  const byIdAndType = await get('GetModelsForMakeIdYear/makeId/474/vehicletype/truck?format=json');
  assert.deepEqual(
    byIdAndType.Results,
    trucks.Results.filter((row) => Number(row.Make_ID) === 474),
  );
  const cars = await get('GetModelsForMakeYear/make/tesla/modelyear/2020/vehicletype/car');
  assert.deepEqual(Object.keys(cars.Results[0]!).slice(4), ['VehicleTypeId', 'VehicleTypeName']);
});

const LIVE = 'samples/vpic-live.jsonl';
/** NHTSA has changed its data for these since the recording. */
const CHANGED = new Set([
  '1GYDE63A740121151',
  '1HD1BML16MY023282',
  '5YJSA3DS*EF',
  'JTDKN3DU6D0351820',
  'JTDKN3DU8D5655668',
]);

test('our results match recorded responses of the live service', { skip: withoutSamples(LIVE) }, async () => {
  const rows = readFileSync(sample(LIVE)!, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)
    .filter(({ VIN: vin }) => !CHANGED.has(vin!));
  const different: string[] = [];
  for (let start = 0; start < rows.length; start += 50) {
    const batch = rows.slice(start, start + 50);
    const response = await service.get(`${BASE}/DecodeVINValuesBatch`, {
      method: 'POST',
      body: new URLSearchParams({ data: batch.map(({ VIN: vin }) => vin).join(';'), format: 'json' }),
    });
    const { Results } = (await response.json()) as Envelope;
    for (const [index, row] of batch.entries()) {
      for (const [key, value] of Object.entries(row)) {
        // Not every text was recorded.
        if (key === 'recorded' || ((key === 'ErrorText' || key === 'SuggestedVIN') && value === '')) continue;
        // The recording omits values that don't apply, and NHTSA has since changed the case of a few names.
        const ours = Results[index]![key]!.replace(/^Not Applicable$/, '').trim();
        if (ours.toLowerCase() !== value.trim().toLowerCase())
          different.push(`${row.VIN} ${key}: ${ours} for ${value}`);
      }
    }
  }
  assert.deepEqual(different, []);
});
