import type { Context } from 'hono';
import { html } from 'hono/html';
import { toResponse } from '../http/answer.ts';
import { fieldsOf } from '../http/head.ts';
import { problem, REASONS, type ProblemOf } from '../http/problems.ts';
import { layout } from './frame.ts';
import type { PageEnv, PageParts } from './parts.ts';
import { sendPage, wantsHtml, type Sending } from './send.ts';

type ErrorStatus = Exclude<NonNullable<Sending['status']>, 200>;

/** What went wrong: a page for people, a problem for programs. */
export async function sendError(c: Context<PageEnv>, parts: PageParts, what: ProblemOf): Promise<Response> {
  if (!wantsHtml(c)) {
    const requestId = String(c.env.outgoing.getHeader('X-Request-Id'));
    const answer = toResponse(problem(parts.sets, parts.baseUrl, { ...what, requestId }));
    answer.headers.append('Vary', 'Accept');
    return answer;
  }
  const headers = Object.fromEntries(fieldsOf(what.head ?? ''));
  if (what.retryAfter !== undefined) headers['Retry-After'] = String(what.retryAfter);
  return sendPage(c, errorPage(parts.baseUrl, c.req.path, what), {
    status: REASONS[what.reason].status as ErrorStatus,
    cacheControl: 'no-store',
    headers,
  });
}

function errorPage(baseUrl: string, path: string, { reason, detail }: ProblemOf) {
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
        <a class="button" href="/">Look up a VIN</a><a href="/status">Is something down?</a>
      </div>`,
  });
}
