import type { Manufacturer } from '@monroney/vin';
import { z } from 'zod';
import type { JsonObject } from './operation.ts';

/** NHTSA's responses and path parameters, as OpenAPI describes them. */

const text = (description: string) => z.string().meta({ description });
const nullable = (description: string) => z.string().nullable().meta({ description });
const id = (description: string) => z.int32().meta({ description });

const VpicVariable = z
  .object({
    Value: nullable('The value, as text.'),
    ValueId: nullable("ID in NHTSA's lookup table, if there is one."),
    Variable: text('The name of the variable.'),
    VariableId: id('Its id.'),
  })
  .meta({ description: 'One variable of a decoded VIN.' });

const VpicVehicle = z
  .object({
    VIN: text('The VIN as you sent it.'),
    Make: text('The make.'),
    ErrorCode: text("NHTSA's error codes, separated by commas; 0 if there are none."),
  })
  .catchall(z.string())
  .meta({ description: 'A decoded VIN: a key for every variable; unknown values are empty.' });

const VpicManufacturer = z
  .object({
    CommonName: text('Empty.'),
    CreatedOn: nullable('Null.'),
    DateAvailableToPublic: text('The date when NHTSA published the identifier.'),
    Make: text('Its makes, separated by commas.'),
    ManufacturerName: text('The manufacturer.'),
    ParentCompanyName: text('Empty.'),
    URL: text('Empty.'),
    UpdatedOn: nullable('Null.'),
    VehicleType: nullable('The vehicle type.'),
  })
  .meta({ description: 'The manufacturer behind an identifier.' });

const VpicMake = z
  .object({ Make_ID: id('ID of the make.'), Make_Name: text('Its name in upper case.') })
  .meta({ description: 'A make.' });

const VpicModel = z
  .object({
    Make_ID: id('ID of the make.'),
    Make_Name: text('Name of the make.'),
    Model_ID: id('ID of the model.'),
    Model_Name: text('Name of the model.'),
    VehicleTypeId: id('ID of the vehicle type, if the request names one.').optional(),
    VehicleTypeName: text('Name of the vehicle type, if the request names one.').optional(),
  })
  .meta({ description: 'A model of a make.' });

const VpicMakeType = z
  .object({
    MakeId: id('ID of the make.'),
    MakeName: text('Its name in upper case.'),
    VehicleTypeId: id('ID of the vehicle type.'),
    VehicleTypeName: text('Its name.'),
  })
  .meta({ description: 'A make and a vehicle type that it has.' });

const VpicVehicleType = z
  .object({ VehicleTypeId: id('ID of the vehicle type.'), VehicleTypeName: text('Its name.') })
  .meta({ description: 'A vehicle type.' });

const VpicVariableInfo = z
  .object({
    DataType: text('`lookup` for a coded variable, else `string`, `int` or `decimal`.'),
    Description: text('Empty.'),
    GroupName: nullable('The group of the variable.'),
    ID: id('Its id.'),
    Name: text('Its name.'),
  })
  .meta({ description: 'A variable that a decode can have.' });

const VpicVariableValue = z
  .object({
    ElementName: text('The name of the variable.'),
    Id: id('ID of the value.'),
    Name: text('The value.'),
  })
  .meta({ description: 'A value of a coded variable.' });

const listed = {
  Country: nullable('Null.'),
  Mfr_CommonName: nullable('Null.'),
  Mfr_ID: id('ID of the manufacturer.'),
  Mfr_Name: text('Its name in upper case.'),
};
const isPrimary = z.boolean().meta({ description: 'False.' });

const VpicListedManufacturer = z
  .object({
    ...listed,
    VehicleTypes: z
      .array(z.object({ IsPrimary: isPrimary, Name: text('The vehicle type.') }))
      .meta({ description: 'The vehicle types of its identifiers.' }),
  })
  .meta({ description: 'A manufacturer in a list.' });

