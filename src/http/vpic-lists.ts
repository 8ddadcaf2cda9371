import type { MakeOfType } from '@monroney/vin';
import { quoted } from './request.ts';
import {
  badYear,
  yearOf,
  type Parts,
  type PathValues,
  type VpicCall,
  type VpicOperation,
} from './vpic-operation.ts';
import {
  manufacturerDetails,
  manufacturerResult,
  MANUFACTURER_YEAR,
  MAX_NAME_CHARACTERS,
  OPTIONAL_VEHICLE_TYPE,
  PAGE,
  VEHICLE_TYPE,
} from './vpic-schemas.ts';

/** The operations of NHTSA's API about makes, vehicle types, manufacturers and variables. */

/** NHTSA sends manufacturers in pages. */
const MANUFACTURERS_PER_PAGE = 100;

/** A number is an id; anything else is part of a name. */
const idOrName = (text: string): string | number => (/^\s*\d{1,9}\s*$/.test(text) ? Number(text) : text);

function* mapParts<T>(parts: Iterable<T[]>, resultOf: (row: T) => unknown): Generator<unknown[]> {
  for (const part of parts) yield part.map(resultOf);
}

const makeTypeResult = ({ make, vehicleType }: MakeOfType) => ({
  MakeId: make.id,
  MakeName: make.name,
  VehicleTypeId: vehicleType.id,
  VehicleTypeName: vehicleType.name,
});

function allManufacturers({ query, vpic }: VpicCall): unknown[] | string {
  if (query.get('manufacturertype'))
    return '"ManufacturerType" can\'t be used: NHTSA doesn\'t publish the types of manufacturers. Leave it out.';
  const page = query.get('page')?.trim() || '1';
  if (!/^\d{1,6}$/.test(page) || Number(page) === 0)
    return `"page" must be a number from 1, got ${quoted(page)}.`;
  const from = (Number(page) - 1) * MANUFACTURERS_PER_PAGE;
  return vpic.lists.manufacturerPage(from, MANUFACTURERS_PER_PAGE).map(manufacturerResult);
}

function makesOfManufacturerAndYear({ path: { manufacturer = '' }, query, vpic }: VpicCall): Parts | string {
  const year = yearOf(query.get('year'));
  if (year === undefined || Number.isNaN(year)) return badYear('"year"', query.get('year') ?? '');
  return mapParts(vpic.lists.manufacturerMakes(idOrName(manufacturer), year), (row) => ({
    MakeId: row.make.id,
    MakeName: row.make.name,
    MfrId: row.manufacturer.id,
    MfrName: row.manufacturer.name,
  }));
}

const wmiCriteria = ({ manufacturer }: PathValues, query: ReadonlyMap<string, string>): string =>
  [
    ...(manufacturer === undefined ? [] : [`Manufacturer: ${manufacturer.trim()}`]),
    ...(query.get('vehicletype') ? [`VehicleType: ${query.get('vehicletype')}`] : []),
  ].join(' | ');

function wmis({ path: { manufacturer }, query, vpic }: VpicCall): Parts | string {
  const vehicleType = query.get('vehicletype');
  if (manufacturer === undefined && !vehicleType)
    return 'Name a manufacturer in the path, or a vehicle type: GetWMIsForManufacturer/honda, or GetWMIsForManufacturer?vehicleType=car.';
  if (vehicleType && vehicleType.length > MAX_NAME_CHARACTERS)
    return `"vehicleType" may have ${MAX_NAME_CHARACTERS} characters, got ${vehicleType.length}.`;
  const filter = {
    ...(manufacturer === undefined ? {} : { manufacturer: idOrName(manufacturer) }),
    ...(vehicleType ? { vehicleType: idOrName(vehicleType) } : {}),
  };
  return mapParts(vpic.lists.wmis(filter), (row) => ({
    Country: null,
    CreatedOn: null,
    DateAvailableToPublic: row.published,
    Id: row.manufacturer.id,
    Name: row.manufacturer.name,
    UpdatedOn: null,
    VehicleType: row.vehicleType?.name ?? null,
    WMI: row.wmi,
  }));
}

const wmiList = (path: string, summary: string, id: string): VpicOperation => ({
  name: 'GetWMIsForManufacturer',
  id,
  path,
  summary,
  description:
    "Manufacturer identifiers by the manufacturer's id. Countries and dates of change aren't in the data, so those fields are null.",
  parameters: [path === '' ? { ...VEHICLE_TYPE, required: true } : OPTIONAL_VEHICLE_TYPE],
  results: 'VpicWmis',
  criteria: wmiCriteria,
  respond: wmis,
});

const PUBLISHED =
  "NHTSA doesn't publish addresses, countries and types of manufacturers, so those fields are null or empty. The vehicle types are those of its identifiers.";

