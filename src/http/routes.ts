import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createFailureLog } from '../lib/log.ts';
import { DECODE_ROUTE } from './batch.ts';
import { createResponseCache } from './cache.ts';
import { LABEL_ROUTE, PREVIEW_ROUTE } from './label.ts';
import type { ApiDependencies, ApiRoute, DescribedRoute, HttpContext } from './operation.ts';
import type { Answer } from './problems.ts';
import { preferredWaitSeconds, vinIn, vinSegment } from './request.ts';
import type { HeaderFields } from './response.ts';
import { isOf, type Route } from './route.ts';
import { ERROR_ROUTE, HEALTH_ROUTE, READINESS_ROUTE } from './service-routes.ts';
import { STICKER_ROUTE, VIN_ROUTE } from './vin.ts';
import { VPIC_ROUTES, vpicRows } from './vpic.ts';

/** The routes of the API, each with its description and its handler. NHTSA's own routes are in `vpic.ts`. */
const ROUTES: readonly ApiRoute[] = [VIN_ROUTE, STICKER_ROUTE, LABEL_ROUTE, PREVIEW_ROUTE, DECODE_ROUTE];
const PROBES: readonly ApiRoute[] = [HEALTH_ROUTE, READINESS_ROUTE];

/** Every route of the API, for the OpenAPI document. */
export const API_ROUTES: readonly DescribedRoute[] = [...ROUTES, ERROR_ROUTE, ...PROBES, ...VPIC_ROUTES];
export const TEMPLATES: readonly string[] = API_ROUTES.map(({ template }) => template);

/** Serves `/api/`, `/vpic/` and the health checks. */
export function serveApi(app: FastifyInstance, dependencies: ApiDependencies): void {
  const { baseUrl, headerSets, drain } = app;
  const context: HttpContext = {
    ...dependencies,
    baseUrl,
    headerSets,
    drain,
    cache: createResponseCache({ ...dependencies, headerSets }),
    reportReadiness: createFailureLog(dependencies.log, 'not ready', 'ready again'),
  };
  const serve = (route: Omit<Route, 'limit' | 'isCrossOrigin'>, limit: Route['limit'] = 'api') =>
    app.serve({ limit, isCrossOrigin: true, ...route });

  for (const { template, operations, limit, handle } of [...ROUTES, ...PROBES]) {
    const aboutVin = template.includes('{vin}');
    const methods = [operations.post ? 'POST' : 'GET'] as const;
    serve(
      {
        template,
        methods,
        ...(aboutVin ? { vinOf: vinSegment } : {}),
        handle: (request, res) => {
          const answer = handle(request, context, res);
          const isPlain =
            !aboutVin || (request.headers.prefer === undefined && !LOWER_CASE.test(vinSegment(request)));
          return isPlain ? answer : annotated(answer, request, template, context);
        },
      },
      limit,
    );
  }
  serve({
    template: '/api/*',
    methods: ['*'],
    handle: (request) => notFound(request, '/openapi.json lists all operations.'),
  });
  serve({
    template: '/vpic/*',
    methods: ['*'],
    find: vpicRows(context),
    handle: (request) => notFound(request, '/docs/nhtsa-api lists the NHTSA operations we support.'),
  });
}

const LOWER_CASE = /[a-z]/;
/** Confirms `Prefer: wait` (RFC 7240), and names the canonical URL of a VIN in lower case (RFC 9110, 8.7). */
async function annotated(
  answering: Answer | Promise<Answer>,
  request: FastifyRequest,
  template: string,
  context: HttpContext,
): Promise<Answer> {
  const segment = vinSegment(request);
  const answer = await answering;
  const wait = preferredWaitSeconds(request.headers.prefer);
  const vin = LOWER_CASE.test(segment) && !isFailure(answer) ? vinIn(segment) : undefined;
  const headers: HeaderFields = {
    ...answer.headers,
    ...(wait === null ? {} : { 'preference-applied': `wait=${wait}` }),
    ...(vin
      ? {
          'content-location': context.baseUrl + template.replace('{vin}', vin) + selecting(request.queryText),
        }
      : {}),
  };
  return { ...answer, headers };
}

const isFailure = (answer: Answer): boolean => 'reason' in answer || answer.status >= 400;

/** All parameters may select a representation, except who asks. */
function selecting(query: string): string {
  const given = new URLSearchParams(query);
  given.delete('contact');
  return given.size > 0 ? `?${given.toString()}` : '';
}

/** The 404 for everything else under a prefix. */
function notFound({ server, path }: FastifyRequest, listed: string): Answer {
  const isSlashTooMany =
    path.endsWith('/') && server.routes.some(({ template }) => isOf(template, path.slice(0, -1)));
  const trailing = isSlashTooMany ? ' Leave out the slash at the end.' : '';
  return { reason: 'not-found', detail: `There is no operation at this URL.${trailing} ${listed}` };
}
