import type { DecodeOptions, Model, ModelFilter } from '@monroney/vin';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import { asciiJson, type ApiRequest, type ApiResponse } from './response.ts';
import { headOf } from './head.ts';
import { etagOf } from './headers.ts';
import { conditionalResponse } from './conditional-response.ts';
import { parameters, quoted } from './params.ts';
import type { HttpContext } from './context.ts';
import { problem } from './problems.ts';

/**
 * NHTSA's own API under `/vpic/api/vehicles/`, answered from the data we ship: its names in any case, its parameters,
 * its envelope. A program moves here by changing the host.
 */

export const VPIC_UNKNOWN = '/vpic/*';
const BASE = '/vpic/api/vehicles/';
/** What NHTSA takes in one batch. */
export const MOST_IN_BATCH = 50;
/** More than any make, and far more than any VIN. */
const LONGEST = 100;
/** The parameters that change a response. */
const READ = ['modelyear', 'format'];
const KEPT = 'public, max-age=86400';

const DECODED =
  'Results returned successfully. NOTE: Any missing decoded values should be interpreted as NHTSA does not have data on the specific variable. Missing value should NOT be interpreted as an indication that a feature or technology is unavailable for a vehicle.';
const LISTED = 'Response returned successfully';
const FOUND = 'Results returned successfully';

type VpicData = HttpContext['vpic'];

interface Envelope {
  message: string;
  criteria: string | null;
  results: unknown[];
}

/** What an operation is given: the parts of its path, decoded, and its parameters by lower-case name. */
interface Call {
  path: string[];
  query: ReadonlyMap<string, string>;
  vpic: VpicData;
}

interface VpicOperation {
  name: string;
  /** What follows the name: `{vin}`, or words such as `make/{make}/modelyear/{modelyear}`. */
  forms: string[];
  method: 'GET' | 'POST';
  respond(call: Call): Envelope | string;
}

function decode(
  name: string,
  results: (vpic: VpicData, vin: string, options: DecodeOptions) => unknown[],
  title: string,
): VpicOperation {
  return {
    name,
    forms: ['{vin}'],
    method: 'GET',
    respond({ path: [given = ''], query, vpic }) {
      const year = query.get('modelyear');
      const modelYear = yearOf(year);
      if (Number.isNaN(modelYear)) return badYear('"modelyear"', year!);
      return {
        message: DECODED,
        criteria: `${title}${given.trim()}`,
        results: results(vpic, vinOf(given), { modelYear }),
      };
    },
  };
}