export const LIST_OPERATIONS: readonly VpicOperation[] = [
  {
    name: 'GetMakesForVehicleType',
    path: '{vehicletype}',
    summary: 'List the makes of a vehicle type',
    description: 'Makes by id that have an identifier for a vehicle type whose name contains the text.',
    results: 'VpicMakeTypes',
    criteria: ({ vehicletype = '' }) => `Vehicle Type: ${vehicletype.trim()}`,
    respond: ({ path: { vehicletype = '' }, vpic }) =>
      mapParts(vpic.lists.makeTypes({ vehicleType: vehicletype }), makeTypeResult),
  },
  {
    name: 'GetVehicleTypesForMake',
    path: '{make}',
    summary: 'List the vehicle types of a make',
    description: 'The vehicle types of every make whose name contains the text.',
    results: 'VpicMakeTypes',
    criteria: ({ make = '' }) => `Make: ${make.trim()}`,
    respond: ({ path: { make = '' }, vpic }) => mapParts(vpic.lists.makeTypes({ make }), makeTypeResult),
  },
  {
    name: 'GetVehicleTypesForMakeId',
    path: '{makeid}',
    summary: 'List the vehicle types of a make by id',
    description: 'The vehicle types of a make, by their ids.',
    results: 'VpicVehicleTypes',
    criteria: ({ makeid = '' }) => `Make ID: ${makeid.trim()}`,
    respond: ({ path: { makeid = '' }, vpic }) => {
      if (!/^\d{1,9}$/.test(makeid))
        return `A make id must be a number, got ${quoted(makeid)}. GetAllMakes lists them.`;
      return mapParts(vpic.lists.makeTypes({ make: Number(makeid) }), ({ vehicleType }) => ({
        VehicleTypeId: vehicleType.id,
        VehicleTypeName: vehicleType.name,
      }));
    },
  },
  {
    name: 'GetVehicleVariableList',
    path: '',
    summary: 'List the variables of a decode',
    description:
      "What a decode can tell, by id: every variable with its group and type. NHTSA's descriptions aren't in the data, so that field is empty.",
    results: 'VpicVariableList',
    criteria: () => null,
    respond: ({ vpic }) =>
      vpic.lists.variableList().map(({ id, name, group, dataType }) => ({
        DataType: dataType,
        Description: '',
        GroupName: group,
        ID: id,
        Name: name,
      })),
  },
  {
    name: 'GetVehicleVariableValuesList',
    path: '{variable}',
    summary: 'List the values of a variable',
    description:
      'The values of a coded variable (data type `lookup`) by id. Other variables have no list, so there are no results.',
    results: 'VpicVariableValues',
    criteria: ({ variable = '' }) => `Variable:${variable.trim()}`,
    respond: ({ path: { variable = '' }, vpic }) =>
      mapParts(vpic.lists.variableValues(idOrName(variable)), (row) => ({
        ElementName: row.variable,
        Id: row.id,
        Name: row.name,
      })),
  },
  {
    name: 'GetAllManufacturers',
    path: '',
    summary: 'List manufacturers',
    description: `Manufacturers by id, ${MANUFACTURERS_PER_PAGE} per page. ${PUBLISHED}`,
    parameters: [PAGE],
    results: 'VpicManufacturerList',
    criteria: () => null,
    respond: allManufacturers,
  },
  {
    name: 'GetManufacturerDetails',
    path: '{manufacturer}',
    summary: 'Find manufacturers',
    description: `The manufacturer with this id, or all whose name contains the text. ${PUBLISHED}`,
    results: 'VpicManufacturerDetails',
    criteria: () => null,
    respond: ({ path: { manufacturer = '' }, vpic }) =>
      mapParts(vpic.lists.manufacturers(idOrName(manufacturer)), manufacturerDetails),
  },
  {
    name: 'GetMakeForManufacturer',
    path: '{manufacturer}',
    summary: 'List the makes of a manufacturer',
    description: 'The makes of the manufacturer with this id, or of all whose name contains the text.',
    results: 'VpicManufacturerMakes',
    criteria: ({ manufacturer = '' }) => `Manufacturer:${manufacturer.trim()}`,
    respond: ({ path: { manufacturer = '' }, vpic }) =>
      mapParts(vpic.lists.manufacturerMakes(idOrName(manufacturer)), (row) => ({
        Make_ID: row.make.id,
        Make_Name: row.make.name,
        Mfr_Name: row.manufacturer.name,
      })),
  },
  {
    name: 'GetMakesForManufacturerAndYear',
    path: '{manufacturer}',
    summary: "List a manufacturer's makes of a year",
    description:
      'The makes of the manufacturer with this id, or of all whose name contains the text, that have VIN patterns for the year.',
    parameters: [MANUFACTURER_YEAR],
    results: 'VpicManufacturerMakesOfYear',
    criteria: ({ manufacturer = '' }, query) =>
      `Manufacturer : ${manufacturer.trim()}, Year: ${query.get('year')?.trim() ?? ''}`,
    respond: makesOfManufacturerAndYear,
  },
  wmiList('{manufacturer}', 'List the identifiers of a manufacturer', 'GetWmisForManufacturer'),
  wmiList('', 'List the identifiers for a vehicle type', 'GetWmisForVehicleType'),
];

/** NHTSA's other operations, and why we don't have them. */
export const MISSING_OPERATIONS: Readonly<Record<string, string>> = {
  GetParts: "NHTSA doesn't publish the letters of manufacturers with its vehicle data.",
  GetEquipmentPlantCodes: "NHTSA doesn't publish the codes of equipment plants with its vehicle data.",
  GetCanadianVehicleSpecifications:
    'They are data of Transport Canada, which NHTSA publishes only in its own API.',
};
