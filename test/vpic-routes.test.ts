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

test('lists have NHTSA’s shape', async () => {
  const list = async (path: string) => {
    const { Count, Results, ...rest } = await get<Record<string, unknown>>(path);
    assert.equal(Count, Results.length);
    return { ...rest, Results };
  };
  const [success, results] = ['Response returned successfully', 'Results returned successfully'];

  const cars = await list('GetMakesForVehicleType/Car');
  assert.deepEqual([cars.Message, cars.SearchCriteria], [success, 'Vehicle Type: Car']);
  assert.deepEqual(
    cars.Results.find(({ MakeName }) => MakeName === 'TESLA'),
    { MakeId: 441, MakeName: 'TESLA', VehicleTypeId: 2, VehicleTypeName: 'Passenger Car' },
  );
  const kia = await list('GetVehicleTypesForMake/kia');
  assert.equal(kia.SearchCriteria, 'Make: kia');
  assert.deepEqual(kia.Results[0], {
    MakeId: 499,
    MakeName: 'KIA',
    VehicleTypeId: 2,
    VehicleTypeName: 'Passenger Car',
  });
  const honda = await list('GetVehicleTypesForMakeId/474');
  assert.equal(honda.SearchCriteria, 'Make ID: 474');
  assert.deepEqual(honda.Results[0], { VehicleTypeId: 1, VehicleTypeName: 'Motorcycle' });

  const variables = await list('GetVehicleVariableList');
  assert.deepEqual([variables.Message, variables.SearchCriteria], [results, null]);
  assert.deepEqual(variables.Results[1], {
    DataType: 'lookup',
    Description: '',
    GroupName: 'Mechanical/Battery',
    ID: 2,
    Name: 'Battery Type',
  });
  const types = await list('GetVehicleVariableValuesList/Vehicle%20Type');
  assert.deepEqual([types.Message, types.SearchCriteria], [results, 'Variable:Vehicle Type']);
  assert.deepEqual(
    types.Results.map(({ Id }) => Id),
    [1, 2, 3, 5, 6, 7, 9, 10, 13],
  );
  assert.deepEqual((await list('GetVehicleVariableValuesList/39')).Results, types.Results);
  assert.equal((await list('GetVehicleVariableValuesList/Body%20Class')).Results.length, 71);
  assert.deepEqual((await list('GetVehicleVariableValuesList/Doors')).Results, []);

  const first = await list('GetAllManufacturers');
  assert.deepEqual([first.Results.length, first.SearchCriteria], [100, null]);
  assert.deepEqual(
    first.Results.find(({ Mfr_ID }) => Mfr_ID === 956),
    {
      Country: null,
      Mfr_CommonName: null,
      Mfr_ID: 956,
      Mfr_Name: 'ASTON MARTIN LAGONDA LIMITED',
      VehicleTypes: [
        { IsPrimary: false, Name: 'Passenger Car' },
        { IsPrimary: false, Name: 'Multipurpose Passenger Vehicle (MPV)' },
      ],
    },
  );
  const second = await list('GetAllManufacturers?page=2');
  assert.ok(Number(second.Results[0]!.Mfr_ID) > Number(first.Results.at(-1)!.Mfr_ID));
  const details = await list('GetManufacturerDetails/988');
  assert.deepEqual(Object.keys(details.Results[0]!).length, 25);
  assert.match(String(details.Results[0]!.Mfr_Name), /HONDA/);

  const makes = await list('GetMakeForManufacturer/988');
  assert.deepEqual([makes.Message, makes.SearchCriteria], [results, 'Manufacturer:988']);
  assert.deepEqual(makes.Results.map(({ Make_Name }) => Make_Name).slice(0, 2), ['HONDA', 'ACURA']);
  const ofYear = await list('GetMakesForManufacturerAndYear/988?year=2021');
  assert.equal(ofYear.SearchCriteria, 'Manufacturer : 988, Year: 2021');
  assert.deepEqual(Object.keys(ofYear.Results[0]!), ['MakeId', 'MakeName', 'MfrId', 'MfrName']);

  const wmis = await list('GetWMIsForManufacturer/Honda?vehicleType=car');
  assert.equal(wmis.SearchCriteria, 'Manufacturer: Honda | VehicleType: car');
  assert.deepEqual(
    wmis.Results.find(({ WMI }) => WMI === 'JHM'),
    {
      Country: null,
      CreatedOn: null,
      DateAvailableToPublic: '2015-01-01',
      Id: 987,
      Name: 'HONDA MOTOR CO., LTD.',
      UpdatedOn: null,
      VehicleType: 'Passenger Car',
      WMI: 'JHM',
    },
  );
  assert.ok((await list('GetWMIsForManufacturer?vehicleType=mpv')).Results.length > 200);
});

