import type { DecodeOptions, Model, ModelFilter } from '@monroney/vin';
import { quoted } from './request.ts';
import type { HttpContext } from './context.ts';

/** The operations of NHTSA's API: their names, paths and results. `vpic.ts` routes and sends them. */

/** The largest batch that NHTSA accepts. */
export const MAX_VPIC_BATCH_VINS = 50;

const DECODE_MESSAGE =
  'Results returned successfully. NOTE: Any missing decoded values should be interpreted as NHTSA does not have data on the specific variable. Missing value should NOT be interpreted as an indication that a feature or technology is unavailable for a vehicle.';
const LIST_MESSAGE = 'Response returned successfully';
const WMI_MESSAGE = 'Results returned successfully';

type VpicData = HttpContext['vpic'];

export interface Envelope {
  message: string;
  criteria: string | null;
  results: unknown[];
}

export interface VpicCall {
  /** The values in the path, decoded. */
  path: string[];
  /** By lower-case name. */
  query: ReadonlyMap<string, string>;
  vpic: VpicData;
}

export interface VpicOperation {
  name: string;
  /** The paths after the name: `{vin}`, `make/{make}/modelyear/{modelyear}`. */
  paths: string[];
  method: 'GET' | 'POST';
  /** It selects from all makes or models, which takes up to 30 ms, and sending the result takes as long. */
  isList?: true;
  /** Returns the response, or what is wrong with the request. */
  respond(call: VpicCall): Envelope | string;
}

function decode(
  name: string,
  results: (vpic: VpicData, vin: string, options: DecodeOptions) => unknown[],
  title: string,
): VpicOperation {
  return {
    name,
    paths: ['{vin}'],
    method: 'GET',
    respond({ path: [given = ''], query, vpic }) {
      const year = query.get('modelyear');
      const modelYear = yearOf(year);
      if (Number.isNaN(modelYear)) return badYear('"modelyear"', year!);
      return {
        message: DECODE_MESSAGE,
        criteria: `${title}${given.trim()}`,
        results: results(vpic, vinOf(given), { modelYear }),
      };
    },
  };
}

export const VPIC_OPERATIONS: readonly VpicOperation[] = [
  decode('DecodeVin', (vpic, vin, options) => vpic.variables(vin, options), 'VIN:'),
  decode(
    'DecodeVinExtended',
    (vpic, vin, options) => vpic.variables(vin, { ...options, extended: true }),
    'VIN:',
  ),
  decode('DecodeVinValues', (vpic, vin, options) => [vpic.values(vin, options)], 'VIN(s): '),
  decode('DecodeVinValuesExtended', (vpic, vin, options) => [vpic.values(vin, options)], 'VIN(s): '),
  { name: 'DecodeVINValuesBatch', paths: [''], method: 'POST', respond: decodeBatch },
  {
    name: 'DecodeWMI',
    paths: ['{wmi}'],
    method: 'GET',
    respond: ({ path: [wmi = ''], vpic }) => ({
      message: WMI_MESSAGE,
      criteria: `WMI:${wmi.trim()}`,
      results: wmiResults(vpic, wmi),
    }),
  },
  {
    name: 'GetAllMakes',
    isList: true,
    paths: [''],
    method: 'GET',
    respond: ({ vpic }) => ({
      message: LIST_MESSAGE,
      criteria: null,
      results: vpic.makes().map(({ id, name }) => ({ Make_ID: id, Make_Name: name })),
    }),
  },
  {
    name: 'GetModelsForMake',
    isList: true,
    paths: ['{make}'],
    method: 'GET',
    respond: ({ path: [make = ''], vpic }) => models(vpic, `Make:${make.trim()}`, make, {}),
  },
  {
    name: 'GetModelsForMakeId',
    isList: true,
    paths: ['{makeid}'],
    method: 'GET',
    respond: ({ path: [id = ''], vpic }) => modelsOfId(vpic, id, {}),
  },
  {
    name: 'GetModelsForMakeYear',
    isList: true,
    paths: [
      'make/{make}/modelyear/{modelyear}',
      'make/{make}/modelyear/{modelyear}/vehicletype/{vehicletype}',
    ],
    method: 'GET',
    respond({ path: [make = '', year = '', vehicleType], vpic }) {
      const modelYear = yearOf(year);
      if (modelYear === undefined || Number.isNaN(modelYear)) return badYear('The model year', year);
      const criteria = `Make:${make.trim()} | ModelYear:${year}${typeCriteria(vehicleType)}`;
      return models(vpic, criteria, make, { year: modelYear, vehicleType });
    },
  },
  {
    name: 'GetModelsForMakeIdYear',
    isList: true,
    paths: [
      'makeId/{makeid}/modelyear/{modelyear}',
      'makeId/{makeid}/modelyear/{modelyear}/vehicletype/{vehicletype}',
    ],
    method: 'GET',
    respond({ path: [id = '', year = '', vehicleType], vpic }) {
      const modelYear = yearOf(year);
      if (modelYear === undefined || Number.isNaN(modelYear)) return badYear('The model year', year);
      return modelsOfId(vpic, id, { year: modelYear, vehicleType });
    },
  },
  {
    name: 'GetModelsForMakeYear',
    isList: true,
    paths: ['make/{make}/vehicletype/{vehicletype}'],
    method: 'GET',
    respond: ({ path: [make = '', vehicleType = ''], vpic }) =>
      models(vpic, `Make:${make.trim()}${typeCriteria(vehicleType)}`, make, { vehicleType }),
  },
  {
    name: 'GetModelsForMakeIdYear',
    isList: true,
    paths: ['makeId/{makeid}/vehicletype/{vehicletype}'],
    method: 'GET',
    respond: ({ path: [id = '', vehicleType], vpic }) => modelsOfId(vpic, id, { vehicleType }),
  },
];

