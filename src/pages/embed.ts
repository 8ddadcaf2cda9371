import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { explain } from '../lookup/finding-response.ts';
import { optionName } from '@monroney/label/lib/option-names';
import { withCurlyApostrophes } from '@monroney/label/lib/words';
import { REASONS, type Answer, type ProblemOptions } from '../http/problems.ts';
import type { HeaderFields } from '../http/response.ts';
import type { Label } from '@monroney/label/reading/types';
import { EMBED_STYLES, SCRIPTS } from './assets.ts';
import { stickerPath } from './car-page.ts';
import { pageTitle } from './everyday-words.ts';
import { glance, type Glance } from './glance.ts';
import { html, raw, type Html } from './html.ts';
import { MISTYPED } from './mistyped.ts';
import { refresh } from './no-label.ts';
import { paramOf, type PageContext, type PageHandler } from './page-context.ts';
import { vinFrom } from './page-lookup.ts';
import { pageResponse, presentProblem, problemOptions, redirect, wantsHtml } from './respond.ts';

/** As on the sticker's page: if the lookup takes longer, the browser waits for it. */
const MAX_WAIT_MS = 150;

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

/** GET /embed/{vin}: a card with price, paint and picture, for a frame on another site. */
export function embed(context: PageContext): PageHandler {
  return async (request) => {
    const typed = paramOf(request, 'vin');
    const vin = vinFrom(typed);
    if (typeof vin !== 'string') return { reason: 'bad-vin', detail: vin.message };
    if (vin !== typed) return redirect(request, `/embed/${vin}`, 301);
    const seen = await glance(context, request, vin, MAX_WAIT_MS);
    return pageResponse(request, card(seen), { ...seen.response, headers: FRAMEABLE });
  };
}

/** A problem where the card would be. */
export function presentInFrame(problem: ProblemOptions, request: FastifyRequest): Answer {
  if (!wantsHtml(request)) return presentProblem(problem, request);
  const { title } = REASONS[problem.reason];
  const { headers, ...options } = problemOptions(problem);
  const body = html`<main>
    <div>
      <h1>${title}</h1>
      <p>${withCurlyApostrophes(problem.detail)}</p>
    </div>
  </main>`;
  return pageResponse(request, page(title, body), { ...options, headers: { ...FRAMEABLE, ...headers } });
}

function card(seen: Glance): Html {
  const { result, mistyped } = seen;
  const { vin, finding } = result;
  const name = pageTitle(result);
  const isAsking = finding.state === 'asking';
  const body = html`<main${isAsking ? html` data-asking="/window-sticker/${vin}/ready?on=card"` : ''}>
      ${finding.state === 'held' ? html`<img src="/window-sticker/${vin}/picture?width=640" alt="" />` : ''}
      <div>
        <h1>${name}</h1>
        ${finding.state === 'held' ? heldFacts(seen) : html`<p class="soft" role="status">${withCurlyApostrophes(mistyped ? `${MISTYPED}.` : explain(result).headline)}</p>`}
        <a href="${mistyped ? `/window-sticker/${vin}` : stickerPath(result)}" target="_blank" rel="noopener">${linkText(seen)}</a>
      </div>
    </main>`;
  const path = `/embed/${vin}`;
  const waiting = html`<script type="module" src="${SCRIPTS.asking}"></script>
    ${refresh(path)}`;
  return page(`${name}: window sticker`, body, isAsking ? waiting : '');
}

function heldFacts({ price, label }: Glance): Html {
  return html`${price ? html`<p class="price"><strong>${price}</strong></p>` : ''}
  ${label?.exterior ? html`<p class="soft paint">${paintWords(label)}</p>` : ''}`;
}

function paintWords(label: Label): string {
  const { color, code } = label.exterior!;
  return `${optionName(color, label)}${code ? `, code ${code}` : ''}`;
}

function linkText({ result: { finding }, sticker, mistyped }: Glance): string {
  if (finding.state === 'held') return `See the ${sticker}`;
  return mistyped ? 'Check the VIN' : 'See what the VIN says';
}

function page(title: string, body: Html, head: Html | string = ''): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${STYLE}${head}
      </head>
      <body>
        ${body}
      </body>
    </html>`;
}