test('results come as XML or CSV on request', async () => {
  const xml = await service.get(`${BASE}/GetVehicleTypesForMakeId/441?format=xml`);
  assert.equal(xml.headers.get('content-type'), 'application/xml; charset=utf-8');
  assert.match(
    await xml.text(),
    /^<\?xml version="1\.0" encoding="utf-8"\?><Response [^>]+><Count>\d<\/Count><Message>Response returned successfully<\/Message><SearchCriteria>Make ID: 441<\/SearchCriteria><Results><VehicleTypesForMakeIds><VehicleTypeId>2<\/VehicleTypeId><VehicleTypeName>Passenger Car<\/VehicleTypeName><\/VehicleTypesForMakeIds>/,
  );
  const csv = await service.get(`${BASE}/GetVehicleTypesForMake/volkswagen?format=csv`);
  assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.deepEqual((await csv.text()).split('\r\n').slice(0, 3), [
    'makeid,makename,vehicletypeid,vehicletypename',
    '482,VOLKSWAGEN,2,Passenger Car',
    '482,VOLKSWAGEN,3,Truck',
  ]);
  const quoted = await service.get(`${BASE}/GetMakeForManufacturer/955?format=csv`);
  assert.equal(await quoted.text(), 'make_id,make_name,mfr_name\r\n441,TESLA,"TESLA, INC."\r\n');
  const none = await service.get(`${BASE}/GetMakeForManufacturer/no%20such%20name?format=csv`);
  assert.equal(await none.text(), 'make_id,make_name,mfr_name\r\n');
  const decoded = await service.get(`${BASE}/DecodeVinValues/${VIN}?format=csv`);
  assert.equal((await decoded.text()).split('\r\n')[0]!.split(',').length, 154);
});

test('what a request contains is neither markup nor a formula in its response', async () => {
  const xml = await service.get(`${BASE}/GetMakesForVehicleType/%3Cb%3E%01?format=xml`);
  assert.match(await xml.text(), /<SearchCriteria>Vehicle Type: &lt;b&gt;<\/SearchCriteria>/);
  const csv = await service.get(`${BASE}/DecodeVinValues/=1+1?format=csv`);
  assert.match(await csv.text(), /,'=1\+1,/);
});

test('an operation that NHTSA has and we don’t is a 404 with the reason', async () => {
  const response = await service.get(`${BASE}/getparts?type=565&format=json`);
  const problem = (await response.json()) as { reason: string; detail: string };
  assert.deepEqual([response.status, problem.reason], [404, 'not-found']);
  assert.match(problem.detail, /^GetParts isn't available here\. NHTSA doesn't publish /);
});

test('a batch is answered whatever the conditions of its request', async () => {
  const response = await service.get(`${BASE}/DecodeVINValuesBatch`, {
    method: 'POST',
    headers: { 'if-none-match': '*' },
    body: new URLSearchParams({ data: '1FTMW1T88MFA00001' }),
  });
  assert.equal(response.status, 200);
});
