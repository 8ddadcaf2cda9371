import type { MaybePromise } from '../lib/maybe-promise.ts';
import { asciiJson, type ApiRequest, type ApiResponse, headOf } from './response.ts';
import { etagOf } from './headers.ts';
import { conditionalResponse } from './conditional.ts';
import { parameters, quoted, withoutBrokenEscapes } from './request.ts';
import type { ApiRoute, HttpContext } from './context.ts';
import { problem } from './problems.ts';
import { VPIC_OPERATIONS, type Envelope, type VpicCall, type VpicOperation } from './vpic-operations.ts';

/**
 * NHTSA's own API under `/vpic/api/vehicles/`, served from the data we ship. Names, parameters and the JSON envelope are
 * the same, so a program can switch by changing the host.
 */

export const VPIC_UNKNOWN = '/vpic/*';
const BASE = '/vpic/api/vehicles/';
/** Longer than any make name or VIN. */
const MAX_SEGMENT_CHARACTERS = 100;
/** The parameters that change a response. */
const PARAMETERS = ['modelyear', 'format'];
/** More than any operation has. A form of 64 KB can have 30,000, which would take 30 ms. */
const MAX_PARAMETERS = 100;
/** Each takes about 100 ms, of which it uses half. */
const MAX_WAITING_LISTS = 40;
const LISTS_RETRY_SECONDS = 5;
const CACHE_CONTROL = 'public, max-age=86400';

/** One row per path of an operation. */
const ROUTES = VPIC_OPERATIONS.flatMap((operation) =>
  operation.paths.map((path) => ({
    operation,
    segments: path === '' ? [] : path.split('/'),
    template: `${BASE}${operation.name}${path === '' ? '' : `/${path}`}`,
  })),
);

export const VPIC_TEMPLATES: readonly string[] = ROUTES.map(({ template }) => template);

/** At the root of its API, NHTSA has a page about it. */
const aboutRoute: ApiRoute = {
  template: '/vpic/api/vehicles/',
  method: 'GET',
  segment: undefined,
  handle: (_, { headerSets }) => ({
    status: 307,
    head:
      headerSets.crossOrigin +
      headOf('Location', '/docs/nhtsa-api', 'Cache-Control', CACHE_CONTROL, 'Content-Length', '0'),
    body: null,
  }),
};

/** The operation of a path under `/vpic/`. Like NHTSA, we ignore case. */
export function vpicRoute(path: string): ApiRoute | undefined {
  if (/^\/vpic\/(api(\/(vehicles\/?)?)?)?$/i.test(path)) return aboutRoute;
  if (path.slice(0, BASE.length).toLowerCase() !== BASE) return undefined;
  const [name = '', ...given] = path.slice(BASE.length).replace(/\/$/, '').split('/');
  const route = ROUTES.find(
    ({ operation, segments }) =>
      operation.name.toLowerCase() === name.toLowerCase() &&
      segments.length === given.length &&
      segments.every(
        (segment, index) => isVariable(segment) || segment.toLowerCase() === given[index]!.toLowerCase(),
      ),
  );
  if (!route) return undefined;
  const { operation, template, segments } = route;
  const values = given.filter((_, index) => isVariable(segments[index]!));
  return {
    template,
    method: operation.method,
    segment: segments[0] === '{vin}' ? values[0] : undefined,
    handle: (request, context) => handle(request, operation, values, context),
  };
}

const isVariable = (segment: string): boolean => segment.startsWith('{');

