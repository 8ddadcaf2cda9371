import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { sample, withoutSamples } from './samples.ts';
import { freshIp, startService, type Service } from './service.ts';

/** Our implementation of NHTSA's vPIC API. */

const BASE = '/vpic/api/vehicles';
const VIN = '1FTMW1T88MFA00001';
let service: Service;
before(async () => {
  service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
});
after(() => service.close());

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
  const post = (body: string, query = '') =>
    service.get(`${BASE}/DecodeVINValuesBatch${query}`, {
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
  for (const [body, message] of [
    ['', /Send the VINs in the form field "data"/],
    [`data=${Array(51).fill(VIN).join(';')}`, /at most 50 VINs, got 51/],
    [`data=${VIN}&format=xml`, /"format" must be json, got "xml"/],
  ] as const) {
    const response = await post(body);
    assert.equal(response.status, 400);
    assert.match(((await response.json()) as { detail: string }).detail, message);
  }
  assert.equal((await post(`data=${'A'.repeat(70_000)}`)).status, 413);
  assert.equal((await post(`data=${VIN}`, '?format=csv')).status, 400);
  const wrong = await service.get(`${BASE}/DecodeVINValuesBatch`);
  assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'POST, OPTIONS']);
  const preflight = await service.get(`${BASE}/DecodeVINValuesBatch`, { method: 'OPTIONS' });
  assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /POST/);
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

test('an invalid request gets a problem document that says why', async () => {
  for (const [path, status, message] of [
    [`DecodeVin/${VIN}?format=xml`, 400, /"format" must be json, got "xml"/],
    [`DecodeVin/${VIN}?modelyear=soon`, 400, /"modelyear" must be a year such as 2021, got "soon"/],
    ['DecodeVin/%E0%A4%A', 400, /percent-encoding/],
    [`DecodeVin/${'A'.repeat(200)}`, 400, /1 to 100 characters/],
    ['GetModelsForMakeId/tesla', 400, /got "tesla". GetAllMakes/],
    ['GetModelsForMakeYear/make/tesla/modelyear/soon', 400, /such as 2021, got "soon"/],
    ['GetParts?type=565', 404, /no operation/],
    ['DecodeVin', 404, /no operation/],
  ] as const) {
    const response = await service.get(`${BASE}/${path}`);
    assert.equal(response.status, status, path);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.match(((await response.json()) as { detail: string }).detail, message);
  }
});

test('these routes share the API’s rate limit and are logged by template', async () => {
  const headers = { 'X-Forwarded-For': freshIp(), 'X-Contact': 'fleet.example' };
  const paths = [`/api/v1/vin/${VIN}?sticker=false`, `${BASE}/decodevin/${VIN}`];
  for (let i = 0; i < 10; i++) assert.equal((await service.get(paths[i % 2]!, { headers })).status, 200);
  const blocked = await service.get(`${BASE}/GetAllMakes`, { headers });
  assert.equal(blocked.status, 429);
  assert.match(blocked.headers.get('ratelimit') ?? '', /r=0/);
  const line = service.logs.find((row) => row.includes('/DecodeVin/{vin}'));
  assert.ok(line && !line.includes(VIN));
});

test('a matching ETag gets a 304', async () => {
  const first = await service.get(`${BASE}/GetAllMakes`);
  assert.equal(first.headers.get('cache-control'), 'public, max-age=86400');
  const tag = first.headers.get('etag')!;
  assert.equal((await service.get(`${BASE}/GetAllMakes`, { headers: { 'If-None-Match': tag } })).status, 304);
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
