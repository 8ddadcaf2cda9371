import type { DecodeOptions, Model } from '@monroney/vin';
import { quoted } from './request.ts';
import { LIST_OPERATIONS } from './vpic-lists.ts';
import {
  badYear,
  yearOf,
  type Parts,
  type PathValues,
  type VpicCall,
  type VpicData,
  type VpicOperation,
} from './vpic-operation.ts';
import { EXAMPLE_VIN, MODEL_YEAR, VpicBatchForm } from './vpic-schemas.ts';

/** The operations of NHTSA's API that decode, and the lists of makes and models. `vpic.ts` routes and sends them. */

/** The largest batch that NHTSA accepts. */
const MAX_VPIC_BATCH_VINS = 50;

function decode(
  name: string,
  summary: string,
  results: 'VpicVariables' | 'VpicVehicles',
  respond: (vpic: VpicData, vin: string, options: DecodeOptions) => unknown[],
): VpicOperation {
  const isFlat = results === 'VpicVehicles';
  const shape = isFlat
    ? 'one object with a key for every variable.'
    : 'one result for every variable, with its ID.';
  return {
    name,
    path: '{vin}',
    summary,
    description: `The same as NHTSA's API: ${shape} Partial VINs are accepted, with * for unknown characters. NHTSA's internal NCSA fields are always empty. The example is shortened.`,
    parameters: [MODEL_YEAR],
    results,
    criteria: ({ vin = '' }) => `${isFlat ? 'VIN(s): ' : 'VIN:'}${vin.trim()}`,
    respond({ path: { vin = '' }, query, vpic }) {
      const year = query.get('modelyear');
      const modelYear = yearOf(year);
      if (Number.isNaN(modelYear)) return badYear('"modelyear"', year!);
      return respond(vpic, vinOf(vin), { modelYear });
    },
  };
}

/** A list of models. `id` differs from the name where an operation has several paths. */
const modelList = (path: string, summary: string, name: string, id = name): VpicOperation => ({
  name,
  id,
  path,
  summary,
  description:
    'Models by id. With a year, only models that have VIN patterns for that year. With a vehicle type, its id and name are included.',
  results: 'VpicModels',
  criteria: modelCriteria,
  respond: models,
});

export const VPIC_OPERATIONS: readonly VpicOperation[] = [
  decode('DecodeVin', 'Decode a VIN to a list', 'VpicVariables', (vpic, vin, options) =>
    vpic.variables(vin, options),
  ),
  decode('DecodeVinExtended', 'Decode a VIN to a longer list', 'VpicVariables', (vpic, vin, options) =>
    vpic.variables(vin, { ...options, extended: true }),
  ),
  decode('DecodeVinValues', 'Decode a VIN to one object', 'VpicVehicles', (vpic, vin, options) => [
    vpic.values(vin, options),
  ]),
  decode(
    'DecodeVinValuesExtended',
    'Decode a VIN to one object, extended',
    'VpicVehicles',
    (vpic, vin, options) => [vpic.values(vin, options)],
  ),
  {
    name: 'DecodeVINValuesBatch',
    id: 'DecodeVinValuesBatch',
    path: '',
    summary: 'Decode several VINs as NHTSA does',
    description: `Decodes up to ${MAX_VPIC_BATCH_VINS} VINs, each to one object, in the order sent. It counts as one request.`,
    body: {
      description: 'The VINs as a form.',
      type: 'application/x-www-form-urlencoded',
      schema: VpicBatchForm,
      example: { data: `${EXAMPLE_VIN},2021;5UXWX7C5*BA`, format: 'json' },
    },
    results: 'VpicVehicles',
    criteria: () => '',
    respond: decodeBatch,
  },
  {
    name: 'DecodeWMI',
    id: 'DecodeWmi',
    path: '{wmi}',
    summary: 'Decode a manufacturer identifier',
    description:
      "The manufacturer behind a world manufacturer identifier of three or six characters. Company names, URLs and dates aren't in the data, so those fields are empty.",
    results: 'VpicManufacturers',
    criteria: ({ wmi = '' }) => `WMI:${wmi.trim()}`,
    respond: ({ path: { wmi = '' }, vpic }) => wmiResults(vpic, wmi),
  },
  {
    name: 'GetAllMakes',
    path: '',
    summary: 'List all makes',
    description: "All makes in NHTSA's data, by name.",
    results: 'VpicMakes',
    criteria: () => null,
    respond: ({ vpic }) => inParts(vpic.makes(), ({ id, name }) => ({ Make_ID: id, Make_Name: name })),
  },
  modelList('{make}', 'List the models of a make', 'GetModelsForMake'),
  modelList('{makeid}', 'List the models of a make by id', 'GetModelsForMakeId'),
  modelList(
    'make/{make}/modelyear/{modelyear}',
    'List the models of a make and year',
    'GetModelsForMakeYear',
  ),
  modelList(
    'make/{make}/modelyear/{modelyear}/vehicletype/{vehicletype}',
    'List models of a make, year and type',
    'GetModelsForMakeYear',
    'GetModelsForMakeYearType',
  ),
  modelList(
    'makeId/{makeid}/modelyear/{modelyear}',
    'List the models of a make id and year',
    'GetModelsForMakeIdYear',
  ),
  modelList(
    'makeId/{makeid}/modelyear/{modelyear}/vehicletype/{vehicletype}',
    'List models of a make id, year and type',
    'GetModelsForMakeIdYear',
    'GetModelsForMakeIdYearType',
  ),
  modelList(
    'make/{make}/vehicletype/{vehicletype}',
    'List the models of a make and type',
    'GetModelsForMakeYear',
    'GetModelsForMakeType',
  ),
  modelList(
    'makeId/{makeid}/vehicletype/{vehicletype}',
    'List the models of a make id and type',
    'GetModelsForMakeIdYear',
    'GetModelsForMakeIdType',
  ),
  ...LIST_OPERATIONS,
];

