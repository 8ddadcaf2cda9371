import type { FastifyRequest } from 'fastify';
import {
  cacheControl,
  retryAfterSecondsOf,
  stickerProblem,
  vinResponse,
} from '../lookup/finding-response.ts';
import { VinResponse } from '../lookup/schemas.ts';
import { LabelCorrupted, LabelMissing } from '../store/store.ts';
import type { CachedLookup } from './cache.ts';
import {
  CACHE_HEADERS,
  LABEL_FAILURES,
  LOOKUP_HEADERS,
  LOOKUP_PARAMETERS,
  type ApiRoute,
  type HttpContext,
  type Operation,
} from './operation.ts';
import type { Answer } from './problems.ts';
import { byteRange, conditionalJson, conditionalResponse, ifRange } from './representation.ts';
import {
  maxWaitMs,
  parameters,
  parseParameter,
  parseVinSegment,
  repeatedParameter,
  vinSegment,
  type Parameter,
} from './request.ts';
import { asciiJson, digestField, etagOfLarge, JSON_TYPE, type HeaderFields } from './response.ts';

/** The routes of a new VIN: what is known about it, and its label as the manufacturer's PDF. `label.ts` has what we make of that. */

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
  const wait = retryAfterSecondsOf(found.finding);
  const more = wait === null ? undefined : { 'retry-after': String(wait) };
  return conditionalJson(request, body, cacheControl(found), context.headerSets, { vin, more });
}

const send = (request: FastifyRequest, { body, headers }: CachedLookup, vin: string): Answer =>
  conditionalResponse(request, headers, vin) ?? { status: 200, headers, body };

const PDF_HEADERS = [
  ...LOOKUP_HEADERS,
  'ETag',
  'Cache-Control',
  'Last-Modified',
  'Accept-Ranges',
  'Content-Disposition',
  'Repr-Digest',
];
// The examples are inline, because generators fetch an `externalValue` and hit the rate limit.
const PDF_CONTENT = { 'application/pdf': { schema: 'binary', example: '%PDF-1.4 …' } } as const;

const HEAD_STICKER: Operation = {
  id: 'headSticker',
  tag: 'Sticker',
  summary: 'Check the window sticker',
  description: 'The headers of getSticker without the body: size, date, ETag and digest.',
  parameters: [...LOOKUP_PARAMETERS, 'Download'],
  responses: {
    200: { description: 'The sticker exists.', headers: PDF_HEADERS },
    ...LABEL_FAILURES,
  },
};

export const STICKER_ROUTE: ApiRoute = {
  template: '/api/sticker/{vin}',
  operations: {
    get: {
      id: 'getSticker',
      tag: 'Sticker',
      summary: 'Get the window sticker',
      description:
        "The manufacturer's PDF, unmodified; Repr-Digest has the SHA-256 of the original file. Range and conditional requests work. A 404 means that there is none to get now: keep it for as long as Cache-Control says, since a new car's sticker may still be published. If we couldn't reach the manufacturer, the response is 503, never 404.",
      parameters: [...LOOKUP_PARAMETERS, 'Download'],
      responses: {
        200: {
          description: 'The complete PDF.',
          headers: [...PDF_HEADERS, 'Content-Digest'],
          content: PDF_CONTENT,
        },
        206: {
          description: 'The requested range.',
          headers: [...PDF_HEADERS, 'Content-Digest', 'Content-Range'],
          content: PDF_CONTENT,
        },
        416: 'RangeNotSatisfiable',
        ...LABEL_FAILURES,
      },
    },
    head: HEAD_STICKER,
  },
  handle: getSticker,
};

/** GET /api/sticker/{vin} */
async function getSticker(request: FastifyRequest, context: HttpContext): Promise<Answer> {
  const vin = parseVinSegment(vinSegment(request), context.lookup);
  if (!vin.ok) return vin.problem;
  const download = request.queryText === '' ? [] : parameters(request.queryText, 'download');
  const asFile = /^(?:1|true)$/i.test(download[0] ?? '');
  if (download.length > 1) return repeatedParameter('download', download.length, vin.value);
  try {
    return await sendPdf(request, vin.value, asFile, context);
  } catch (error) {
    if (!(error instanceof LabelMissing || error instanceof LabelCorrupted)) throw error;
    // It may have been replaced since it was cached. Otherwise its source is asked again.
    context.cache.drop(vin.value);
    return sendPdf(request, vin.value, asFile, context);
  }
}

/** The label of a VIN, fetched if necessary, or the problem that says why there is none. */
export async function heldLabel(
  request: FastifyRequest,
  vin: string,
  { cache, lookup }: HttpContext,
  client = request.client,
) {
  const cached = cache.label(vin);
  if (cached) return cached;
  const options = { sticker: true, client, maxWaitMs: maxWaitMs(request) };
  const found = await lookup.find(vin, options);
  if (found.finding.state === 'held') return cache.setLabel(found.finding.label);
  return { ...stickerProblem(found)!, vin, cacheControl: cacheControl(found) };
}

async function sendPdf(
  request: FastifyRequest,
  vin: string,
  asFile: boolean,
  context: HttpContext,
): Promise<Answer> {
  const { cache } = context;
  const found = await heldLabel(request, vin, context);
  if ('reason' in found) return found;
  const { label, headers: inline } = found;
  const { fetched, bytes } = label;
  const same = conditionalResponse(request, inline, vin);
  if (same) return same;
  const headers = asFile ? { ...inline, 'content-disposition': attachment(inline) } : inline;
  // RFC 9110, 14.2: Range is for GET alone.
  if (request.method === 'HEAD') return { status: 200, headers, body: null };
  const { range, 'if-range': condition } = request.headers;
  const part = ifRange(condition, inline.etag, fetched) ? byteRange(range, bytes) : 'full';
  if (part === 'unsatisfiable')
    return {
      reason: 'range-not-satisfiable',
      detail: `The file has ${bytes} bytes, 0 to ${bytes - 1}.`,
      vin,
      headers: { 'content-range': `bytes */${bytes}` },
    };
  const pdf = await cache.pdf(found);
  if (part === 'full') return { status: 200, headers, body: pdf };
  const { start, end } = part;
  const body = pdf.subarray(start, end + 1);
  return {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(body.length),
      'content-range': `bytes ${start}-${end}/${bytes}`,
      // Of the part. It may be large, so another thread computes it.
      'content-digest': digestField(await etagOfLarge(body)),
    },
    body,
  };
}

const attachment = (headers: HeaderFields): string =>
  String(headers['content-disposition']).replace('inline', 'attachment');
