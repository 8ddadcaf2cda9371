import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { installPeers, peer, peerPython } from '../third-party.ts';
import { freshIp, startService, type Service } from '../service.ts';

/** Third-party clients of NHTSA's API with only the host changed. */

const VIN = '1FTMW1T88MFA00001';
const TESLAS = ['Model S', 'Model X', 'Model 3', 'Model Y'];
let service: Service;
before(async () => {
  installPeers();
  service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
});
after(() => service.close());

interface Envelope {
  Count: number;
  Message: string;
  SearchCriteria: string | null;
  Results: Record<string, string | number | null>[];
}
type Operation = (...args: unknown[]) => Promise<Envelope>;
type Wrapper = Record<
  | 'DecodeVin'
  | 'DecodeVinExtended'
  | 'DecodeVinValues'
  | 'DecodeVinValuesExtended'
  | 'DecodeVinValuesBatch'
  | 'DecodeWMI'
  | 'GetAllMakes'
  | 'GetModelsForMake'
  | 'GetModelsForMakeId'
  | 'GetModelsForMakeYear'
  | 'GetModelsForMakeIdYear'
  | 'GetMakesForVehicleType'
  | 'GetVehicleTypesForMake'
  | 'GetVehicleTypesForMakeId'
  | 'GetVehicleVariableList'
  | 'GetVehicleVariableValuesList'
  | 'GetAllManufacturers'
  | 'GetManufacturerDetails'
  | 'GetMakeForManufacturer'
  | 'GetMakesForManufacturerAndYear'
  | 'GetWMIsForManufacturer',
  Operation
>;

test('@shaggytools/nhtsa-api-wrapper works', async (t) => {
  // Its host is a constant, so its requests are redirected.
  const { fetch } = globalThis;
  const urls: string[] = [];
  t.mock.method(globalThis, 'fetch', (url: string, init: RequestInit = {}) => {
    assert.ok(url.startsWith('https://vpic.nhtsa.dot.gov/api/'), url);
    urls.push(url);
    const headers = new Headers(init.headers);
    headers.set('X-Forwarded-For', freshIp());
    return fetch(url.replace('https://vpic.nhtsa.dot.gov', `${service.origin}/vpic`), { ...init, headers });
  });
  const nhtsa = await peer<Wrapper>('@shaggytools/nhtsa-api-wrapper');

  const list = await nhtsa.DecodeVin(VIN, { modelYear: 2021 });
  assert.equal(list.SearchCriteria, `VIN:${VIN}`);
  assert.deepEqual(
    list.Results.find(({ VariableId }) => VariableId === 28),
    { Value: 'F-150', ValueId: '1801', Variable: 'Model', VariableId: 28 },
  );
  const extended = await nhtsa.DecodeVinExtended(VIN);
  assert.equal(extended.Count, list.Count + 4);
  for (const decode of [nhtsa.DecodeVinValues, nhtsa.DecodeVinValuesExtended]) {
    const { Count, Results } = await decode(VIN, { modelYear: 2021 });
    assert.deepEqual([Count, Results[0]!['Model'], Results[0]!['NCSAModel']], [1, 'F-150', '']);
  }
  assert.equal((await nhtsa.DecodeVinValues('5UXWX7C5*BA')).Results[0]!['Model'], 'X3');
  const batch = await nhtsa.DecodeVinValuesBatch('5UXWX7C5*BA, 2011; 5YJSA3DS*EF');
  assert.deepEqual(
    batch.Results.map(({ Make }) => Make),
    ['BMW', 'TESLA'],
  );
  assert.equal((await nhtsa.DecodeWMI('1FD')).Results[0]!['ManufacturerName'], 'FORD MOTOR COMPANY');
  assert.ok((await nhtsa.GetAllMakes()).Count > 12_000);
  assert.ok((await nhtsa.GetModelsForMake('Honda')).Count > 300);
  assert.ok((await nhtsa.GetModelsForMakeId(474)).Count > 300);
  for (const models of [
    await nhtsa.GetModelsForMakeYear({ make: 'Tesla', modelYear: 2020 }),
    await nhtsa.GetModelsForMakeIdYear({ makeId: 441, modelYear: 2020 }),
    await nhtsa.GetModelsForMakeYear({ make: 'Tesla', modelYear: 2020, vehicleType: 'Passenger Car' }),
  ]) {
    assert.deepEqual(
      models.Results.map(({ Model_Name }) => Model_Name),
      TESLAS,
    );
  }
  assert.ok((await nhtsa.GetMakesForVehicleType('Passenger Car')).Count > 150);
  assert.ok((await nhtsa.GetVehicleTypesForMake('Tesla')).Count >= 2);
  assert.ok((await nhtsa.GetVehicleTypesForMakeId(441)).Count >= 2);
  assert.ok((await nhtsa.GetVehicleVariableList()).Count > 130);
  assert.equal((await nhtsa.GetVehicleVariableValuesList('Vehicle Type')).Count, 9);
  assert.equal((await nhtsa.GetAllManufacturers({ page: 2 })).Count, 100);
  assert.equal((await nhtsa.GetManufacturerDetails(955)).Results[0]!['Mfr_Name'], 'TESLA, INC.');
  assert.equal((await nhtsa.GetMakeForManufacturer('tesla')).Results[0]!['Make_Name'], 'TESLA');
  const ofYear = await nhtsa.GetMakesForManufacturerAndYear(955, { year: 2020 });
  assert.equal(ofYear.Results[0]!['MakeName'], 'TESLA');
  const wmis = await nhtsa.GetWMIsForManufacturer({ manufacturer: 'tesla', vehicleType: 'car' });
  assert.ok(wmis.Results.some(({ WMI }) => WMI === '5YJ'));
  assert.equal(urls.length, 23);
});

