import type { FastifyRequest } from 'fastify';
import { cacheControl, retryAfterOf, vinResponse } from '../lookup/finding-response.ts';
import { VinResponse } from '../lookup/schemas.ts';
import type { CachedLookup } from './cache.ts';
import type { Answer } from './problems.ts';
import { conditionalJson, conditionalResponse } from './representation.ts';
import {
  type HttpContext,
  CACHE_HEADERS,
  LOOKUP_HEADERS,
  LOOKUP_PARAMETERS,
  type ApiRoute,
} from './operation.ts';
import { JSON_TYPE, asciiJson } from './response.ts';
import { maxWaitMs, parseParameter, parseVinSegment, vinSegment, type Parameter } from './request.ts';

const STICKER: Parameter<boolean> = {
  name: 'sticker',
  values: { true: true, false: false, 1: true, 0: false },
  absent: true,
  ignoreCase: true,
};

export const VIN_ROUTE: ApiRoute = {
  template: '/api/v1/vin/{vin}',
  operations: {
    get: {
      id: 'getVin',
      tag: 'Lookup',
      summary: 'Look up a VIN',
      description:
        'Decodes the VIN and says whether its window sticker is available. The first lookup of a VIN asks the manufacturer, which can take up to 20 seconds (use `Prefer: wait=N` to wait less). After that the sticker is stored and the response is immediate. A make without stickers and a VIN without a sticker are normal responses, not errors.',
      parameters: [...LOOKUP_PARAMETERS, 'Sticker'],
      responses: {
        200: {
          description: 'The vehicle, and what we know about its window sticker.',
          headers: [...CACHE_HEADERS, ...LOOKUP_HEADERS, 'Retry-After'],
          content: { [JSON_TYPE]: { schema: VinResponse, examples: 'lookups' } },
        },
      },
    },
  },
  handle: getVin,
};

/** GET /api/v1/vin/{vin} */
async function getVin(request: FastifyRequest, context: HttpContext): Promise<Answer> {
  const { queryText } = request;
  const segment = vinSegment(request);
  if (queryText === '') {
    const cached = context.cache.lookup(segment);
    // The cache key is the VIN in upper case, so a hit means that the segment is a valid VIN.
    if (cached) return send(request, cached, segment);
  }
  const parsed = parseVinSegment(segment, context.lookup);
  if (!parsed.ok) return parsed.problem;
  const vin = parsed.value;
  const sticker = parseParameter(queryText, vin, STICKER);
  if (!sticker.ok) return sticker.problem;
  const cached = context.cache.lookup(vin);
  if (cached) return send(request, cached, vin);
  const options = { sticker: sticker.value, client: request.client, maxWaitMs: maxWaitMs(request) };
  const found = await context.lookup.find(vin, options);
  const body = asciiJson(vinResponse(found, context.baseUrl));
  if (found.finding.state === 'held') return send(request, context.cache.setLookup(vin, body), vin);
  const wait = retryAfterOf(found.finding);
  const more = wait === null ? undefined : { 'retry-after': String(wait) };
  return conditionalJson(request, body, cacheControl(found), context.headerSets, { vin, more });
}

const send = (request: FastifyRequest, { body, headers }: CachedLookup, vin: string): Answer =>
  conditionalResponse(request, headers, vin) ?? { status: 200, headers, body };
