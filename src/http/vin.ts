import { cacheControl, retryAfterOf, vinResponse } from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { andThen, type MaybePromise } from '../lib/maybe-promise.ts';
import { asciiJson, type ApiRequest, type ApiResponse } from './response.ts';
import type { CachedResponse } from './response-cache.ts';
import { headOf } from './head.ts';
import { etagOf } from './headers.ts';
import { conditionalResponse } from './conditional.ts';
import { parseParameter, parseVinSegment, type Parameter } from './request.ts';
import type { HttpContext } from './context.ts';

const STICKER: Parameter<boolean> = {
  name: 'sticker',
  values: { true: true, false: false, 1: true, 0: false },
  absent: true,
  ignoreCase: true,
};

/** GET /api/v1/vin/{vin} */
export function getVin(
  request: ApiRequest,
  segment: string,
  context: HttpContext,
): MaybePromise<ApiResponse> {
  if (request.query === '') {
    const cached = context.responseCache.recent(segment);
    // The cache key is the VIN in upper case, so a hit means that the segment is a valid VIN.
    if (cached) return send(request, cached, segment, context);
  }
  const vin = parseVinSegment(segment, context);
  if (!vin.ok) return vin.response;
  const sticker = parseParameter(request, vin.value, context, STICKER);
  if (!sticker.ok) return sticker.response;
  // With sticker=false most VINs are new to us, so don't look for a cached response in the store.
  if (!sticker.value) {
    const cached = context.responseCache.recent(vin.value);
    return cached ? send(request, cached, vin.value, context) : find(request, vin.value, false, context);
  }
  return andThen(context.responseCache.find(vin.value), (kept) =>
    kept ? send(request, kept, vin.value, context) : find(request, vin.value, true, context),
  );
}

function find(
  request: ApiRequest,
  vin: string,
  sticker: boolean,
  context: HttpContext,
): MaybePromise<ApiResponse> {
  const { client, maxWaitMs } = request;
  return andThen(context.lookup.find(vin, { sticker, client, maxWaitMs }), (found) =>
    respond(request, found, context),
  );
}

function respond(request: ApiRequest, found: LookupResult, context: HttpContext): ApiResponse {
  const body = asciiJson(vinResponse(found, context.baseUrl));
  const etag = etagOf(body);
  if (found.finding.state === 'held') {
    const kept = context.responseCache.set(found.vin, body, etag, !found.specimen);
    return send(request, kept, found.vin, context);
  }
  const control = cacheControl(found);
  const wait = retryAfterOf(found.finding);
  const unchanged = () => context.headerSets.notModified(etag, control, null);
  return (
    conditionalResponse(request, { etag, modified: null, unchanged }, context, found.vin) ?? {
      status: 200,
      head:
        context.headerSets.json(body, etag, control) +
        (wait === null ? '' : headOf('Retry-After', String(wait))),
      body,
    }
  );
}

function send(request: ApiRequest, kept: CachedResponse, vin: string, context: HttpContext): ApiResponse {
  return (
    conditionalResponse(request, kept, context, vin) ?? {
      status: 200,
      head: context.responseCache.headOf(kept),
      body: kept.body,
    }
  );
}
