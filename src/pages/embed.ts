import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { explain } from '../lookup/finding-response.ts';
import { paintName } from '@monroney/label/lib/option-names';
import { withCurlyApostrophes } from '@monroney/label/lib/words';
import type { Answer, ProblemOptions } from '../http/problems.ts';
import type { HeaderFields } from '../http/response.ts';
import type { Label } from '@monroney/label/reading/types';
import { EMBED_STYLES, SCRIPTS } from './assets.ts';
import { drawBadge, EMPTY_DRAWING } from './card/draw.ts';
import { stickerPath } from './car-page.ts';
import { pageTitle } from './everyday-words.ts';
import { badgeWords, glance, hidesNone, isPlain, NEUTRAL, type Glance } from './glance.ts';
import { html, raw, type Html } from './html.ts';
import { waitedOf } from './no-label.ts';
import { paramOf, queryOf, queryTextOf, type PageContext, type PageHandler } from './page-context.ts';
import { vinFrom } from './page-lookup.ts';
import {
  pageResponse,
  presentProblem,
  problemOptions,
  redirect,
  wantsHtml,
  type PageOptions,
} from './respond.ts';
import { drawingResponse, wantsImage } from './sticker-images.ts';

/** Cards and badges, for other sites. */

/** The only page that other sites may frame. It has no `frame-ancestors`: `*` would exclude apps and local files. */
const FRAMEABLE: HeaderFields = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${hash('sha256', EMBED_STYLES, 'base64')}'`,
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; '),
  'cross-origin-resource-policy': 'cross-origin',
  // Sites that isolate themselves only frame pages that do so too.
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), browsing-topics=()',
};

/** Without a space around it, because the policy has its hash. */
const STYLE = raw(`<style>${EMBED_STYLES}</style>`);

/** A card whose sticker isn't known after this many seconds becomes a link. */
const MAX_WAIT_SECONDS = 600;
/** The interval at which a card asks again. */
const MIN_SECONDS = 2;
const MAX_SECONDS = 60;

/** GET /embed/{vin}: a card with price, paint and picture, for a frame on another site. */
export function embed(context: PageContext): PageHandler {
  return glanceAt(
    context,
    (vin) => `/embed/${vin}`,
    (seen, request) => pageResponse(request, card(seen, request), { ...seen.response, headers: FRAMEABLE }),
  );
}

/** GET /badge/{vin}.svg: `$50,410 new · original sticker`, for other sites. */
export function badge(context: PageContext): PageHandler {
  return glanceAt(
    context,
    (vin) => `/badge/${vin}.svg`,
    (seen, request) => {
      const text = isPlain(request) && seen.status === 'sticker' ? NEUTRAL : badgeWords(seen);
      return badgeResponse(request, seen.isHidden ? null : text, seen.response);
    },
  );
}

/** Responds with what another site shows of the VIN in the path. */
function glanceAt(
  context: PageContext,
  pathOf: (vin: string) => string,
  respond: (seen: Glance, request: FastifyRequest) => Answer,
): PageHandler {
  return async (request) => {
    const typed = paramOf(request, 'vin');
    const vin = vinFrom(typed);
    if (typeof vin !== 'string') return { reason: 'bad-vin', detail: vin.message };
    if (vin === typed) return respond(await glance(context, request, vin), request);
    return redirect(request, pathOf(vin) + queryTextOf(request), 301);
  };
}

/** Browsers show a picture that comes with an error, and nothing in place of other responses. */
export function presentAsBadge(problem: ProblemOptions, request: FastifyRequest): Answer {
  if (!wantsImage(request)) return presentProblem(problem, request);
  const isHidden = problem.reason === 'bad-vin' && hidesNone(request);
  return badgeResponse(request, isHidden ? null : NEUTRAL, problemOptions(problem));
}

/** `text`: null for nothing. */
function badgeResponse(request: FastifyRequest, text: string | null, options: PageOptions): Answer {
  return drawingResponse(request, text === null ? EMPTY_DRAWING : drawBadge(text), options);
}