const OPERATIONS: readonly VpicOperation[] = [
  decode('DecodeVin', (vpic, vin, options) => vpic.variables(vin, options), 'VIN:'),
  decode(
    'DecodeVinExtended',
    (vpic, vin, options) => vpic.variables(vin, { ...options, extended: true }),
    'VIN:',
  ),
  decode('DecodeVinValues', (vpic, vin, options) => [vpic.values(vin, options)], 'VIN(s): '),
  decode('DecodeVinValuesExtended', (vpic, vin, options) => [vpic.values(vin, options)], 'VIN(s): '),
  { name: 'DecodeVINValuesBatch', forms: [''], method: 'POST', respond: decodeBatch },
  {
    name: 'DecodeWMI',
    forms: ['{wmi}'],
    method: 'GET',
    respond: ({ path: [wmi = ''], vpic }) => ({
      message: FOUND,
      criteria: `WMI:${wmi.trim()}`,
      results: wmiResults(vpic, wmi),
    }),
  },
  {
    name: 'GetAllMakes',
    forms: [''],
    method: 'GET',
    respond: ({ vpic }) => ({
      message: LISTED,
      criteria: null,
      results: vpic.makes().map(({ id, name }) => ({ Make_ID: id, Make_Name: name })),
    }),
  },
  {
    name: 'GetModelsForMake',
    forms: ['{make}'],
    method: 'GET',
    respond: ({ path: [make = ''], vpic }) => models(vpic, `Make:${make.trim()}`, make, {}),
  },
  {
    name: 'GetModelsForMakeId',
    forms: ['{makeid}'],
    method: 'GET',
    respond: ({ path: [id = ''], vpic }) => modelsOfId(vpic, id, {}),
  },
  {
    name: 'GetModelsForMakeYear',
    forms: [
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
    forms: [
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
    forms: ['make/{make}/vehicletype/{vehicletype}'],
    method: 'GET',
    respond: ({ path: [make = '', vehicleType = ''], vpic }) =>
      models(vpic, `Make:${make.trim()}${typeCriteria(vehicleType)}`, make, { vehicleType }),
  },
  {
    name: 'GetModelsForMakeIdYear',
    forms: ['makeId/{makeid}/vehicletype/{vehicletype}'],
    method: 'GET',
    respond: ({ path: [id = '', vehicleType], vpic }) => modelsOfId(vpic, id, { vehicleType }),
  },
];

/** Undefined where none is given, NaN where it cannot be one. */
function yearOf(text: string | undefined): number | undefined {
  const given = text?.trim();
  if (!given) return undefined;
  return /^\d{1,5}$/.test(given) ? Number(given) : NaN;
}

const badYear = (name: string, given: string): string =>
  `${name} must be a year such as 2021, got ${quoted(given)}.`;

/** NHTSA reads seventeen characters and ignores what follows. */
const vinOf = (text: string): string => text.trim().toUpperCase().slice(0, 17);

function decodeBatch({ query, vpic }: Call): Envelope | string {
  const entries = (query.get('data') ?? '')
    .split(/[;\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0)
    return 'Send the VINs in the form field "data" (application/x-www-form-urlencoded), such as data=VIN,year;VIN,year.';
  if (entries.length > MOST_IN_BATCH)
    return `A batch may have at most ${MOST_IN_BATCH} VINs, got ${entries.length}.`;
  return {
    message: DECODED,
    criteria: '',
    results: entries.map((entry) => {
      const [vin = '', year] = entry.split(',');
      const modelYear = yearOf(year);
      return vpic.values(vinOf(vin), { modelYear: Number.isNaN(modelYear) ? undefined : modelYear });
    }),
  };
}

/** Names and addresses of companies and the days of changes are not in the data we ship. */
function wmiResults(vpic: VpicData, wmi: string): unknown[] {
  const found = vpic.wmi(wmi);
  if (!found) return [];
  return [
    {
      CommonName: '',
      CreatedOn: null,
      DateAvailableToPublic: found.published,
      Make: found.makes.map(({ name }) => name).join(', '),
      ManufacturerName: found.manufacturer,
      ParentCompanyName: '',
      URL: '',
      UpdatedOn: null,
      VehicleType: found.vehicleType,
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
  return { message: LISTED, criteria, results: vpic.models(make, filter).map(modelResult) };
}

const modelResult = ({ id, name, make, vehicleType }: Model) => ({
  Make_ID: make.id,
  Make_Name: make.name,
  Model_ID: id,
  Model_Name: name,
  ...(vehicleType ? { VehicleTypeId: vehicleType.id, VehicleTypeName: vehicleType.name } : {}),
});

/** One form of an operation: where its words stand, and where its values. */
const ROUTES = OPERATIONS.flatMap((operation) =>
  operation.forms.map((form) => ({
    operation,
    words: form === '' ? [] : form.split('/'),
    template: `${BASE}${operation.name}${form === '' ? '' : `/${form}`}`,
  })),
);

export const VPIC_TEMPLATES: readonly string[] = ROUTES.map(({ template }) => template);

export interface VpicRoute {
  template: string;
  method: 'GET' | 'POST';
  /** The VIN, where there is one. */
  segment: string | undefined;
  handle(request: ApiRequest, context: HttpContext): MaybePromise<ApiResponse>;
}

/** NHTSA has a page about its API where the API begins. */
const aboutRoute: VpicRoute = {
  template: '/vpic/api/vehicles/',
  method: 'GET',
  segment: undefined,
  handle: (_, { headerSets }) => ({
    status: 307,
    head:
      headerSets.open + headOf('Location', '/docs/nhtsa-api', 'Cache-Control', KEPT, 'Content-Length', '0'),
    body: null,
  }),
};

/** The operation of a path under `/vpic/`; its words in any case, as NHTSA takes them. */
export function vpicRoute(path: string): VpicRoute | undefined {
  if (/^\/vpic\/(api(\/(vehicles\/?)?)?)?$/i.test(path)) return aboutRoute;
  if (path.slice(0, BASE.length).toLowerCase() !== BASE) return undefined;
  const [name = '', ...given] = path.slice(BASE.length).replace(/\/$/, '').split('/');
  const route = ROUTES.find(
    ({ operation, words }) =>
      operation.name.toLowerCase() === name.toLowerCase() &&
      words.length === given.length &&
      words.every((word, at) => word.startsWith('{') || word.toLowerCase() === given[at]!.toLowerCase()),
  );
  if (!route) return undefined;
  const values = given.filter((_, at) => route.words[at]!.startsWith('{'));
  const { operation, template, words } = route;
  return {
    template,
    method: operation.method,
    segment: words[0] === '{vin}' ? values[0] : undefined,
    handle: (request, context) => handle(request, operation, values, context),
  };
}

function handle(
  request: ApiRequest,
  operation: VpicOperation,
  values: string[],
  context: HttpContext,
): MaybePromise<ApiResponse> {
  const path = values.map(decoded);
  if (path.some((part) => part === null)) return bad(context, 'The percent-encoding in the URL is invalid.');
  if (path.some((part) => part === '' || part!.length > LONGEST))
    return bad(context, `Every part of the path must have 1 to ${LONGEST} characters.`);
  const parts = path as string[];
  const query = new Map<string, string>();
  addParameters(query, request.query);
  const twice = READ.find((name) => parameters(request.query, name).length > 1);
  if (twice) return bad(context, `"${twice}" appears more than once in the URL. Send it once.`);
  if (operation.method === 'GET') return send(request, operation, { path: parts, query }, context);
  return request.body!().then((body) => {
    if (body === null) return bad(context, 'The body is too large.');
    addParameters(query, body);
    return send(request, operation, { path: parts, query }, context);
  });
}

function send(
  request: ApiRequest,
  operation: VpicOperation,
  { path, query }: Omit<Call, 'vpic'>,
  context: HttpContext,
): ApiResponse {
  const format = query.get('format') || 'json';
  if (format.toLowerCase() !== 'json') {
    const detail = `"format" must be json, got ${quoted(format)}. XML and CSV aren't supported.`;
    return bad(context, detail);
  }
  const envelope = operation.respond({ path, query, vpic: context.vpic });
  if (typeof envelope === 'string') return bad(context, envelope);
  const { message, criteria, results } = envelope;
  const body = asciiJson({
    Count: results.length,
    Message: message,
    SearchCriteria: criteria,
    Results: results,
  });
  const etag = etagOf(body);
  const control = operation.method === 'GET' ? KEPT : 'no-store';
  const unchanged = () => context.headerSets.notModified(etag, control, null);
  return (
    conditionalResponse(request, { etag, modified: null, unchanged }, context) ?? {
      status: 200,
      head: context.headerSets.json(body, etag, control),
      body,
    }
  );
}

const bad = (context: HttpContext, detail: string): ApiResponse =>
  problem(context, { reason: 'bad-parameter', detail });

/** Names count in any case; of several with one name, the first. */
function addParameters(into: Map<string, string>, text: string): void {
  for (const [name, value] of new URLSearchParams(text)) {
    const key = name.toLowerCase();
    if (!into.has(key)) into.set(key, value);
  }
}

/** Twice, where it takes that: clients of NHTSA's server encode twice, and no VIN or make has a percent sign. */
function decoded(text: string): string | null {
  try {
    const once = decodeURIComponent(text);
    return /%[0-9a-f]{2}/i.test(once) ? decodeURIComponent(once) : once;
  } catch {
    return null;
  }
}
