import { setImmediate } from 'node:timers/promises';
import { parseVin, type Vehicle } from '@monroney/vin';
import type { FastifyRequest } from 'fastify';
import { cacheControl, HELD_CACHE_CONTROL, retryAfterOf, vinResponse } from '../lookup/finding-response.ts';
import { MAX_BATCH_VINS, type BatchResult, type VinResponse } from '../lookup/schemas.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import type { CachedLookup } from './cache.ts';
import type { Answer } from './problems.ts';
import { conditionalJson, conditionalResponse } from './conditional.ts';
import type { HttpContext } from './context.ts';
import { etagOf, JSON_TYPE } from './headers.ts';
import { maxWaitMs, parseParameter, parseVinSegment, type Parameter } from './request.ts';
import { asciiJson } from './response.ts';

/** Handlers of lookups: of one VIN, and of a batch. */

const STICKER: Parameter<boolean> = {
  name: 'sticker',
  values: { true: true, false: false, 1: true, 0: false },
  absent: true,
  ignoreCase: true,
};

/** GET /api/v1/vin/{vin} */
export async function getVin(
  request: FastifyRequest,
  segment: string,
  context: HttpContext,
): Promise<Answer> {
  const { queryText } = request;
  if (queryText === '') {
    const cached = context.cache.lookup(segment);
    // The cache key is the VIN in upper case, so a hit means that the segment is a valid VIN.
    if (cached) return send(request, cached, segment, context);
  }
  const parsed = parseVinSegment(segment);
  if (!parsed.ok) return parsed.problem;
  const vin = parsed.value;
  const sticker = parseParameter(queryText, vin, STICKER);
  if (!sticker.ok) return sticker.problem;
  // With sticker=false most VINs are new to us, so don't look for a cached response in the store.
  const cached = context.cache.lookup(vin) ?? (sticker.value ? await context.cache.storedLookup(vin) : null);
  if (cached) return send(request, cached, vin, context);
  const options = { sticker: sticker.value, client: request.client, maxWaitMs: maxWaitMs(request) };
  const found = await context.lookup.find(vin, options);
  const body = lookupJson(vinResponse(found, context.baseUrl));
  if (found.finding.state === 'held')
    return send(request, context.cache.setLookup(vin, body, !found.specimen), vin, context);
  const wait = retryAfterOf(found.finding);
  const more = wait === null ? undefined : { 'retry-after': String(wait) };
  return conditionalJson(request, body, cacheControl(found), context.headerSets, { vin, more });
}

function send(
  request: FastifyRequest,
  { body, etag, headers }: CachedLookup,
  vin: string,
  { headerSets }: HttpContext,
): Answer {
  const unchanged = () => headerSets.notModified(etag, HELD_CACHE_CONTROL);
  const conditional = conditionalResponse(request, { etag, modified: null, unchanged }, vin);
  return conditional ?? { status: 200, headers, body };
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

const NDJSON_TYPE = 'application/x-ndjson';
const MAX_ECHOED_CHARACTERS = 100;
/** Takes up to 5 ms, if each needs a suggestion. */
const VINS_PER_TURN = 10;

/** POST /api/v1/decode */
export async function decodeVins(request: FastifyRequest, context: HttpContext): Promise<Answer> {
  const { 'content-type': type = JSON_TYPE, 'content-encoding': coding = 'identity' } = request.headers;
  if (!IS_JSON.test(type))
    return { reason: 'unsupported-media-type', detail: `Send JSON with Content-Type: ${JSON_TYPE}.` };
  if (coding.toLowerCase() !== 'identity') {
    const detail = 'Send the body uncompressed, without Content-Encoding.';
    return { reason: 'unsupported-media-type', detail };
  }
  const vins = vinsIn((request.body as string | undefined) ?? '');
  if (typeof vins === 'string') return { reason: 'bad-parameter', detail: vins };
  const results: BatchResult[] = [];
  for (let first = 0; first < vins.length; first += VINS_PER_TURN) {
    // Other requests come between two pieces.
    await setImmediate();
    const piece = vins.slice(first, first + VINS_PER_TURN);
    results.push(...(await Promise.all(piece.map((text) => resultOf(text, context)))));
  }
  const isLines = wantsLines(request.headers.accept);
  const body = isLines
    ? results.map((one) => `${asciiJson(one)}\n`).join('')
    : asciiJson({ ok: true, results });
  const headers = {
    ...context.headerSets.json(body, etagOf(body), 'no-store', isLines ? NDJSON_TYPE : JSON_TYPE),
    vary: 'Accept-Encoding, Accept',
  };
  return { status: 200, headers, body };
}

const IS_JSON = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;
const EXAMPLE = '{"vins": ["1FMUK8DH0TG000000"]}';

/** The VINs of a body, or what is wrong with it. */
function vinsIn(body: string): string[] | string {
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