function handle(
  request: ApiRequest,
  operation: VpicOperation,
  values: string[],
  context: HttpContext,
): MaybePromise<ApiResponse> {
  const path = values.map(decoded).filter((value) => value !== null);
  if (path.length < values.length) return badRequest(context, 'The percent-encoding in the URL is invalid.');
  if (path.some((value) => value === '' || value.length > MAX_SEGMENT_CHARACTERS))
    return badRequest(context, `Every part of the path must have 1 to ${MAX_SEGMENT_CHARACTERS} characters.`);
  const query = new Map<string, string>();
  addParameters(query, request.query);
  const repeated = PARAMETERS.find((name) => parameters(request.query, name).length > 1);
  if (repeated) return badRequest(context, `"${repeated}" appears more than once in the URL. Send it once.`);
  if (operation.isList) return sendList(request, operation, { path, query }, context);
  if (operation.method === 'GET') return send(request, operation, { path, query }, context);
  return request.body!().then(async (body) => {
    if (body === null) return badRequest(context, 'The body is too large.');
    await context.turn();
    addParameters(query, body);
    return send(request, operation, { path, query }, context);
  });
}

function send(
  request: ApiRequest,
  operation: VpicOperation,
  call: Omit<VpicCall, 'vpic'>,
  context: HttpContext,
): ApiResponse {
  const envelope = envelopeOf(operation, call, context);
  if (typeof envelope === 'string') return badRequest(context, envelope);
  return sendEnvelope(request, operation, envelope, context);
}

/** Lists wait for each other, so that they delay nothing else. */
async function sendList(
  request: ApiRequest,
  operation: VpicOperation,
  call: Omit<VpicCall, 'vpic'>,
  context: HttpContext,
): Promise<ApiResponse> {
  const { lists } = context;
  if (lists.waiting() >= MAX_WAITING_LISTS) {
    const detail = `Too many lists were requested at once. Try again in ${LISTS_RETRY_SECONDS} seconds.`;
    return problem(context, { reason: 'busy', detail, retryAfter: LISTS_RETRY_SECONDS });
  }
  await lists.next();
  const envelope = envelopeOf(operation, call, context);
  if (typeof envelope === 'string') return badRequest(context, envelope);
  await lists.nextOfSame();
  return sendEnvelope(request, operation, envelope, context);
}

/** The result, or what is wrong with the request. */
function envelopeOf(
  operation: VpicOperation,
  call: Omit<VpicCall, 'vpic'>,
  context: HttpContext,
): Envelope | string {
  const format = call.query.get('format') || 'json';
  if (format.toLowerCase() !== 'json') {
    return `"format" must be json, got ${quoted(format)}. XML and CSV aren't supported.`;
  }
  return operation.respond({ ...call, vpic: context.vpic });
}

function sendEnvelope(
  request: ApiRequest,
  operation: VpicOperation,
  { message, criteria, results }: Envelope,
  context: HttpContext,
): ApiResponse {
  const body = asciiJson({
    Count: results.length,
    Message: message,
    SearchCriteria: criteria,
    Results: results,
  });
  const etag = etagOf(body);
  const control = operation.method === 'GET' ? CACHE_CONTROL : 'no-store';
  const unchanged = () => context.headerSets.notModified(etag, control, null);
  return (
    conditionalResponse(request, { etag, modified: null, unchanged }, context) ?? {
      status: 200,
      head: context.headerSets.json(body, etag, control),
      body,
    }
  );
}

const badRequest = (context: HttpContext, detail: string): ApiResponse =>
  problem(context, { reason: 'bad-parameter', detail });

/** Ignores the case of names, and whatever follows the first hundred. Of several with one name, the first is used. */
function addParameters(into: Map<string, string>, text: string): void {
  const first = text.split('&', MAX_PARAMETERS).join('&');
  for (const [name, value] of new URLSearchParams(withoutBrokenEscapes(first))) {
    const key = name.toLowerCase();
    if (!into.has(key)) into.set(key, value);
  }
}

/** Decodes twice if necessary: some clients of NHTSA's server encode twice, and no VIN or make has a percent sign. */
function decoded(text: string): string | null {
  try {
    const once = decodeURIComponent(text);
    return /%[0-9a-f]{2}/i.test(once) ? decodeURIComponent(once) : once;
  } catch {
    return null;
  }
}
