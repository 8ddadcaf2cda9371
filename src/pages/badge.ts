import type { FastifyRequest } from 'fastify';
import type { Answer, ProblemOptions } from '../http/problems.ts';
import { drawBadge, EMPTY_DRAWING } from './card/badge.ts';
import { badgeWords, glance, hidesNone, isPlain, NEUTRAL } from './glance.ts';
import { paramOf, queryTextOf, type PageContext, type PageHandler } from './page-context.ts';
import { vinFrom } from './page-lookup.ts';
import { presentProblem, problemOptions, redirect, type PageOptions } from './respond.ts';
import { drawingResponse, wantsImage } from './sticker-images.ts';

/** GET /badge/{vin}.svg: `$50,410 new · original sticker`, for other sites. */
export function badge(context: PageContext): PageHandler {
  return async (request) => {
    const typed = paramOf(request, 'vin');
    const vin = vinFrom(typed);
    if (typeof vin !== 'string') return { reason: 'bad-vin', detail: vin.message };
    if (vin !== typed) return redirect(request, `/badge/${vin}.svg${queryTextOf(request)}`, 301);
    const seen = await glance(context, request, vin);
    const text = isPlain(request) && seen.status === 'sticker' ? NEUTRAL : badgeWords(seen);
    return badgeResponse(request, seen.isHidden ? null : text, seen.response);
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
