import type { FastifyRequest } from 'fastify';
import { absolute, type DocPage } from '../site/docs/page.ts';
import { conditionalResponse } from '../http/representation.ts';
import { weightsIn } from '../http/request.ts';
import { catalogLink, etagOf, type HeaderFields, type HttpResponse } from '../http/response.ts';
import { problemResponse, REASONS, type Answer, type ProblemOptions } from '../http/problems.ts';
import { withCurlyApostrophes } from '@monroney/label/lib/words';
import { html, type Html } from './html.ts';
import { SCRIPTS } from './assets.ts';
import { layout } from './layout.ts';
import { tryAgain } from './no-label.ts';
import { findForm } from './vin-cells.ts';

const DIRECTIVES = {
  'default-src': "'none'",
  'style-src': "'self'",
  'script-src': "'self'",
  'img-src': "'self' data:",
  // The preview of what other sites may frame.
  'frame-src': "'self'",
  'connect-src': "'self'",
  'manifest-src': "'self'",
  'form-action': "'self'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
};

/** The content security policy of a page, with other values for some directives. */
export function contentPolicy(changes: Record<string, string> = {}): string {
  return Object.entries({ ...DIRECTIVES, ...changes })
    .map(([directive, value]) => `${directive} ${value}`)
    .join('; ');
}

/** The headers of every page. */
const PAGE_HEADERS: HeaderFields = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentPolicy(),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=(), browsing-topics=()',
  vary: 'Accept, Accept-Encoding',
};

/** A rendered page, ready to send. */
export interface FinishedPage {
  body: Buffer;
  etag: string;
}

export interface PageOptions {
  status?: number;
  /** Revalidated each time by default, because a page refers to its stylesheet by hash. */
  cacheControl?: string;
  headers?: HeaderFields;
}

export function finish(page: Html): FinishedPage {
  const body = Buffer.from(String(page));
  return { body, etag: etagOf(body) };
}

export function pageResponse(request: FastifyRequest, page: Html, options?: PageOptions): Answer {
  return finishedResponse(request, finish(page), options);
}

export function finishedResponse(
  request: FastifyRequest,
  { body, etag }: FinishedPage,
  { status = 200, cacheControl = 'no-cache', headers: more }: PageOptions = {},
): Answer {
  const headers: HeaderFields = {
    ...request.server.headerSets.page,
    ...PAGE_HEADERS,
    'cache-control': cacheControl,
    ...more,
  };
  if (status !== 200 || cacheControl === 'no-store') return { status, headers, body };
  const validated = { ...headers, etag };
  return conditionalResponse(request, validated) ?? { status, headers: validated, body };
}

export function redirect(
  { server }: FastifyRequest,
  location: string,
  status: 301 | 303 | 308,
): HttpResponse {
  // Without this, caches may keep a permanent redirect, and give browsers' ones to programs.
  const headers = { ...server.headerSets.page, location, 'cache-control': 'no-cache', vary: 'Accept' };
  return { status, headers, body: null };
}

/** Whether the client is a browser. Programs accept JSON or anything, and get problem documents. */
export function wantsHtml({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}

export function notFound(request: FastifyRequest): ProblemOptions {
  const detail = wantsHtml(request)
    ? 'The URL may have a typo, or the page has moved. To see a window sticker, enter the car’s VIN.'
    : 'There is nothing at this URL. The API is described at /openapi.json.';
  return { reason: 'not-found', detail };
}

/** Whether an `Accept` header ranks Markdown above HTML. With equal weights the first one wins. */
export function prefersMarkdown(accept: string | undefined): boolean {
  const [preferred] = [...weightsIn(accept)]
    .filter(([type, weight]) => MARKDOWN_OR_HTML.has(type) && weight > 0)
    .sort(([, one], [, other]) => other - one);
  return preferred?.[0] === 'text/markdown';
}

const MARKDOWN_OR_HTML = new Set(['text/markdown', 'text/html', 'application/xhtml+xml']);

/** A page as Markdown, for programs. */
export async function markdownResponse(
  { path, server }: FastifyRequest,
  page: DocPage,
): Promise<HttpResponse> {
  const { baseUrl, headerSets } = server;
  const text = absolute(await page.markdown(), baseUrl);
  const headers = {
    ...(path.endsWith('.md') ? headerSets.crossOrigin : headerSets.page),
    'content-type': 'text/markdown; charset=utf-8',
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': '*',
    link: `<${baseUrl}${page.path}>; rel="canonical", ${catalogLink(baseUrl)}`,
    vary: 'Accept, Accept-Encoding',
  };
  return { status: 200, headers, body: Buffer.from(`${text.trimEnd()}\n`) };
}

/** A problem as a page for people, or as a problem document for programs. */
export function presentProblem(problem: ProblemOptions, request: FastifyRequest): Answer {
  const { server } = request;
  if (!wantsHtml(request)) {
    const response = problemResponse(server, problem, request.id);
    return { ...response, headers: { ...response.headers, vary: 'Accept-Encoding, Accept' } };
  }
  return pageResponse(request, errorPage(server.baseUrl, request.path, problem), problemOptions(problem));
}

/** Status and headers of a problem that is shown as a page or a picture. */
export function problemOptions({ reason, headers, retryAfter }: ProblemOptions): PageOptions {
  return {
    status: REASONS[reason].status,
    cacheControl: 'no-store',
    headers: { ...headers, ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }) },
  };
}

function errorPage(
  baseUrl: string,
  path: string,
  { reason, detail: plain, retryAfter }: ProblemOptions,
): Html {
  const isMissing = reason === 'not-found';
  const title = isMissing ? 'There’s no page here' : REASONS[reason].title;
  const detail = withCurlyApostrophes(plain);
  return layout({
    title,
    description: detail,
    path,
    baseUrl,
    noindex: true,
    search: !isMissing,
    scripts: retryAfter === undefined ? [] : [SCRIPTS.asking],
    body: html`<h1>${title}</h1>
      <p class="lead">${detail}</p>
      ${isMissing ? findForm({}, ELSEWHERE) : retryAfter === undefined ? html`<p class="actions">${ELSEWHERE}</p>` : tryAgain('', retryAfter)}`,
  });
}

const ELSEWHERE = html`<a href="/makes">Makes with stickers</a><a href="/status">Status</a
  ><a href="/docs">All pages</a>`;