test('vpic-api works', async (t) => {
  const python = peerPython();
  if (python === null) {
    assert.ok(!process.env['CI'], 'python3-venv is missing');
    return t.skip('skipped: no python3-venv');
  }
  const script = fileURLToPath(new URL('clients.py', import.meta.url));
  const { stdout } = await promisify(execFile)(python, [script, `${service.origin}/vpic/api/vehicles/`]);
  const { makes, 'all models': allModels, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
  assert.ok(Number(makes) > 12_000 && Number(allModels) > 300);
  assert.deepEqual(rest, {
    flat: 'F-150',
    extended: '',
    variables: { Value: '0', ValueId: '0', Variable: 'Error Code', VariableId: 143 },
    partial: '1,2,14,400',
    batch: ['BMW', 'TESLA'],
    wmi: 'FORD MOTOR COMPANY',
    models: TESLAS,
    'models of id': TESLAS,
    typed: ['F-150', '2021', '460', 'UNITED STATES (USA)'],
    'typed batch': ['X3', 'Model S'],
    'typed wmi': 'FORD MOTOR COMPANY',
    'typed models': TESLAS,
  });
});

test('pandas reads a list from its URL', async (t) => {
  const python = peerPython('tables');
  if (python === null) {
    assert.ok(!process.env['CI'], 'python3-venv is missing');
    return t.skip('skipped: no python3-venv');
  }
  const script = [
    'import sys, pandas as pd',
    'cars, none = (pd.read_csv(url) for url in sys.argv[1:])',
    'tesla = cars[cars.makename == "TESLA"].iloc[0]',
    'print(int(tesla.makeid), tesla.vehicletypename, len(none), *none.columns)',
  ].join('\n');
  const list = (path: string) => `${service.origin}/vpic/api/vehicles/${path}?format=csv`;
  const urls = [list('GetMakesForVehicleType/car'), list('GetMakesForVehicleType/spaceship')];
  const { stdout } = await promisify(execFile)(python, ['-c', script, ...urls]);
  assert.equal(stdout, '441 Passenger Car 0 makeid makename vehicletypeid vehicletypename\n');
});
