import { parameters, type Json, type JsonObject } from './components.ts';

/** Parameters and results of NHTSA's API. */

/** The VIN of the examples. */
export const VIN = '1FTMW1T88MFA00001';

export const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
export const string = (description: string): JsonObject => ({ type: 'string', description });
export const integer = (description: string): JsonObject => ({ type: 'integer', description });
export const orNull = (description: string): JsonObject => ({ type: ['string', 'null'], description });

export const pathParameter = (name: string, description: string, example: Json): JsonObject => ({
  name,
  in: 'path',
  required: true,
  description,
  schema: { type: 'string', minLength: 1, maxLength: 100 },
  example,
});
export const make = pathParameter('make', 'The name of a make, or part of it.', 'tesla');
export const makeId: JsonObject = {
  ...pathParameter('makeid', 'The id of a make.', 441),
  schema: { type: 'integer', minimum: 0, maximum: 999_999_999 },
};
const YEAR: JsonObject = { type: 'integer', minimum: 0, maximum: 99_999 };
export const year: JsonObject = { ...pathParameter('modelyear', 'The model year.', 2020), schema: YEAR };
export const type = pathParameter('vehicletype', 'Part of the name of a vehicle type.', 'car');
export const vin: JsonObject = {
  ...pathParameter('vin', 'The VIN, or part of it, with * for unknown characters.', VIN),
};
export const modelYear: JsonObject = {
  name: 'modelyear',
  in: 'query',
  required: false,
  description: 'The model year, if you know it.',
  schema: YEAR,
  example: 2021,
};
export const format: JsonObject = {
  name: 'format',
  in: 'query',
  required: false,
  description: 'Only json is supported.',
  // In any case, and empty as some clients send it.
  schema: { type: 'string', pattern: '^([jJ][sS][oO][nN])?$' },
  example: 'json',
};
export const sharedParameters = parameters('Contact', 'XContact', 'IfNoneMatch');

export const variable = object({
  Value: orNull('The value, as text.'),
  ValueId: orNull("ID in NHTSA's lookup table, if there is one."),
  Variable: string('The name of the variable.'),
  VariableId: integer('Its id.'),
});
export const values: JsonObject = {
  type: 'object',
  description: 'A key for every variable; unknown values are empty.',
  required: ['VIN', 'Make', 'ErrorCode'],
  properties: {
    VIN: string('The VIN as you sent it.'),
    Make: string('The make.'),
    ErrorCode: string("NHTSA's error codes, separated by commas; 0 if there are none."),
  },
  additionalProperties: { type: 'string' },
};

export const model = object({
  Make_ID: integer('ID of the make.'),
  Make_Name: string('Name of the make.'),
  Model_ID: integer('ID of the model.'),
  Model_Name: string('Name of the model.'),
});

export const wmiResult = object({
  CommonName: string('Empty.'),
  CreatedOn: orNull('Null.'),
  DateAvailableToPublic: string('The date when NHTSA published the identifier.'),
  Make: string('Its makes, separated by commas.'),
  ManufacturerName: string('The manufacturer.'),
  ParentCompanyName: string('Empty.'),
  URL: string('Empty.'),
  UpdatedOn: orNull('Null.'),
  VehicleType: orNull('The vehicle type.'),
});
export const wmiExample: JsonObject = {
  CommonName: '',
  CreatedOn: null,
  DateAvailableToPublic: '2015-01-01',
  Make: 'FORD',
  ManufacturerName: 'FORD MOTOR COMPANY',
  ParentCompanyName: '',
  URL: '',
  UpdatedOn: null,
  VehicleType: 'Truck',
};
