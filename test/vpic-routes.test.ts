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
  const { Results: models } = await get('GetModelsForMakeYear/make/tesla/modelyear/2020');
  assert.ok(models.length > 0);
  assert.deepEqual((await get('getmodelsformakeyear/MAKE/tesla/modelYear/2020')).Results, models);
  const response = await service.get(`${BASE}/decodevinvaluesbatch`, {
    method: 'POST',
    body: new URLSearchParams({ DATA: `${VIN},2020`, Format: 'JSON' }),
  });
  assert.deepEqual(((await response.json()) as Envelope).Results, expected.Results);
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

test('a batch is answered whatever the conditions of its request', async () => {
  const response = await service.get(`${BASE}/DecodeVINValuesBatch`, {
    method: 'POST',
    headers: { 'if-none-match': '*' },
    body: new URLSearchParams({ data: '1FTMW1T88MFA00001' }),
  });
  assert.equal(response.status, 200);
});
