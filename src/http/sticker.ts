import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import {
  cacheControl,
  stickerProblem,
  HELD_CACHE_CONTROL,
  labelResponse,
} from '../lookup/finding-response.ts';
import { LabelResponse } from '../lookup/schemas.ts';
import { isTemporary } from '@monroney/label/read-text';
import { LabelMissing, LabelCorrupted, type HeldLabel } from '../store/store.ts';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../pdf/pdf-workers.ts';
import type { Answer } from './problems.ts';
import {
  asciiJson,
  httpDate,
  type HeaderFields,
  digestField,
  digestOf,
  etagOfLarge,
  IMMUTABLE,
  JSON_TYPE,
} from './response.ts';
import { ifRange, conditionalJson, conditionalResponse, byteRange } from './representation.ts';
import {
  maxWaitMs,
  parameters,
  parseParameter,
  parseVinSegment,
  vinSegment,
  type Parameter,
  type Parsed,
} from './request.ts';
import {
  type HttpContext,
  CACHE_HEADERS,
  LOOKUP_HEADERS,
  LOOKUP_PARAMETERS,
  type ApiRoute,
  type Operation,
} from './operation.ts';
import { isForOurPage } from './sites.ts';

/** The routes that need a label: its PDF, its preview and its reading. */

const FAILURES = { 404: 'NoSticker', 451: 'Withdrawn', 503: 'SourceUnavailable' } as const;

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
    ...FAILURES,
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
        ...FAILURES,
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
  if (download.length > 1) {
    const detail = `"download" appears ${download.length} times in the URL. Send it once.`;
    return { reason: 'bad-parameter', detail, vin: vin.value };
  }
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
async function heldLabel(
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

/** The label and the one parameter of a request, or what is wrong. */
async function requestedLabel<T>(
  request: FastifyRequest,
  context: HttpContext,
  expected: Parameter<T>,
  client = request.client,
): Promise<Parsed<{ label: HeldLabel; parameter: T }>> {
  const vin = parseVinSegment(vinSegment(request), context.lookup);
  if (!vin.ok) return vin;
  const parameter = parseParameter(request.queryText, vin.value, expected);
  if (!parameter.ok) return parameter;
  const found = await heldLabel(request, vin.value, context, client);
  if ('reason' in found) return { ok: false, problem: found };
  return { ok: true, value: { label: found.label, parameter: parameter.value } };
}

const WIDTH: Parameter<number> = {
  name: 'width',
  values: Object.fromEntries(PREVIEW_WIDTHS.map((width) => [width, width])),
  absent: PREVIEW_WIDTH,
};

export const PREVIEW_ROUTE: ApiRoute = {
  template: '/api/sticker/{vin}/preview',
  operations: {
    get: {
      id: 'getPreview',
      tag: 'Sticker',
      summary: 'Get a picture of the window sticker',
      description:
        "The sticker's first page as a WebP picture. Sites that show many cars use `/window-sticker/{vin}/picture?width=…` instead, which counts as a page.",
      parameters: [...LOOKUP_PARAMETERS, 'Width'],
      responses: {
        200: {
          description: 'The picture.',
          headers: [...CACHE_HEADERS, ...LOOKUP_HEADERS, 'Last-Modified'],
          content: { 'image/webp': { schema: 'binary', example: 'RIFF…WEBPVP8 …' } },
        },
        ...FAILURES,
      },
    },
  },
  handle: getPreview,
};

/** Whether it is a picture on a page of another site. Scripts of other sites use the API like everybody else. */
const isOnOtherSite = ({ headers, server }: FastifyRequest): boolean =>
  headers['sec-fetch-dest'] === 'image' && !isForOurPage(headers, server.baseUrl);

/** GET /api/sticker/{vin}/preview */
async function getPreview(request: FastifyRequest, context: HttpContext): Promise<Answer> {
  const client = isOnOtherSite(request) ? request.visitor : request.client;
  const requested = await requestedLabel(request, context, WIDTH, client);
  if (!requested.ok) return requested.problem;
  const { label, parameter: width } = requested.value;
  const { vin, fetched } = label;
  const headers = {
    ...context.headerSets.inert,
    etag: `"${label.sha256}-${width}"`,
    'cache-control': IMMUTABLE,
    'last-modified': httpDate(fetched),
    'x-robots-tag': 'noindex',
  };
  const conditional = conditionalResponse(request, headers, vin);
  if (conditional) return conditional;
  const webp = await context.lookup.preview(label, width, client);
  if (!webp) {
    const detail = "We couldn't render a preview of this sticker. The PDF is available.";
    return { reason: 'no-preview', detail, vin };
  }
  return {
    status: 200,
    headers: {
      ...headers,
      'content-type': 'image/webp',
      'content-length': String(webp.length),
      'content-digest': digestOf(hash('sha256', webp, 'hex')),
    },
    body: webp,
  };
}

const INCLUDE: Parameter<boolean> = { name: 'include', values: { text: true }, absent: false };

export const LABEL_ROUTE: ApiRoute = {
  template: '/api/v1/vin/{vin}/label',
  operations: {
    get: {
      id: 'getLabel',
      tag: 'Sticker',
      summary: 'Get the label: the window sticker as data',
      description:
        'What the sticker says: color, equipment, options and prices as printed, and whether they add up to the printed total. For a sticker that is a picture, the response is 200 with `readable` false.',
      parameters: [...LOOKUP_PARAMETERS, 'Include'],
      responses: {
        200: {
          description: 'The label.',
          headers: [...CACHE_HEADERS, ...LOOKUP_HEADERS],
          content: { [JSON_TYPE]: { schema: LabelResponse, examples: 'readings' } },
        },
        ...FAILURES,
      },
    },
  },
  handle: getLabel,
};

/** GET /api/v1/vin/{vin}/label */
async function getLabel(request: FastifyRequest, context: HttpContext): Promise<Answer> {
  const requested = await requestedLabel(request, context, INCLUDE);
  if (!requested.ok) return requested.problem;
  const { label, parameter: withText } = requested.value;
  const reading = await context.lookup.reading(label);
  const lines = withText ? ((await context.lookup.lines(label)) ?? []) : null;
  const body = asciiJson(labelResponse(label, reading, lines));
  const control = isTemporary(reading) ? 'no-store' : HELD_CACHE_CONTROL;
  return conditionalJson(request, body, control, context.headerSets, { vin: label.vin });
}
