import { MAX_VPIC_BATCH_VINS } from '../../http/vpic-operations.ts';
import { API_HEADERS, apiFailures, headers, response, type Json, type JsonObject } from './components.ts';
import {
  VIN,
  object,
  string,
  integer,
  orNull,
  pathParameter,
  make,
  makeId,
  year,
  type,
  vin,
  modelYear,
  format,
  sharedParameters,
  variable,
  values,
  model,
  wmiResult,
  wmiExample,
} from './vpic-schemas.ts';

/** The operations of NHTSA's API that we can serve from the data we ship. */

const BASE = '/vpic/api/vehicles';
const DECODED = 'Results returned successfully. NOTE: …';

export function vpicPaths(): JsonObject {
  return {
    [`${BASE}/DecodeVin/{vin}`]: { get: decodeOperation('decodeVin', 'Decode a VIN to a list', false) },
    [`${BASE}/DecodeVinExtended/{vin}`]: {
      get: decodeOperation('decodeVinExtended', 'Decode a VIN to a longer list', false),
    },
    [`${BASE}/DecodeVinValues/{vin}`]: {
      get: decodeOperation('decodeVinValues', 'Decode a VIN to one object', true),
    },
    [`${BASE}/DecodeVinValuesExtended/{vin}`]: {
      get: decodeOperation('decodeVinValuesExtended', 'Decode a VIN to one object, extended', true),
    },
    [`${BASE}/DecodeVINValuesBatch`]: { post: batchOperation() },
    [`${BASE}/DecodeWMI/{wmi}`]: {
      get: getOperation({
        id: 'decodeWmi',
        summary: 'Decode a manufacturer identifier',
        description:
          "The manufacturer behind a world manufacturer identifier of three or six characters. Company names, URLs and dates aren't in the data, so those fields are empty.",
        parameters: [pathParameter('wmi', 'The identifier: three characters, or six.', '1FT')],
        result: wmiResult,
        example: wmiExample,
        criteria: 'WMI:1FT',
      }),
    },
    [`${BASE}/GetAllMakes`]: {
      get: getOperation({
        id: 'getAllMakes',
        summary: 'List all makes',
        description: "All makes in NHTSA's data, by name.",
        parameters: [],
        result: object({ Make_ID: integer('ID of the make.'), Make_Name: string('Its name in upper case.') }),
        example: { Make_ID: 460, Make_Name: 'FORD' },
        criteria: null,
      }),
    },
    [`${BASE}/GetModelsForMake/{make}`]: {
      get: modelsOperation('getModelsForMake', 'List the models of a make', [make], 'Make:tesla'),
    },
    [`${BASE}/GetModelsForMakeId/{makeid}`]: {
      get: modelsOperation('getModelsForMakeId', 'List the models of a make by id', [makeId], 'MakeId:441'),
    },
    [`${BASE}/GetModelsForMakeYear/make/{make}/modelyear/{modelyear}`]: {
      get: modelsOperation(
        'getModelsForMakeYear',
        'List the models of a make and year',
        [make, year],
        'Make:tesla | ModelYear:2020',
      ),
    },
    [`${BASE}/GetModelsForMakeYear/make/{make}/modelyear/{modelyear}/vehicletype/{vehicletype}`]: {
      get: modelsOperation(
        'getModelsForMakeYearType',
        'List models of a make, year and type',
        [make, year, type],
        'Make:tesla | ModelYear:2020 | VehicleType:car',
      ),
    },
    [`${BASE}/GetModelsForMakeIdYear/makeId/{makeid}/modelyear/{modelyear}`]: {
      get: modelsOperation(
        'getModelsForMakeIdYear',
        'List the models of a make id and year',
        [makeId, year],
        'MakeId:441 | ModelYear:2020',
      ),
    },
    [`${BASE}/GetModelsForMakeIdYear/makeId/{makeid}/modelyear/{modelyear}/vehicletype/{vehicletype}`]: {
      get: modelsOperation(
        'getModelsForMakeIdYearType',
        'List models of a make id, year and type',
        [makeId, year, type],
        'MakeId:441 | ModelYear:2020 | VehicleType:car',
      ),
    },
    [`${BASE}/GetModelsForMakeYear/make/{make}/vehicletype/{vehicletype}`]: {
      get: modelsOperation(
        'getModelsForMakeType',
        'List the models of a make and type',
        [make, type],
        'Make:tesla | VehicleType:car',
      ),
    },
    [`${BASE}/GetModelsForMakeIdYear/makeId/{makeid}/vehicletype/{vehicletype}`]: {
      get: modelsOperation(
        'getModelsForMakeIdType',
        'List the models of a make id and type',
        [makeId, type],
        'MakeId:441 | VehicleType:car',
      ),
    },
  };
}

