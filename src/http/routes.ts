import { andThen, type Soon } from '../lib/soon.ts';
import type { Answer, ApiRequest } from './answer.ts';
import { decodeRoute } from './batch.ts';
import { getDocument } from './documents.ts';
import { getError, wantsPage } from './errors.ts';
import { getHealth, getReadiness } from './health.ts';
import { headOf } from './head.ts';
import { readSticker } from './label.ts';
import { parameters, vinIn, waitOf } from './params.ts';
import type { Front } from './parts.ts';
import { getPreview } from './preview.ts';
import { getSticker } from './sticker.ts';
import { getVin } from './vin.ts';
import { VPIC_UNKNOWN, vpicRoute } from './vpic.ts';

type Handler = (request: ApiRequest, segment: string, front: Front) => Soon<Answer>;

/** What a path leads to under `/api/` and `/vpic/`: everything that the limit counts. */
export interface ApiRoute {
  template: string;
  method: 'GET' | 'POST';
  /** Where the VIN stands, or something in its place. */
  segment: string | undefined;
  handle(request: ApiRequest, front: Front): Soon<Answer>;
}

export const isApi = (path: string): boolean => path.startsWith('/api/') || path.startsWith('/vpic/');

/** One operation of the API: `/api/v1/vin/` + a VIN + `/label`. */
interface Operation {
  template: string;
  before: string;
  after: string;
  handle: Handler;
}

const operation = (template: string, answer: Handler): Operation => {
  const [before = '', after = ''] = template.split('{vin}');
  const handle: Handler = (request, segment, front) =>
    request.headers.prefer === undefined && !LOWER_CASE.test(segment)
      ? answer(request, segment, front)
      : annotated(answer, request, segment, front, before, after);
  return { template, before, after, handle };
};

const LOWER_CASE = /[a-z]/;
/** Parameters that make another representation. */
const SELECTING = ['sticker', 'include', 'width', 'download'];

/** Honours `Prefer: wait` (RFC 7240), and names the canonical URL of a VIN in lower case (RFC 9110, 8.7). */
function annotated(
  answer: Handler,
  request: ApiRequest,
  segment: string,
  front: Front,
  before: string,
  after: string,
): Soon<Answer> {
  const wait = waitOf(request.headers.prefer);
  const vin = LOWER_CASE.test(segment) ? vinIn(segment) : undefined;
  const asked = wait === null ? request : { ...request, patienceMs: wait * 1000 };
  return andThen(answer(asked, segment, front), (ready) => {
    let { head } = ready;
    if (wait !== null) head += headOf('Preference-Applied', `wait=${wait}`);
    if (vin && ready.status < 400)
      head += headOf('Content-Location', front.baseUrl + before + vin + after + selecting(request.query));
    return { ...ready, head };
  });
}

function selecting(query: string): string {
  if (query === '') return '';
  const given = SELECTING.flatMap((name) =>
    parameters(query, name).map((value) => `${name}=${encodeURIComponent(value ?? '')}`),
  );
  return given.length ? `?${given.join('&')}` : '';
}

/** Everything under `/api/`, the two hot routes first. */
const API: readonly Operation[] = [
  operation('/api/v1/vin/{vin}', getVin),
  operation('/api/sticker/{vin}', getSticker),
  operation('/api/v1/vin/{vin}/label', readSticker),
  operation('/api/sticker/{vin}/preview', getPreview),
];

/** The template of what is under `/api/` or `/vpic/` and no operation. */
export const unknownApi = (path: string): string => (path.startsWith('/vpic/') ? VPIC_UNKNOWN : '/api/*');

/** The operation of a path under `/api/` or `/vpic/`. */
export function apiRoute(path: string): ApiRoute | undefined {
  if (path.startsWith('/vpic/')) return vpicRoute(path);
  for (const operation of API) {
    const { before, after } = operation;
    if (!path.startsWith(before)) continue;
    const slash = path.indexOf('/', before.length);
    const end = slash < 0 ? path.length : slash;
    if (path.length - end !== after.length || (after !== '' && !path.endsWith(after))) continue;
    const segment = path.slice(before.length, end);
    return {
      template: operation.template,
      method: 'GET',
      segment,
      handle: (request, front) => operation.handle(request, segment, front),
    };
  }
  return path === decodeRoute.template ? decodeRoute : undefined;
}

export interface OpenRoute {
  template: string;
  handle(): Soon<Answer>;
}

/** Documents for programs, health, and what problems' types lead to; undefined for what the pages answer. */
export function openRoute(request: ApiRequest, front: Front): OpenRoute | undefined {
  const { path } = request;
  if (path === '/healthz') return { template: path, handle: () => getHealth(request, front) };
  if (path === '/readyz') return { template: path, handle: () => getReadiness(request, front) };
  const document = front.documents.get(path);
  if (document) return { template: path, handle: () => getDocument(request, document, front) };
  if (path.startsWith('/errors/') && !wantsPage(request)) {
    const answer = getError(request, path.slice('/errors/'.length), front);
    if (answer) return { template: '/errors/{reason}', handle: () => answer };
  }
  return undefined;
}

/** Paths that programs of other origins read although the pages answer them. */
export function isOpen(path: string): boolean {
  return path === '/mcp' || path.startsWith('/.well-known/') || /\.(json|txt|xml|yaml|md)$/.test(path);
}
