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

const envelope = (result: z.ZodType, description: string) =>
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
      .meta({ description: 'Only json is supported.' }),
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
} satisfies Partial<Record<keyof typeof VPIC_SCHEMAS, JsonObject>>;

const NAME: JsonObject = { type: 'string', minLength: 1, maxLength: 100 };
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
};

export const MODEL_YEAR: JsonObject = {
  name: 'modelyear',
  in: 'query',
  required: false,
  description: 'The model year, if you know it.',
  schema: YEAR,
  example: 2021,
};

export const FORMAT: JsonObject = {
  name: 'format',
  in: 'query',
  required: false,
  description: 'Only json is supported.',
  // In any case, and empty as some clients send it.
  schema: { type: 'string', pattern: '^([jJ][sS][oO][nN])?$' },
  example: 'json',
};