const ROWS_PER_PART = 200;

/** The rows of a list that is in memory. */
function inParts<T>(rows: readonly T[], resultOf: (row: T) => unknown): Parts {
  const starts = Array.from({ length: Math.ceil(rows.length / ROWS_PER_PART) }, (_, n) => n * ROWS_PER_PART);
  return starts.values().map((start) => rows.slice(start, start + ROWS_PER_PART).map(resultOf));
}

/** NHTSA reads 17 characters and ignores the rest. */
const vinOf = (text: string): string => text.trim().toUpperCase().slice(0, 17);

function decodeBatch({ query, vpic }: VpicCall): Parts | string {
  const entries = (query.get('data') ?? '')
    .split(/[;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0)
    return 'Send the VINs in the form field "data" (application/x-www-form-urlencoded), such as data=VIN,year;VIN,year.';
  if (entries.length > MAX_VPIC_BATCH_VINS)
    return `A batch may have at most ${MAX_VPIC_BATCH_VINS} VINs, got ${entries.length}.`;
  return entries.values().map((entry) => {
    const [vin = '', year] = entry.split(',');
    const modelYear = yearOf(year);
    return [vpic.values(vinOf(vin), { modelYear: Number.isNaN(modelYear) ? undefined : modelYear })];
  });
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

function modelCriteria({ make, makeid, modelyear, vehicletype }: PathValues): string {
  return [
    make === undefined ? `MakeId:${makeid}` : `Make:${make.trim()}`,
    ...(modelyear === undefined ? [] : [`ModelYear:${modelyear}`]),
    ...(vehicletype === undefined ? [] : [`VehicleType:${vehicletype.trim()}`]),
  ].join(' | ');
}

function models({ path, vpic }: VpicCall): Parts | string {
  const { make, makeid = '', modelyear, vehicletype: vehicleType } = path;
  const year = yearOf(modelyear);
  if (modelyear !== undefined && (year === undefined || Number.isNaN(year)))
    return badYear('The model year', modelyear);
  if (make === undefined && !/^\d{1,9}$/.test(makeid))
    return `A make id must be a number, got ${quoted(makeid)}. GetAllMakes lists them.`;
  const parts = vpic.modelsInParts(make ?? Number(makeid), { year, vehicleType });
  return Iterator.from(parts).map((part) => part.map(modelResult));
}

const modelResult = ({ id, name, make, vehicleType }: Model) => ({
  Make_ID: make.id,
  Make_Name: make.name,
  Model_ID: id,
  Model_Name: name,
  ...(vehicleType ? { VehicleTypeId: vehicleType.id, VehicleTypeName: vehicleType.name } : {}),
});
