import { parseVin, type Vehicle } from '@monroney/vin';
import { cacheControl, retryAfterOf, vinResponse } from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { andThen, type MaybePromise } from '../lib/maybe-promise.ts';
import { MAX_BATCH_VINS, type BatchResult, type VinResponse } from '../lookup/schemas.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import { asciiJson, type ApiRequest, type ApiResponse, headOf } from './response.ts';
import type { CachedResponse } from './response-cache.ts';
import { etagOf, JSON_TYPE } from './headers.ts';
import { conditionalResponse } from './conditional.ts';
import { parseParameter, parseVinSegment, type Parameter, MAX_BODY_BYTES } from './request.ts';
import type { HttpContext } from './context.ts';
import { problem } from './problems.ts';

/** Handlers of lookups: of one VIN, and of a batch. */

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
  const body = lookupJson(vinResponse(found, context.baseUrl));
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

/** Cars of one kind share their decoded vehicle (`decode-cache.ts`). */
const vehicles = new WeakMap<Vehicle, string>();

/** The same as `asciiJson(response)`, but makes the JSON of a vehicle once for all cars of its kind. */
function lookupJson({ ok, vin, warning, vehicle, windowSticker }: VinResponse): string {
  let vehicleJson = vehicle === null ? 'null' : vehicles.get(vehicle);
  if (vehicleJson === undefined) {
    vehicleJson = asciiJson(vehicle);
    vehicles.set(vehicle!, vehicleJson);
  }
  return `{"ok":${ok},"vin":"${vin}","warning":${warning === null ? 'null' : asciiJson(warning)},"vehicle":${vehicleJson},"windowSticker":${asciiJson(windowSticker)}}`;
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

const NDJSON_TYPE = 'application/x-ndjson';
const MAX_ECHOED_CHARACTERS = 100;
/** Takes up to 5 ms, if each needs a suggestion. */
const VINS_PER_TURN = 10;

/** POST /api/v1/decode */
export async function decodeVins(request: ApiRequest, context: HttpContext): Promise<ApiResponse> {
  const vins = vinsIn(await request.body!(), request.headers['content-encoding']);
  if (typeof vins === 'string') return problem(context, { reason: 'bad-parameter', detail: vins });
  const results: BatchResult[] = [];
  for (let first = 0; first < vins.length; first += VINS_PER_TURN) {
    await context.turn();
    const piece = vins.slice(first, first + VINS_PER_TURN);
    results.push(...(await Promise.all(piece.map((text) => resultOf(text, context)))));
  }
  const isLines = wantsLines(request.headers.accept);
  const body = isLines
    ? results.map((one) => `${asciiJson(one)}\n`).join('')
    : asciiJson({ ok: true, results });
  const head =
    context.headerSets.json(body, etagOf(body), 'no-store', isLines ? NDJSON_TYPE : JSON_TYPE) +
    headOf('Vary', 'Accept');
  return { status: 200, head, body };
}

const EXAMPLE = '{"vins": ["1FMUK8DH0TG000000"]}';

/** The VINs of a body, or what is wrong with it. */
function vinsIn(body: string | null, coding = 'identity'): string[] | string {
  if (body === null) return `The body is larger than ${MAX_BODY_BYTES / 1024} KB.`;
  if (coding.toLowerCase() !== 'identity') return 'Send the body uncompressed, without Content-Encoding.';
  let given: unknown;
  try {
    given = JSON.parse(body);
  } catch {
    return `The body must be JSON: ${EXAMPLE}.`;
  }
  const vins = (given as { vins?: unknown } | null)?.vins;
  if (!Array.isArray(vins)) return `The body must have "vins", an array of strings: ${EXAMPLE}.`;
  const wrong = vins.findIndex((one) => typeof one !== 'string');
  if (wrong >= 0) return `"vins" must contain only strings, but vins[${wrong}] is ${kindOf(vins[wrong])}.`;
  if (vins.length < 1 || vins.length > MAX_BATCH_VINS)
    return `"vins" must contain 1 to ${MAX_BATCH_VINS} VINs, got ${vins.length}.`;
  return vins;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Looks a VIN up without asking its source. One failed VIN doesn't fail the others. */
async function resultOf(text: string, context: HttpContext): Promise<BatchResult> {
  const parsed = parseVin(text.trim());
  if (!parsed.ok)
    return {
      vin: text.slice(0, MAX_ECHOED_CHARACTERS),
      error: { reason: 'bad-vin', detail: parsed.message },
    };
  try {
    const found = await context.lookup.find(parsed.vin, { sticker: false });
    const { vin, warning, vehicle, windowSticker } = vinResponse(found, context.baseUrl);
    return { vin, warning, vehicle, windowSticker };
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof LabelMissing)) throw error;
    const detail = `${STORE_UNAVAILABLE}. Try again in 10 seconds.`;
    return { vin: parsed.vin, error: { reason: 'store-unavailable', detail } };
  }
}

/**
 * Whether the client prefers NDJSON. If it accepts both equally, it gets JSON: generated clients list every type that the
 * OpenAPI document names, and can only read JSON.
 */
function wantsLines(accept: string | undefined): boolean {
  const weight = (type: string): number => {
    const named = (accept ?? '').split(',').find((one) => one.trim().toLowerCase().startsWith(type));
    if (named === undefined) return 0;
    return Number(/;\s*q=([\d.]+)/i.exec(named)?.[1] ?? 1);
  };
  return weight(NDJSON_TYPE) > weight(JSON_TYPE);
}