/** Undefined if there is none, NaN if it is invalid. */
function yearOf(text: string | undefined): number | undefined {
  const given = text?.trim();
  if (!given) return undefined;
  return /^\d{1,5}$/.test(given) ? Number(given) : NaN;
}

const badYear = (name: string, given: string): string =>
  `${name} must be a year such as 2021, got ${quoted(given)}.`;

/** NHTSA reads 17 characters and ignores the rest. */
const vinOf = (text: string): string => text.trim().toUpperCase().slice(0, 17);

function decodeBatch({ query, vpic }: VpicCall): Envelope | string {
  const entries = (query.get('data') ?? '')
    .split(/[;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0)
    return 'Send the VINs in the form field "data" (application/x-www-form-urlencoded), such as data=VIN,year;VIN,year.';
  if (entries.length > MAX_VPIC_BATCH_VINS)
    return `A batch may have at most ${MAX_VPIC_BATCH_VINS} VINs, got ${entries.length}.`;
  return {
    message: DECODE_MESSAGE,
    criteria: '',
    results: entries.map((entry) => {
      const [vin = '', year] = entry.split(',');
      const modelYear = yearOf(year);
      return vpic.values(vinOf(vin), { modelYear: Number.isNaN(modelYear) ? undefined : modelYear });
    }),
  };
}

/** The data we ship has no common names, websites or change dates. */
function wmiResults(vpic: VpicData, wmi: string): unknown[] {
  const known = vpic.wmi(wmi);
  if (!known) return [];
  return [
    {
      CommonName: '',
      CreatedOn: null,
      DateAvailableToPublic: known.published,
      Make: known.makes.map(({ name }) => name).join(', '),
      ManufacturerName: known.manufacturer,
      ParentCompanyName: '',
      URL: '',
      UpdatedOn: null,
      VehicleType: known.vehicleType,
    },
  ];
}

const typeCriteria = (vehicleType: string | undefined): string =>
  vehicleType === undefined ? '' : ` | VehicleType:${vehicleType.trim()}`;

function modelsOfId(vpic: VpicData, id: string, filter: ModelFilter): Envelope | string {
  if (!/^\d{1,9}$/.test(id)) return `A make id must be a number, got ${quoted(id)}. GetAllMakes lists them.`;
  const year = filter.year === undefined ? '' : ` | ModelYear:${filter.year}`;
  return models(vpic, `MakeId:${id}${year}${typeCriteria(filter.vehicleType)}`, Number(id), filter);
}

function models(vpic: VpicData, criteria: string, make: string | number, filter: ModelFilter): Envelope {
  return { message: LIST_MESSAGE, criteria, results: vpic.models(make, filter).map(modelResult) };
}

const modelResult = ({ id, name, make, vehicleType }: Model) => ({
  Make_ID: make.id,
  Make_Name: make.name,
  Model_ID: id,
  Model_Name: name,
  ...(vehicleType ? { VehicleTypeId: vehicleType.id, VehicleTypeName: vehicleType.name } : {}),
});
