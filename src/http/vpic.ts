import type { ServerResponse } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { conditionalJson } from './representation.ts';
import { etagOf, etagOfLarge, type HeaderFields } from './response.ts';
import type { Row } from './route.ts';
import type { HttpContext, DescribedRoute } from './operation.ts';
import type { Answer, ProblemOptions } from './problems.ts';
import { disconnectionOf, parameters, quoted, withoutBrokenEscapes } from './request.ts';
import { formatOf } from './vpic-formats.ts';
import { MISSING_OPERATIONS } from './vpic-lists.ts';
import { columnsOf, descriptionOf, envelopeOf, xmlElementOf, type VpicOperation } from './vpic-operation.ts';
import { VPIC_OPERATIONS } from './vpic-operations.ts';

/**
 * NHTSA's own API under `/vpic/api/vehicles/`, served from the data we ship. Names, parameters and formats are
 * the same, so a program can switch by changing the host.
 */

const BASE = '/vpic/api/vehicles/';
/** Longer than any make name or VIN. */
const MAX_SEGMENT_CHARACTERS = 100;
/** The parameters that change a response. */
const PARAMETERS = ['modelyear', 'format', 'page', 'vehicletype', 'manufacturertype', 'year'];
/** More than any operation has. A form of 64 KB can have 30,000, which would take 30 ms. */
const MAX_PARAMETERS = 100;
const CACHE_CONTROL = 'public, max-age=86400';

const ROUTES = VPIC_OPERATIONS.map((operation) => ({
  operation,
  segments: operation.path === '' ? [] : operation.path.split('/'),
  template: `${BASE}${operation.name}${operation.path === '' ? '' : `/${operation.path}`}`,
}));

export const VPIC_ROUTES: readonly DescribedRoute[] = ROUTES.map(({ template, operation }) => ({
  template,
  operations: { [operation.body ? 'post' : 'get']: descriptionOf(operation) },
}));

/** Finds the operation of a path under `/vpic/`. Like NHTSA, we ignore case. */
export function vpicRows(context: HttpContext): (path: string) => Row | undefined {
  /** At the root of its API, NHTSA has a page about it. */
  const about: Row = {
    template: BASE,
    handle: () => ({
      status: 307,
      headers: {
        ...context.headerSets.crossOrigin,
        location: '/docs/nhtsa-api',
        'cache-control': CACHE_CONTROL,
      },
      body: null,
    }),
  };

  return (path) => {
    if (/^\/vpic\/(api(\/(vehicles\/?)?)?)?$/i.test(path)) return about;
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
    if (!route) return missing(name);
    const { operation, template, segments } = route;
    const values = segments.flatMap((segment, index) =>
      isVariable(segment) ? [[segment.slice(1, -1), given[index]!] as const] : [],
    );
    return {
      template,
      methods: [operation.body ? 'POST' : 'GET'],
      vinOf: () => (segments[0] === '{vin}' ? given[0] : undefined),
      handle: (request, res) => handle(request, res, operation, values, context),
    };
  };
}

/** An operation that NHTSA has and we don't. */
function missing(given: string): Row | undefined {
  const found = Object.entries(MISSING_OPERATIONS).find(
    ([name]) => name.toLowerCase() === given.toLowerCase(),
  );
  if (!found) return undefined;
  const [name, reason] = found;
  const detail = `${name} isn't available here. ${reason} /docs/nhtsa-api lists the NHTSA operations we support.`;
  return { template: `${BASE}${name}`, handle: () => ({ reason: 'not-found', detail }) };
}

const isVariable = (segment: string): boolean => segment.startsWith('{');

async function handle(
  request: FastifyRequest,
  res: ServerResponse,
  operation: VpicOperation,
  values: readonly (readonly [name: string, text: string])[],
  context: HttpContext,
): Promise<Answer> {
  const path: Record<string, string> = {};
  for (const [name, text] of values) {
    const value = decoded(text);
    if (value === null) return badRequest('The percent-encoding in the URL is invalid.');
    if (value === '' || value.length > MAX_SEGMENT_CHARACTERS)
      return badRequest(`Every part of the path must have 1 to ${MAX_SEGMENT_CHARACTERS} characters.`);
    path[name] = value;
  }
  const query = new Map<string, string>();
  addParameters(query, request.queryText);
  const repeated = PARAMETERS.find((name) => parameters(request.queryText, name).length > 1);
  if (repeated) return badRequest(`"${repeated}" appears more than once in the URL. Send it once.`);
  if (operation.body) addParameters(query, (request.body as string | undefined) ?? '');
  const name = query.get('format') || 'json';
  const format = formatOf(name);
  if (!format) return badRequest(`"format" must be json, xml or csv, got ${quoted(name)}.`);
  const results = operation.respond({ path, query, vpic: context.vpic });
  if (typeof results === 'string') return badRequest(results);
  let count = 0;
  let columns = columnsOf(operation);
  const element = xmlElementOf(operation);
  const textOf = (part: readonly unknown[]): string => {
    // A decode has more keys than its schema names.
    if (count === 0 && part.length > 0) columns = Object.keys(part[0] as object);
    count += part.length;
    return format.rows(part, element, columns);
  };
  const texts = Array.isArray(results)
    ? [textOf(results)]
    : await context.longWork.map(request.client, results, textOf, disconnectionOf(res));
  const body = format.body(envelopeOf(operation, { path, query }, count), texts, columns);
  const etag = Array.isArray(results) ? etagOf(body) : await etagOfLarge(body);
  const cacheControl = operation.body ? 'no-store' : CACHE_CONTROL;
  const more: HeaderFields = format.type.startsWith('text/csv')
    ? { 'content-disposition': `attachment; filename="${operation.name}.csv"` }
    : {};
  return conditionalJson(request, body, cacheControl, context.headerSets, { etag, type: format.type, more });
}

const badRequest = (detail: string): ProblemOptions => ({ reason: 'bad-parameter', detail });

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
