import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Route } from './app.ts';
import { DECODE_VINS, decodeVins } from './batch.ts';
import { createHttpContext, type ApiDependencies, type HttpContext } from './context.ts';
import { GET_ERROR, GET_HEALTH, GET_READINESS, getHealth, getReadiness } from './service-routes.ts';
import type { DescribedRoute } from './operation.ts';
import type { Answer } from './problems.ts';
import { parameters, preferredWaitSeconds, vinIn } from './request.ts';
import type { HeaderFields } from './response.ts';
import {
  GET_LABEL,
  GET_PREVIEW,
  GET_STICKER,
  getLabel,
  getPreview,
  getSticker,
  HEAD_STICKER,
} from './sticker.ts';
import { isOf } from './route.ts';
import { GET_VIN, getVin } from './vin.ts';
import { VPIC_ROUTES, vpicRows } from './vpic.ts';

type VinHandler = (request: FastifyRequest, segment: string, context: HttpContext) => Promise<Answer>;

/** The routes about one VIN, each with its description. NHTSA's own routes are in `vpic.ts`. */
const VIN_ROUTES: readonly (DescribedRoute & { handle: VinHandler })[] = [
  { template: '/api/v1/vin/{vin}', handle: getVin, operations: { get: GET_VIN } },
  {
    template: '/api/sticker/{vin}',
    handle: getSticker,
    operations: { get: GET_STICKER, head: HEAD_STICKER },
  },
  { template: '/api/v1/vin/{vin}/label', handle: getLabel, operations: { get: GET_LABEL } },
  { template: '/api/sticker/{vin}/preview', handle: getPreview, operations: { get: GET_PREVIEW } },
];
const BATCH_ROUTE = { template: '/api/v1/decode', operations: { post: DECODE_VINS } };
const PROBES = [
  { template: '/healthz', handle: getHealth, operations: { get: GET_HEALTH } },
  { template: '/readyz', handle: getReadiness, operations: { get: GET_READINESS } },
];
/** Served with the pages, because it is one for people. */
const ERROR_ROUTE = { template: '/errors/{reason}', operations: { get: GET_ERROR } };

/** Every route of the API, for the OpenAPI document. */
export const API_ROUTES: readonly DescribedRoute[] = [
  ...VIN_ROUTES,
  BATCH_ROUTE,
  ERROR_ROUTE,
  ...PROBES,
  ...VPIC_ROUTES,
];
export const TEMPLATES: readonly string[] = API_ROUTES.map(({ template }) => template);

/** Serves `/api/`, `/vpic/` and the health checks. */
export function serveApi(app: FastifyInstance, dependencies: ApiDependencies): void {
  const context = createHttpContext(dependencies, app);
  const serve = (route: Omit<Route, 'limit' | 'isCrossOrigin'>) =>
    app.serve({ limit: 'api', isCrossOrigin: true, ...route });

  for (const { template, handle } of VIN_ROUTES)
    serve({
      template,
      vinOf: vinParameter,
      handle: (request) => {
        const segment = vinParameter(request);
        const answer = handle(request, segment, context);
        const isPlain = request.headers.prefer === undefined && !LOWER_CASE.test(segment);
        return isPlain ? answer : annotated(answer, request, template, context);
      },
    });
  serve({
    template: BATCH_ROUTE.template,
    methods: ['POST'],
    handle: (request, res) => decodeVins(request, res, context),
  });
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
  for (const { template, handle } of PROBES)
    app.serve({
      template,
      limit: 'none',
      isCrossOrigin: true,
      handle: (request) => handle(request, context),
    });
}

const vinParameter = ({ params }: FastifyRequest): string => (params as { vin: string }).vin;

const LOWER_CASE = /[a-z]/;
/** Parameters that select a different representation. */
const SELECTING = ['sticker', 'include', 'width', 'download'];

/** Confirms `Prefer: wait` (RFC 7240), and names the canonical URL of a VIN in lower case (RFC 9110, 8.7). */
async function annotated(
  answering: Promise<Answer>,
  request: FastifyRequest,
  template: string,
  context: HttpContext,
): Promise<Answer> {
  const segment = vinParameter(request);
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

function selecting(query: string): string {
  if (query === '') return '';
  const given = SELECTING.flatMap((name) =>
    parameters(query, name).map((value) => `${name}=${encodeURIComponent(value ?? '')}`),
  );
  return given.length ? `?${given.join('&')}` : '';
}

/** The 404 for everything else under a prefix. */
function notFound({ server, path }: FastifyRequest, listed: string): Answer {
  const isSlashTooMany =
    path.endsWith('/') && server.routes.some(({ template }) => isOf(template, path.slice(0, -1)));
  const trailing = isSlashTooMany ? ' Leave out the slash at the end.' : '';
  return { reason: 'not-found', detail: `There is no operation at this URL.${trailing} ${listed}` };
}