const NOT_PUBLISHED_FIRST = ['Address', 'Address2', 'City', 'ContactEmail', 'ContactFax', 'ContactPhone'];
const NOT_PUBLISHED_LAST = [
  'OtherManufacturerDetails',
  'PostalCode',
  'PrimaryProduct',
  'PrincipalFirstName',
  'PrincipalLastName',
  'PrincipalPosition',
  'StateProvince',
  'SubmittedName',
  'SubmittedOn',
  'SubmittedPosition',
];
const nulls = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, nullable('Null.')]));
const empty = z.array(z.object({ Name: text('A name.') })).meta({ description: 'Empty.' });

const VpicManufacturerDetail = z
  .object({
    ...nulls(NOT_PUBLISHED_FIRST),
    Country: listed.Country,
    DBAs: nullable('Null.'),
    EquipmentItems: empty,
    LastUpdated: nullable('Null.'),
    ManufacturerTypes: empty,
    Mfr_CommonName: listed.Mfr_CommonName,
    Mfr_ID: listed.Mfr_ID,
    Mfr_Name: listed.Mfr_Name,
    ...nulls(NOT_PUBLISHED_LAST),
    VehicleTypes: z
      .array(
        z.object({
          GVWRFrom: nullable('Null.'),
          GVWRTo: nullable('Null.'),
          IsPrimary: isPrimary,
          Name: text('The vehicle type.'),
        }),
      )
      .meta({ description: 'The vehicle types of its identifiers.' }),
  })
  .meta({ description: 'A manufacturer.' });

const VpicManufacturerMake = z
  .object({
    Make_ID: id('ID of the make.'),
    Make_Name: text('Its name in upper case.'),
    Mfr_Name: text('The manufacturer.'),
  })
  .meta({ description: 'A make of a manufacturer.' });

const VpicManufacturerMakeOfYear = z
  .object({
    MakeId: id('ID of the make.'),
    MakeName: text('Its name in upper case.'),
    MfrId: id('ID of the manufacturer.'),
    MfrName: text('The manufacturer.'),
  })
  .meta({ description: 'A make of a manufacturer in a year.' });

const VpicWmi = z
  .object({
    Country: nullable('Null.'),
    CreatedOn: nullable('Null.'),
    DateAvailableToPublic: text('The date when NHTSA published the identifier.'),
    Id: id('ID of the manufacturer.'),
    Name: text('The manufacturer.'),
    UpdatedOn: nullable('Null.'),
    VehicleType: nullable('The vehicle type.'),
    WMI: text('The identifier.'),
  })
  .meta({ description: 'An identifier of a manufacturer.' });

const envelope = <T extends z.ZodObject>(result: T, description: string) =>
  z
    .object({
      Count: id('How many results there are.'),
      Message: text("NHTSA's message about the results."),
      SearchCriteria: nullable('What was asked for.'),
      Results: z.array(result).meta({ description: 'The results.' }),
    })
    .meta({ description });

/** The name of a schema is that of its class in generated clients. */
export const VPIC_SCHEMAS = {
  VpicVariable,
  VpicVariables: envelope(VpicVariable, "A decoded VIN as a list of variables, in NHTSA's format."),
  VpicVehicle,
  VpicVehicles: envelope(VpicVehicle, "Decoded VINs, one object each, in NHTSA's format."),
  VpicManufacturer,
  VpicManufacturers: envelope(VpicManufacturer, "A manufacturer, in NHTSA's format."),
  VpicMake,
  VpicMakes: envelope(VpicMake, "All makes, in NHTSA's format."),
  VpicModel,
  VpicModels: envelope(VpicModel, "Models of a make, in NHTSA's format."),
  VpicMakeType,
  VpicMakeTypes: envelope(VpicMakeType, "Makes with their vehicle types, in NHTSA's format."),
  VpicVehicleType,
  VpicVehicleTypes: envelope(VpicVehicleType, "Vehicle types of a make, in NHTSA's format."),
  VpicVariableInfo,
  VpicVariableList: envelope(VpicVariableInfo, "The variables of a decode, in NHTSA's format."),
  VpicVariableValue,
  VpicVariableValues: envelope(VpicVariableValue, "The values of a variable, in NHTSA's format."),
  VpicListedManufacturer,
  VpicManufacturerList: envelope(VpicListedManufacturer, "Manufacturers, in NHTSA's format."),
  VpicManufacturerDetail,
  VpicManufacturerDetails: envelope(VpicManufacturerDetail, "Manufacturers in detail, in NHTSA's format."),
  VpicManufacturerMake,
  VpicManufacturerMakes: envelope(VpicManufacturerMake, "Makes of manufacturers, in NHTSA's format."),
  VpicManufacturerMakeOfYear,
  VpicManufacturerMakesOfYear: envelope(
    VpicManufacturerMakeOfYear,
    "Makes of manufacturers in a year, in NHTSA's format.",
  ),
  VpicWmi,
  VpicWmis: envelope(VpicWmi, "Identifiers of manufacturers, in NHTSA's format."),
};

