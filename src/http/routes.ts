import type { MaybePromise } from '../lib/maybe-promise.ts';
import { type ApiRequest, type ApiResponse, headOf } from './response.ts';
import { decodeVins, getVin } from './vin.ts';
import { getDocument, getError, getHealth, getReadiness, wantsPage } from './documents.ts';
import { getLabel, getPreview, getSticker } from './sticker.ts';
import { parameters, vinIn, preferredWaitSeconds } from './request.ts';
import type { ApiRoute, HttpContext } from './context.ts';
import { VPIC_TEMPLATES, VPIC_UNKNOWN, vpicRoute } from './vpic.ts';

type VinHandler = (request: ApiRequest, segment: string, context: HttpContext) => MaybePromise<ApiResponse>;

export const isApi = (path: string): boolean => path.startsWith('/api/') || path.startsWith('/vpic/');

/**
 * The route table of the API, the two hottest routes first. The router, the log and the OpenAPI document use it:
 * `site/openapi` doesn't compile until a new row is described there. NHTSA's own routes are in `vpic.ts`.
 */
const VIN_ROUTES = [
  vinRoute('/api/v1/vin/{vin}', getVin),
  vinRoute('/api/sticker/{vin}', getSticker),
  vinRoute('/api/v1/vin/{vin}/label', getLabel),
  vinRoute('/api/sticker/{vin}/preview', getPreview),
] as const;
const FIXED_ROUTES = [
  { template: '/api/v1/decode', method: 'POST', segment: undefined, handle: decodeVins },
] as const satisfies readonly ApiRoute[];

/** Not rate limited. Documents are rows of `site/discovery/discovery.ts`. */
const UNLIMITED_ROUTES = [
  { template: '/healthz', handle: getHealth },
  { template: '/readyz', handle: getReadiness },
] as const;
const ERROR_ROUTE = '/errors/{reason}';

/** Every template above. The OpenAPI document describes exactly these. */
export type Template =
  | (typeof VIN_ROUTES | typeof FIXED_ROUTES | typeof UNLIMITED_ROUTES)[number]['template']
  | typeof ERROR_ROUTE;
export const TEMPLATES: readonly string[] = [
  ...[...VIN_ROUTES, ...FIXED_ROUTES, ...UNLIMITED_ROUTES].map(({ template }) => template),
  ERROR_ROUTE,
  ...VPIC_TEMPLATES,
];

/** A route with one VIN in its path: `/api/v1/vin/` + a VIN + `/label`. */
function vinRoute<const T extends string>(template: T, handler: VinHandler) {
  const [before = '', after = ''] = template.split('{vin}');
  const handle: VinHandler = (request, segment, context) =>
    request.headers.prefer === undefined && !LOWER_CASE.test(segment)
      ? handler(request, segment, context)
      : annotated(handler, request, segment, context, before, after);
  return { template, before, after, handle };
}

const LOWER_CASE = /[a-z]/;
/** Parameters that select a different representation. */
const SELECTING = ['sticker', 'include', 'width', 'download'];

/** Honors `Prefer: wait` (RFC 7240), and names the canonical URL of a VIN in lower case (RFC 9110, 8.7). */
async function annotated(
  handler: VinHandler,
  request: ApiRequest,
  segment: string,
  context: HttpContext,
  before: string,
  after: string,
): Promise<ApiResponse> {
  const wait = preferredWaitSeconds(request.headers.prefer);
  const vin = LOWER_CASE.test(segment) ? vinIn(segment) : undefined;
  const limited = wait === null ? request : { ...request, maxWaitMs: wait * 1000 };
  const response = await handler(limited, segment, context);
  let { head } = response;
  if (wait !== null) head += headOf('Preference-Applied', `wait=${wait}`);
  if (vin && response.status < 400)
    head += headOf('Content-Location', context.baseUrl + before + vin + after + selecting(request.query));
  return { ...response, head };
}

function selecting(query: string): string {
  if (query === '') return '';
  const given = SELECTING.flatMap((name) =>
    parameters(query, name).map((value) => `${name}=${encodeURIComponent(value ?? '')}`),
  );
  return given.length ? `?${given.join('&')}` : '';
}

/** The template, for the log, of an unknown path under `/api/` or `/vpic/`. */
export const unknownApi = (path: string): string => (path.startsWith('/vpic/') ? VPIC_UNKNOWN : '/api/*');

/** The operation of a path under `/api/` or `/vpic/`. */
export function apiRoute(path: string): ApiRoute | undefined {
  if (path.startsWith('/vpic/')) return vpicRoute(path);
  for (const route of VIN_ROUTES) {
    const { before, after } = route;
    if (!path.startsWith(before)) continue;
    const slash = path.indexOf('/', before.length);
    const end = slash < 0 ? path.length : slash;
    if (path.length - end !== after.length || (after !== '' && !path.endsWith(after))) continue;
    const segment = path.slice(before.length, end);
    return {
      template: route.template,
      method: 'GET',
      segment,
      handle: (request, context) => route.handle(request, segment, context),
    };
  }
  return FIXED_ROUTES.find(({ template }) => template === path);
}

interface UnlimitedRoute {
  template: string;
  handle(): MaybePromise<ApiResponse>;
}

/** Machine-readable documents, health checks and error codes; undefined for paths that the pages handle. */
export function unlimitedRoute(request: ApiRequest, context: HttpContext): UnlimitedRoute | undefined {
  const { path } = request;
  const fixed = UNLIMITED_ROUTES.find(({ template }) => template === path);
  if (fixed) return { template: path, handle: () => fixed.handle(request, context) };
  const document = context.documents.get(path);
  if (document) return { template: path, handle: () => getDocument(request, document, context) };
  if (path.startsWith('/errors/') && !wantsPage(request)) {
    const response = getError(request, path.slice('/errors/'.length), context);
    if (response) return { template: ERROR_ROUTE, handle: () => response };
  }
  return undefined;
}

/** Paths that the pages handle and other origins may read. */
export function isCrossOriginPath(path: string): boolean {
  return path === '/mcp' || path.startsWith('/.well-known/') || /\.(json|txt|xml|yaml|md)$/.test(path);
}
