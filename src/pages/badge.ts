import type { FastifyRequest } from 'fastify';
import { capitalize } from '@monroney/label/lib/words';
import { REASONS, type Answer, type ProblemOptions } from '../http/problems.ts';
import { drawBadge } from './card/badge.ts';
import { glance } from './glance.ts';
import { raw } from './html.ts';
import { paramOf, type PageContext, type PageHandler } from './page-context.ts';
import { vinFrom } from './page-lookup.ts';
import {
  pageResponse,
  presentProblem,
  problemOptions,
  redirect,
  wantsHtml,
  type PageOptions,
} from './respond.ts';
import { sharedImage } from './sticker-images.ts';

/** An image can't ask again, but the proxies of mail and code hosting sites give up after four seconds. */
const MAX_WAIT_MS = 3000;

/** GET /badge/{vin}.svg: `$50,410 new · original sticker`, for other sites. */
export function badge(context: PageContext): PageHandler {
  return async (request) => {
    const typed = paramOf(request, 'vin');
    const vin = vinFrom(typed);
    if (typeof vin !== 'string') return { reason: 'bad-vin', detail: vin.message };
    if (vin !== typed) return redirect(request, `/badge/${vin}.svg`, 301);
    const { price, sticker, response } = await glance(context, request, vin, MAX_WAIT_MS);
    const text = price ? `${price} · ${sticker}` : capitalize(sticker);
    return badgeResponse(request, text, response);
  };
}

/** Browsers show a picture that comes with an error, and nothing in place of other responses. */
export function presentAsBadge(problem: ProblemOptions, request: FastifyRequest): Answer {
  const isImage = /\bimage\//.test(request.headers.accept ?? '') && !wantsHtml(request);
  if (!isImage) return presentProblem(problem, request);
  return badgeResponse(request, REASONS[problem.reason].title, problemOptions(problem));
}

function badgeResponse(request: FastifyRequest, text: string, options: PageOptions): Answer {
  const image = sharedImage(request, 'image/svg+xml', options.cacheControl!);
  return pageResponse(request, raw(drawBadge(text)), {
    ...options,
    headers: { ...image, ...options.headers },
  });
}