/** The form of NHTSA's batch. */
export const VpicBatchForm = z
  .object({
    data: z
      .string()
      .regex(/[^;\s]/)
      .meta({ description: 'VIN,year;VIN,year and so on. The year is optional.' }),
    format: z
      .string()
      .regex(/^([jJ][sS][oO][nN])?$/)
      .optional()
      .meta({ description: 'json. Or xml or csv, as in the other operations.' }),
  })
  .meta({ description: 'The VINs as a form.' });

/** The VIN of the examples. */
export const EXAMPLE_VIN = '1FTMW1T88MFA00001';
const VEHICLE: JsonObject = {
  ErrorCode: '0',
  Make: 'FORD',
  MakeID: '460',
  Model: 'F-150',
  ModelYear: '2021',
  VIN: EXAMPLE_VIN,
};

const nullsOf = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, null]));

/** What the data has of a manufacturer. NHTSA doesn't publish the rest. */
export const manufacturerResult = ({ id, name, vehicleTypes }: NamedManufacturer) => ({
  Country: null,
  Mfr_CommonName: null,
  Mfr_ID: id,
  Mfr_Name: name,
  VehicleTypes: vehicleTypes.map((type) => ({ IsPrimary: false, Name: type.name })),
});

export const manufacturerDetails = ({ id, name, vehicleTypes }: NamedManufacturer) => ({
  ...nullsOf(NOT_PUBLISHED_FIRST),
  Country: null,
  DBAs: null,
  EquipmentItems: [],
  LastUpdated: null,
  ManufacturerTypes: [],
  Mfr_CommonName: null,
  Mfr_ID: id,
  Mfr_Name: name,
  ...nullsOf(NOT_PUBLISHED_LAST),
  VehicleTypes: vehicleTypes.map((type) => ({
    GVWRFrom: null,
    GVWRTo: null,
    IsPrimary: false,
    Name: type.name,
  })),
});

type NamedManufacturer = Pick<Manufacturer, 'id' | 'name'> & { vehicleTypes: readonly { name: string }[] };

const TESLA: NamedManufacturer = { id: 955, name: 'TESLA, INC.', vehicleTypes: [{ name: 'Passenger Car' }] };