/** A problem where the card would be: a link, because the visitors of the site can't do anything about it. */
export function presentInFrame(problem: ProblemOptions, request: FastifyRequest): Answer {
  if (!wantsHtml(request)) return presentProblem(problem, request);
  const { headers, ...options } = problemOptions(problem);
  const name = 'Window sticker';
  const isHidden = problem.reason === 'bad-vin' && hidesNone(request);
  const next = problem.retryAfter === undefined ? null : nextLoad(request, problem.retryAfter);
  const body = isHidden
    ? NOTHING
    : main(
        next,
        html`${heading(name, next)} ${link(encodeURI(request.path).replace('/embed/', '/window-sticker/'))}`,
      );
  return pageResponse(request, page(name, body, next), { ...options, headers: { ...FRAMEABLE, ...headers } });
}

/** Where a card is loaded again, and in how many seconds. */
interface NextLoad {
  path: string;
  seconds: number;
}

/** Null if the visitor has waited long enough. */
function nextLoad(request: FastifyRequest, retryAfter: number): NextLoad | null {
  const waited = waitedOf(queryOf(request, 'waited'));
  if (waited >= MAX_WAIT_SECONDS) return null;
  const seconds = Math.min(Math.max(retryAfter, MIN_SECONDS), MAX_SECONDS);
  const query = new URLSearchParams({ waited: String(waited + seconds) });
  for (const name of ['text', 'none']) {
    const value = queryOf(request, name);
    if (value !== undefined) query.set(name, value);
  }
  return { path: `${request.path}?${query}`, seconds };
}

const NOTHING = html`<main hidden></main>`;

function card(seen: Glance, request: FastifyRequest): Html {
  const { result, status, retryAfter } = seen;
  const name = pageTitle(result);
  const next = status === 'waiting' ? nextLoad(request, retryAfter) : null;
  const title = `${name}: window sticker`;
  if (seen.isHidden) return page(title, NOTHING, null);
  const picture =
    status === 'sticker' && !isPlain(request)
      ? html`<img src="/window-sticker/${result.vin}/picture?width=640" alt="" loading="lazy" />`
      : '';
  const facts =
    status === 'sticker'
      ? heldFacts(seen)
      : status === 'none'
        ? html`<p class="soft">${withCurlyApostrophes(explain(result).headline)}</p>`
        : '';
  return page(
    title,
    main(next, html`${heading(name, next)} ${facts} ${link(stickerPath(result), linkText(seen))}`, picture),
    next,
  );
}

function main(next: NextLoad | null, content: Html, picture: Html | string = ''): Html {
  return html`<main${next ? html` data-next="${next.path}" data-seconds="${next.seconds}"` : ''}>
    ${picture}
    <div>${content}</div>
  </main>`;
}

const heading = (name: string, next: NextLoad | null): Html =>
  html`<h1>${name}</h1>
    ${next ? html`<p class="soft" role="status">Window sticker: loading</p>` : ''}`;

const link = (path: string, text: string = NEUTRAL): Html =>
  html`<a href="${path}" target="_blank" rel="noopener">${text}</a>`;

function heldFacts({ price, label }: Glance): Html {
  return html`${price ? html`<p class="price"><strong>${price}</strong></p>` : ''}
  ${label?.exterior ? html`<p class="soft paint">${paintWords(label)}</p>` : ''}`;
}

function paintWords(label: Label): string {
  const { color, code } = label.exterior!;
  return `${paintName(color, label)}${code ? `, code ${code}` : ''}`;
}

function linkText({ status, sticker }: Glance): string {
  if (status === 'sticker') return `See the ${sticker}`;
  return status === 'none' ? 'See what the VIN says' : NEUTRAL;
}

function page(title: string, body: Html, next: NextLoad | null): Html {
  const reload = next
    ? html`<script type="module" src="${SCRIPTS.card}"></script>
        <noscript><meta http-equiv="refresh" content="${next.seconds}; url=${next.path}" /></noscript>`
    : '';
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${STYLE}${reload}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}
