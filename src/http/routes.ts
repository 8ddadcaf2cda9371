import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Route } from './app.ts';
import { createHttpContext, type ApiDependencies, type HttpContext } from './context.ts';
import { getHealth, getReadiness } from './documents.ts';
import type { Answer } from './problems.ts';
import { parameters, preferredWaitSeconds, vinIn } from './request.ts';
import type { HeaderFields } from './response.ts';
import { getLabel, getPreview, getSticker } from './sticker.ts';
import { decodeVins, getVin } from './vin.ts';
import { VPIC_TEMPLATES, vpicRows } from './vpic.ts';

type VinHandler = (request: FastifyRequest, segment: string, context: HttpContext) => Promise<Answer>;

/**
 * The route table of the API. The router, the log and the OpenAPI document use it: `site/openapi` doesn't compile until a new
 * row is described there. NHTSA's own routes are in `vpic.ts`.
 */
const VIN_ROUTES = {
  '/api/v1/vin/{vin}': getVin,
  '/api/sticker/{vin}': getSticker,
  '/api/v1/vin/{vin}/label': getLabel,
  '/api/sticker/{vin}/preview': getPreview,
} as const satisfies Record<string, VinHandler>;
const BATCH_ROUTE = '/api/v1/decode';
const PROBES = { '/healthz': getHealth, '/readyz': getReadiness } as const;
/** Served with the pages, because it is one for people. */
const ERROR_ROUTE = '/errors/{reason}';

/** Every template above. The OpenAPI document describes exactly these. */
export type Template =
  | keyof typeof VIN_ROUTES
  | keyof typeof PROBES
  | typeof BATCH_ROUTE
  | typeof ERROR_ROUTE;
export const TEMPLATES: readonly string[] = [
  ...Object.keys(VIN_ROUTES),
  BATCH_ROUTE,
  ...Object.keys(PROBES),
  ERROR_ROUTE,
  ...VPIC_TEMPLATES,
];

/** Serves `/api/`, `/vpic/` and the health checks. */
export function serveApi(app: FastifyInstance, dependencies: ApiDependencies): void {
  const context = createHttpContext(dependencies, app);
  const serve = (route: Omit<Route, 'limit' | 'isCrossOrigin'>) =>
    app.serve({ limit: 'api', isCrossOrigin: true, ...route });

  for (const [template, handler] of Object.entries(VIN_ROUTES))
    serve({
      template,
      vinOf: vinParameter,
      handle: (request) => {
        const segment = vinParameter(request);
        const answer = handler(request, segment, context);
        const isPlain = request.headers.prefer === undefined && !LOWER_CASE.test(segment);
        return isPlain ? answer : annotated(answer, request, template, context);
      },
    });
  serve({ template: BATCH_ROUTE, methods: ['POST'], handle: (request) => decodeVins(request, context) });
  serve({ template: '/api/*', methods: ['*'], handle: notFound('/openapi.json lists all operations.') });
  const listed = '/docs/nhtsa-api lists the NHTSA operations we support.';
  serve({
    template: '/vpic/*',
    methods: ['*'],
    find: vpicRows(context),
    handle: notFound(listed),
  });
  for (const [template, handler] of Object.entries(PROBES))
    app.serve({
      template,
      limit: 'none',
      isCrossOrigin: true,
      handle: (request) => handler(request, context),
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

const WITH_SLASH = [...Object.keys(VIN_ROUTES), BATCH_ROUTE].map(
  // oxlint-disable-next-line patterns/linear -- Anchored, and each repetition ends at a slash.
  (template) => new RegExp(`^${template.replace('{vin}', '[^/]*')}/$`),
);

/** The 404 for everything else under a prefix. */
function notFound(listed: string) {
  return ({ path }: FastifyRequest): Answer => {
    const isSlashTooMany = WITH_SLASH.some((pattern) => pattern.test(path));
    const trailing = isSlashTooMany ? ' Leave out the slash at the end.' : '';
    return { reason: 'not-found', detail: `There is no operation at this URL.${trailing} ${listed}` };
  };
}
