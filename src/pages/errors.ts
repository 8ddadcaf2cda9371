import type { Context } from 'hono';
import { html } from 'hono/html';
import { toResponse } from '../http/response.ts';
import { fieldsOf } from '../http/head.ts';
import { problem, REASONS, type ProblemOptions } from '../http/problems.ts';
import { layout } from './layout.ts';
import type { PageEnv, PageContext } from './page-context.ts';
import { finish, sendFinished, sendPage, wantsHtml, type FinishedPage, type SendOptions } from './send.ts';
import { duration } from '../lib/words.ts';

type ErrorStatus = Exclude<NonNullable<SendOptions['status']>, 200>;

/** Sends an error: a page for people, a problem document for programs. */
export async function sendError(
  c: Context<PageEnv>,
  context: PageContext,
  what: ProblemOptions,
): Promise<Response> {
  if (!wantsHtml(c)) {
    const requestId = String(c.env.outgoing.getHeader('X-Request-Id'));
    const response = toResponse(problem(context, { ...what, requestId }));
    response.headers.append('Vary', 'Accept');
    return response;
  }
  const headers = Object.fromEntries(fieldsOf(what.head ?? ''));
  if (what.retryAfter !== undefined) headers['Retry-After'] = String(what.retryAfter);
  return sendPage(c, errorPage(context.baseUrl, c.req.path, what), {
    status: REASONS[what.reason].status as ErrorStatus,
    cacheControl: 'no-store',
    headers,
  });
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
