import {
  type HttpContext,
  CACHE_HEADERS,
  CONTACT_PARAMETERS,
  type JsonObject,
  type Operation,
} from './operation.ts';
import { JSON_TYPE } from './response.ts';
import { quoted } from './request.ts';
import type { Envelope } from './vpic-formats.ts';
import { FORMAT, PATH_PARAMETERS, VPIC_EXAMPLES, VPIC_SCHEMAS } from './vpic-schemas.ts';

/** What an operation of NHTSA's API is, and how OpenAPI describes it. */

const DECODE_MESSAGE =
  'Results returned successfully. NOTE: Any missing decoded values should be interpreted as NHTSA does not have data on the specific variable. Missing value should NOT be interpreted as an indication that a feature or technology is unavailable for a vehicle.';
const RESULTS_MESSAGE = 'Results returned successfully';
const LIST_MESSAGE = 'Response returned successfully';

type Results = keyof typeof VPIC_EXAMPLES;

const MESSAGES: Readonly<Record<Results, string>> = {
  VpicVariables: DECODE_MESSAGE,
  VpicVehicles: DECODE_MESSAGE,
  VpicManufacturers: RESULTS_MESSAGE,
  VpicMakes: LIST_MESSAGE,
  VpicModels: LIST_MESSAGE,
  VpicMakeTypes: LIST_MESSAGE,
  VpicVehicleTypes: LIST_MESSAGE,
  VpicVariableList: RESULTS_MESSAGE,
  VpicVariableValues: RESULTS_MESSAGE,
  VpicManufacturerList: LIST_MESSAGE,
  VpicManufacturerDetails: LIST_MESSAGE,
  VpicManufacturerMakes: RESULTS_MESSAGE,
  VpicManufacturerMakesOfYear: LIST_MESSAGE,
  VpicWmis: LIST_MESSAGE,
};

export type VpicData = HttpContext['vpic'];

/** The values in a path, decoded, by their names in the template. */
export type PathValues = Readonly<Record<string, string>>;

export interface VpicCall {
  path: PathValues;
  /** By lower-case name. */
  query: ReadonlyMap<string, string>;
  vpic: VpicData;
}

export interface VpicOperation extends Pick<Operation, 'summary' | 'description' | 'body'> {
  name: string;
  /** Its id in OpenAPI after `vpic`, which keeps it apart from our own; by default its name. */
  id?: string;
  /** The path after the name: `{vin}`, `make/{make}/modelyear/{modelyear}`. */
  path: string;
  /** Of the query, apart from `format`. */
  parameters?: readonly JsonObject[];
  results: Results;
  /** What was asked for, as NHTSA repeats it. */
  criteria(path: PathValues, query: ReadonlyMap<string, string>): string | null;
  /**
   * Returns the results, or what is wrong with the request. Those of a list or batch come in parts, none of which takes more
   * than a millisecond: all together would delay other requests (`inParts`).
   */
  respond(call: VpicCall): unknown[] | Parts | string;
}

/** Results in parts, which may be empty. Each is made when it is read. */
export type Parts = IteratorObject<readonly unknown[]>;

/** The name of a result in NHTSA's XML. */
const XML_ELEMENTS: Readonly<Record<Results, string>> = {
  VpicVariables: 'DecodedVariable',
  VpicVehicles: 'DecodedVINValues',
  VpicManufacturers: 'DecodedWMI',
  VpicMakes: 'AllVehicleMakes',
  VpicModels: 'MakeModels',
  VpicMakeTypes: 'MakeVehicleTypes',
  VpicVehicleTypes: 'VehicleTypesForMakeIds',
  VpicVariableList: 'VehicleVariables',
  VpicVariableValues: 'VehicleVariableValues',
  VpicManufacturerList: 'Manufacturers',
  VpicManufacturerDetails: 'ManufacturerDetails',
  VpicManufacturerMakes: 'ManufacturerMakes',
  VpicManufacturerMakesOfYear: 'ManufacturerMakes',
  VpicWmis: 'ManufacturerWMIs',
};

export const xmlElementOf = ({ results }: VpicOperation): string => XML_ELEMENTS[results];

/** The fields of its results, for a table without rows. */
export const columnsOf = ({ results }: VpicOperation): string[] =>
  Object.keys(VPIC_SCHEMAS[results].shape.Results.element.shape);

/** Everything in NHTSA's response format except the results, which come last. */
export const envelopeOf = (
  { results, criteria }: VpicOperation,
  { path, query }: Pick<VpicCall, 'path' | 'query'>,
  count: number,
): Envelope => ({
  Count: count,
  Message: MESSAGES[results],
  SearchCriteria: criteria(path, query),
});

/** How OpenAPI describes it. */
export function descriptionOf(row: VpicOperation): Operation {
  const { id = row.name, summary, description, parameters = [], body, results } = row;
  const inPath = Array.from(row.path.matchAll(/\{(\w+)\}/g), ([, name]) => PATH_PARAMETERS[name!]!);
  const values = Object.fromEntries(inPath.map(({ name, example }) => [name, String(example)]));
  const inQuery = parameters.map(({ name, example }): [string, string] => [
    (name as string).toLowerCase(),
    String(example as string | number),
  ]);
  const envelope = envelopeOf(row, { path: values, query: new Map(inQuery) }, 1);
  const Message = envelope.Message.replace(/NOTE: .*/, 'NOTE: …');
  const example = { ...envelope, Message, Results: [VPIC_EXAMPLES[results]] };
  const ok = {
    description: "The results in NHTSA's response format.",
    headers: CACHE_HEADERS,
    content: { [JSON_TYPE]: { schema: VPIC_SCHEMAS[results], example } },
    otherContent: { 'application/xml': { schema: 'text' as const }, 'text/csv': { schema: 'text' as const } },
  };
  return {
    id: `vpic${id}`,
    tag: 'vPIC',
    summary,
    description,
    parameters: [...inPath, ...parameters, ...(body ? [] : [FORMAT]), ...CONTACT_PARAMETERS],
    ...(body ? { body } : {}),
    responses: { 200: ok },
  };
}

/** Undefined if there is none, NaN if it is invalid. */
export function yearOf(text: string | undefined): number | undefined {
  const given = text?.trim();
  if (!given) return undefined;
  return /^\d{1,5}$/.test(given) ? Number(given) : NaN;
}

export const badYear = (name: string, given: string): string =>
  `${name} must be a year such as 2021, got ${quoted(given)}.`;