/** One result of each kind. */
export const VPIC_EXAMPLES = {
  VpicVariables: { Value: 'FORD', ValueId: '460', Variable: 'Make', VariableId: 26 },
  VpicVehicles: VEHICLE,
  VpicManufacturers: {
    CommonName: '',
    CreatedOn: null,
    DateAvailableToPublic: '2015-01-01',
    Make: 'FORD',
    ManufacturerName: 'FORD MOTOR COMPANY',
    ParentCompanyName: '',
    URL: '',
    UpdatedOn: null,
    VehicleType: 'Truck',
  },
  VpicMakes: { Make_ID: 460, Make_Name: 'FORD' },
  VpicModels: { Make_ID: 441, Make_Name: 'TESLA', Model_ID: 1685, Model_Name: 'Model S' },
  VpicMakeTypes: { MakeId: 441, MakeName: 'TESLA', VehicleTypeId: 2, VehicleTypeName: 'Passenger Car' },
  VpicVehicleTypes: { VehicleTypeId: 2, VehicleTypeName: 'Passenger Car' },
  VpicVariableList: { DataType: 'lookup', Description: '', GroupName: 'General', ID: 26, Name: 'Make' },
  VpicVariableValues: { ElementName: 'Vehicle Type', Id: 2, Name: 'Passenger Car' },
  VpicManufacturerList: manufacturerResult(TESLA),
  VpicManufacturerDetails: manufacturerDetails(TESLA),
  VpicManufacturerMakes: { Make_ID: 441, Make_Name: 'TESLA', Mfr_Name: 'TESLA, INC.' },
  VpicManufacturerMakesOfYear: { MakeId: 441, MakeName: 'TESLA', MfrId: 955, MfrName: 'TESLA, INC.' },
  VpicWmis: {
    Country: null,
    CreatedOn: null,
    DateAvailableToPublic: '2015-01-01',
    Id: 955,
    Name: 'TESLA, INC.',
    UpdatedOn: null,
    VehicleType: 'Passenger Car',
    WMI: '5YJ',
  },
} satisfies Partial<Record<keyof typeof VPIC_SCHEMAS, JsonObject>>;

export const MAX_NAME_CHARACTERS = 100;
const NAME: JsonObject = { type: 'string', minLength: 1, maxLength: MAX_NAME_CHARACTERS };
const YEAR: JsonObject = { type: 'integer', format: 'int32', minimum: 0, maximum: 99_999 };

type PathParameter = JsonObject & { name: string; example: string | number };

const inPath = (
  name: string,
  description: string,
  example: string | number,
  schema = NAME,
): PathParameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
  example,
});

/** By their name in a path. */
export const PATH_PARAMETERS: Readonly<Record<string, PathParameter>> = {
  vin: inPath('vin', 'The VIN, or part of it, with * for unknown characters.', EXAMPLE_VIN),
  wmi: inPath('wmi', 'The identifier: three characters, or six.', '1FT'),
  make: inPath('make', 'The name of a make, or part of it.', 'tesla'),
  makeid: inPath('makeid', 'The id of a make.', 441, {
    type: 'integer',
    format: 'int32',
    minimum: 0,
    maximum: 999_999_999,
  }),
  modelyear: inPath('modelyear', 'The model year.', 2020, YEAR),
  vehicletype: inPath('vehicletype', 'Part of the name of a vehicle type.', 'car'),
  manufacturer: inPath('manufacturer', 'The id of a manufacturer, or part of its name.', 'tesla'),
  variable: inPath('variable', 'The id of a variable, or its name.', 'Vehicle Type'),
};

const inQuery = (
  name: string,
  description: string,
  schema: JsonObject,
  example: string | number,
): JsonObject => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
  example,
});

export const PAGE = inQuery(
  'page',
  'The page of the list, 1 by default.',
  { type: 'integer', format: 'int32', minimum: 1, maximum: 999_999 },
  1,
);
export const VEHICLE_TYPE = inQuery(
  'vehicleType',
  'The id of a vehicle type, or part of its name.',
  NAME,
  'car',
);
/** An empty one is as good as none. */
export const OPTIONAL_VEHICLE_TYPE: JsonObject = { ...VEHICLE_TYPE, schema: { ...NAME, minLength: 0 } };
export const MANUFACTURER_YEAR: JsonObject = {
  ...inQuery('year', 'The model year.', YEAR, 2020),
  required: true,
};

export const MODEL_YEAR = inQuery('modelyear', 'The model year, if you know it.', YEAR, 2021);

export const FORMAT = inQuery(
  'format',
  'json. Or xml or csv, whose responses are in `x-other-content`, because generated clients read JSON.',
  // In any case, and empty as some clients send it.
  { type: 'string', pattern: '^([jJ][sS][oO][nN])?$' },
  'json',
);
