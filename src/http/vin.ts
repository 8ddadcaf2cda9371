import { cacheControl, retryAfterOf, vinResponse } from '../lookup/outcomes.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { andThen, type MaybePromise } from '../lib/maybe-promise.ts';
import { asciiJson, type ApiRequest, type ApiResponse } from './response.ts';
import type { Finished } from './answers.ts';
import { headOf } from './head.ts';
import { etagOf } from './headers.ts';
import { ifChanged } from './if-changed.ts';
import { takeParameter, takeVin } from './params.ts';
import type { Front } from './parts.ts';

const STICKER = { true: true, false: false, 1: true, 0: false } as const;

/** GET /api/v1/vin/{vin} */
export function getVin(request: ApiRequest, segment: string, front: Front): MaybePromise<ApiResponse> {
  if (request.query === '') {
    const known = front.answers.recent(segment);
    // Kept under the VIN in capitals, so that is what the segment is.
    if (known) return send(request, known, segment, front);
  }
  const vin = takeVin(segment, front);
  if (!vin.ok) return vin.response;
  const sticker = takeParameter<boolean>(request, vin.value, front, 'sticker', STICKER, true, true);
  if (!sticker.ok) return sticker.response;
  // Whoever does not want a label asked for has mostly a VIN nobody asked about: the row is looked at first then.
  if (!sticker.value) {
    const known = front.answers.recent(vin.value);
    return known ? send(request, known, vin.value, front) : find(request, vin.value, false, front);
  }
  return andThen(front.answers.find(vin.value), (kept) =>
    kept ? send(request, kept, vin.value, front) : find(request, vin.value, true, front),
  );
}

async function find(request: ApiRequest, vin: string, sticker: boolean, front: Front): Promise<ApiResponse> {
  const { client, patienceMs } = request;
  return respond(request, await front.lookup.find(vin, { sticker, client, patienceMs }), front);
}

function respond(request: ApiRequest, found: LookupResult, front: Front): ApiResponse {
  const body = asciiJson(vinResponse(found, front.baseUrl));
  const etag = etagOf(body);
  if (found.finding.state === 'held') {
    const kept = front.answers.keep(found.vin, body, etag, !found.specimen);
    return send(request, kept, found.vin, front);
  }
  const control = cacheControl(found);
  const wait = retryAfterOf(found.finding);
  const unchanged = () => front.sets.notModified(etag, control, null);
  return (
    ifChanged(request, { etag, modified: null, unchanged }, front, found.vin) ?? {
      status: 200,
      head: front.sets.json(body, etag, control) + (wait === null ? '' : headOf('Retry-After', String(wait))),
      body,
    }
  );
}

function send(request: ApiRequest, kept: Finished, vin: string, front: Front): ApiResponse {
  return (
    ifChanged(request, kept, front, vin) ?? { status: 200, head: front.answers.headOf(kept), body: kept.body }
  );
}