interface OperationSpec {
  id: string;
  summary: string;
  description: string;
  parameters: Json[];
  result: JsonObject;
  example: Json;
  criteria: string | null;
  message?: string;
}

function operation(spec: OperationSpec): JsonObject {
  const { id, summary, description, parameters, result, example, criteria, message } = spec;
  return {
    operationId: id,
    tags: ['vPIC'],
    summary,
    description,
    parameters,
    responses: {
      200: {
        description: "The results in NHTSA's response format.",
        headers: headers(...API_HEADERS, 'ETag', 'Cache-Control', 'Content-Digest'),
        content: {
          'application/json': {
            schema: object({
              Count: integer('How many results there are.'),
              Message: string("NHTSA's message about the results."),
              SearchCriteria: orNull('What was asked for.'),
              Results: { type: 'array', description: 'The results.', items: result },
            }),
            example: {
              Count: 1,
              Message: message ?? 'Response returned successfully',
              SearchCriteria: criteria,
              Results: [example],
            },
          },
        },
      },
      ...apiFailures(),
    },
  };
}

function getOperation(spec: OperationSpec): JsonObject {
  const get = operation({ ...spec, parameters: [...spec.parameters, format, ...sharedParameters] });
  return { ...get, responses: { ...(get.responses as JsonObject), 304: response('NotModified') } };
}

function decodeOperation(id: string, summary: string, isFlat: boolean): JsonObject {
  const shape = isFlat
    ? 'one object with a key for every variable.'
    : 'one result for every variable, with its ID.';
  return getOperation({
    id,
    summary,
    description: `The same as NHTSA's API: ${shape} Partial VINs are accepted, with * for unknown characters. NHTSA's internal NCSA fields are always empty. The example is shortened.`,
    parameters: [vin, modelYear],
    result: isFlat ? values : variable,
    example: isFlat
      ? { ErrorCode: '0', Make: 'FORD', MakeID: '460', Model: 'F-150', ModelYear: '2021', VIN }
      : { Value: 'FORD', ValueId: '460', Variable: 'Make', VariableId: 26 },
    criteria: isFlat ? `VIN(s): ${VIN}` : `VIN:${VIN}`,
    message: DECODED,
  });
}

function batchOperation(): JsonObject {
  const post = operation({
    id: 'decodeVinValuesBatch',
    summary: 'Decode several VINs',
    description: `Decodes up to ${MAX_VPIC_BATCH_VINS} VINs, each to one object, in the order sent. It counts as one request.`,
    parameters: sharedParameters.slice(0, 2),
    result: values,
    example: { ErrorCode: '0', Make: 'FORD', MakeID: '460', Model: 'F-150', ModelYear: '2021', VIN },
    criteria: '',
    message: DECODED,
  });
  return {
    ...post,
    responses: { ...(post.responses as JsonObject), 413: response('BodyTooLarge') },
    requestBody: {
      required: true,
      description: 'The VINs as a form.',
      content: {
        'application/x-www-form-urlencoded': {
          schema: {
            type: 'object',
            required: ['data'],
            properties: {
              data: {
                ...string('VIN,year;VIN,year and so on. The year is optional.'),
                pattern: '[^;\\s]',
              },
              format: {
                type: 'string',
                pattern: '^([jJ][sS][oO][nN])?$',
                description: 'Only json is supported.',
              },
            },
          },
          example: { data: `${VIN},2021;5UXWX7C5*BA`, format: 'json' },
        },
      },
    },
  };
}

function modelsOperation(id: string, summary: string, parameters: Json[], criteria: string): JsonObject {
  return getOperation({
    id,
    summary,
    description:
      'Models by id. With a year, only models that have VIN patterns for that year. With a vehicle type, its id and name are included.',
    parameters,
    result: model,
    example: { Make_ID: 441, Make_Name: 'TESLA', Model_ID: 1685, Model_Name: 'Model S' },
    criteria,
  });
}
