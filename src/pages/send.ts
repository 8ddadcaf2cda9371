import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Context } from 'hono';
import { html } from 'hono/html';
import { absolute, type DocPage } from '../site/docs/page.ts';
import { acceptsGzip } from '../http/compression.ts';
import { catalogLink } from '../http/headers.ts';
import { problemResponse, REASONS, type ProblemOptions } from '../http/problems.ts';
import { createTurns } from '../lib/turns.ts';
import { duration } from '../lib/words.ts';
import { viewOf } from './assets.ts';
import { type Html, layout } from './layout.ts';
import type { PageContext, PageEnv } from './page-context.ts';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The headers of every page. */
const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(self), microphone=(), geolocation=(), browsing-topics=()',
  Vary: 'Accept, Accept-Encoding',
};

/** A rendered page, ready to send. */
export interface FinishedPage {
  plain: Buffer;
  gzip: Buffer;
  etag: string;
}

export interface SendOptions {
  status?: 200 | 400 | 404 | 405 | 429 | 451 | 500 | 503;
  /** Revalidated each time by default, because a page refers to its stylesheet by hash. */
  cacheControl?: string;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Await it before rendering what waited for a source or a worker. Many requests may have waited for the same one: rendering
 * all of them in one turn of the event loop would delay everyone else.
 */
export const { next: renderTurn } = createTurns();

export async function finish(page: Html): Promise<FinishedPage> {
  const plain = Buffer.from(String(await page));
  return {
    plain,
    gzip: gzipSync(plain, { level: 5 }),
    etag: `W/"${hash('sha256', plain, 'base64url').slice(0, 27)}"`,
  };
}

export async function sendPage(c: Context, page: Html, options: SendOptions = {}): Promise<Response> {
  return sendFinished(c, await finish(page), options);
}

export function sendFinished(c: Context, page: FinishedPage, options: SendOptions = {}): Response {
  const { status = 200, cacheControl = 'no-cache' } = options;
  const headers: Record<string, string> = {
    ...PAGE_HEADERS,
    'Cache-Control': cacheControl,
    ...options.headers,
  };
  if (status === 200 && cacheControl !== 'no-store') {
    headers.ETag = page.etag;
    if (c.req.header('if-none-match')?.includes(page.etag))
      return new Response(null, { status: 304, headers });
  }
  const gzipped = acceptsGzip(c.req.header('accept-encoding'));
  if (gzipped) headers['Content-Encoding'] = 'gzip';
  const body = gzipped ? page.gzip : page.plain;
  headers['Content-Length'] = String(body.length);
  return new Response(viewOf(body), { status, headers });
}

/** Whether the client is a browser. Programs accept JSON or anything, and get problem documents. */
export function wantsHtml(c: Context): boolean {
  return /\btext\/html\b/.test(c.req.header('accept') ?? '');
}

/** Whether an `Accept` header ranks Markdown above HTML. With equal weights the first one wins. */
export function prefersMarkdown(accept: string | undefined): boolean {
  const accepted = (accept ?? '').split(',').map((part) => {
    const [type = '', ...parameters] = part
      .trim()
      .toLowerCase()
      .split(';')
      .map((word) => word.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return { type, weight: weight === undefined ? 1 : Number(weight) || 0 };
  });
  const markdown = accepted.findIndex(({ type }) => type === 'text/markdown');
  if (markdown < 0 || accepted[markdown]!.weight === 0) return false;
  const page = accepted.findIndex(({ type }) => type === 'text/html' || type === 'application/xhtml+xml');
  if (page < 0) return true;
  const difference = accepted[markdown]!.weight - accepted[page]!.weight;
  return difference === 0 ? markdown < page : difference > 0;
}

/** Sends a page as Markdown, for programs. */
export async function sendMarkdown(c: Context, page: DocPage, { baseUrl }: PageContext): Promise<Response> {
  const text = absolute(await page.markdown(), baseUrl);
  return c.body(`${text.trimEnd()}\n`, 200, {
    'Content-Type': 'text/markdown; charset=utf-8',
    'Cache-Control': 'public, max-age=60',
    'Access-Control-Allow-Origin': '*',
    Link: `<${baseUrl}${page.path}>; rel="canonical", ${catalogLink(baseUrl)}`,
    Vary: 'Accept, Accept-Encoding',
  });
}

type ErrorStatus = Exclude<NonNullable<SendOptions['status']>, 200>;

/** Sends an error: a page for people, a problem document for programs. */
export async function sendError(
  c: Context<PageEnv>,
  context: PageContext,
  what: ProblemOptions,
): Promise<Response> {
  if (!wantsHtml(c)) {
    const response = sendProblem(c, context, what);
    response.headers.append('Vary', 'Accept');
    return response;
  }
  const headers: Record<string, string> = { ...(what.headers as Record<string, string>) };
  if (what.retryAfter !== undefined) headers['Retry-After'] = String(what.retryAfter);
  return sendPage(c, errorPage(context.baseUrl, c.req.path, what), {
    status: REASONS[what.reason].status as ErrorStatus,
    cacheControl: 'no-store',
    headers,
  });
}

/** Sends a problem document, also to browsers. */
export function sendProblem(c: Context<PageEnv>, context: PageContext, what: ProblemOptions): Response {
  const requestId = String(c.env.outgoing.getHeader('X-Request-Id'));
  const { status, headers, body } = problemResponse(context, what, requestId);
  return new Response(body, { status, headers: headers as Record<string, string> });
}

/** Sends the 429 page. Cached per wait time, because it goes to clients that send far too many requests. */
export function tooManyRequests(context: PageContext): (c: Context, seconds: number) => Promise<Response> {
  const pages = new Map<number, Promise<FinishedPage>>();
  return async (c, seconds) => {
    const detail = `Too many page requests came from your IP address. Wait ${duration(seconds)}, then reload this page.`;
    let page = pages.get(seconds);
    if (!page) {
      page = finish(errorPage(context.baseUrl, '/', { reason: 'too-many-requests', detail }));
      pages.set(seconds, page);
    }
    const headers = { 'Retry-After': String(seconds) };
    return sendFinished(c, await page, { status: 429, cacheControl: 'no-store', headers });
  };
}

function errorPage(baseUrl: string, path: string, { reason, detail }: ProblemOptions) {
  const { title } = REASONS[reason];
  return layout({
    title,
    description: detail,
    path,
    baseUrl,
    noindex: true,
    body: html`<h1>${title}</h1>
      <p class="lead">${detail}</p>
      <div class="actions">
        <a class="button" href="/">Look up a VIN</a><a href="/status">Check the status page</a>
      </div>`,
  });
}
