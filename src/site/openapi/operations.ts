import type { Example, Examples, ExampleSet } from './examples.ts';
import type { Json, JsonObject } from './schemas.ts';
import { REASONS } from '../../http/problems.ts';
import type { Template } from '../../http/routes.ts';
import { MAX_BATCH_VINS } from '../../lookup/schemas.ts';
import { getStatus } from './status-operation.ts';

/** Every row of the route table, with its parameters and responses. A missing row doesn't compile. */
export function paths(month: string, examples: ExampleSet): Record<Template | '/status.json', JsonObject> {
  return {
    '/api/v1/vin/{vin}': { get: getVin(examples) },
    '/api/v1/decode': { post: decodeVins(examples) },
    '/api/sticker/{vin}': { get: getSticker(), head: headSticker() },
    '/api/v1/vin/{vin}/label': { get: readSticker(examples) },
    '/api/sticker/{vin}/preview': { get: getPreview() },
    '/status.json': { get: getStatus(month, serviceFailures()) },
    '/errors/{reason}': { get: getError() },
    '/healthz': { get: getHealth() },
    '/readyz': { get: getReadiness(month) },
  };
}

/** On every response under `/api/`. */
export const API_HEADERS = ['RateLimit', 'RateLimit-Policy', 'X-Request-Id', 'Link', 'Deprecation', 'Sunset'];
const LOOKUP_HEADERS = ['Content-Location', 'Preference-Applied'];
const CACHE_HEADERS = ['ETag', 'Cache-Control', 'Content-Digest'];
const LOOKUP_PARAMETERS = ['VinInPath', 'Contact', 'XContact', 'Prefer'];

export const headers = (...names: string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const parameters = (...names: string[]): Json =>
  names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

const response = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` });

const named = (examples: Examples): JsonObject => ({ ...(examples as Record<string, Example & JsonObject>) });

function getVin({ lookups }: ExampleSet): JsonObject {
  return {
    operationId: 'getVin',
    tags: ['Lookup'],
    summary: 'Look up a VIN',
    description:
      'Decodes the VIN and says whether a label exists. The first lookup of a VIN asks the manufacturer, which can take up to 20 seconds (use `Prefer: wait=N` to wait less). After that the label is stored and the response is immediate. A make without labels and a VIN without a label are normal responses, not errors.',
    parameters: parameters(...LOOKUP_PARAMETERS, 'Sticker', 'IfNoneMatch'),
    responses: {
      200: {
        description: 'The vehicle, and what we know about its label.',
        headers: headers(...API_HEADERS, ...CACHE_HEADERS, ...LOOKUP_HEADERS, 'Retry-After'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/VinResponse' },
            examples: named(lookups),
          },
        },
      },
      304: response('NotModified'),
      ...apiFailures(),
    },
  };
}

function decodeVins({ lookups }: ExampleSet): JsonObject {
  const [first] = Object.values(lookups);
  const { ok: _, ...decoded } = (first?.value ?? {}) as JsonObject;
  const error = { reason: 'bad-vin', detail: 'A VIN has 17 characters; this one has 5.' };
  const results = [decoded, { vin: '1FMUK', error }];
  return {
    operationId: 'decodeVins',
    tags: ['Lookup'],
    summary: 'Decode several VINs',
    description: `Decodes up to ${MAX_BATCH_VINS} VINs and says for each whether we have its label. No manufacturer is contacted, and an invalid VIN doesn't affect the others. It counts as one request. With \`Accept: application/x-ndjson\` you get one result per line.`,
    parameters: parameters('Contact', 'XContact'),
    requestBody: {
      required: true,
      description: 'The VINs. At most 64 KB.',
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/BatchRequest' },
          example: { vins: [decoded['vin'] ?? '1FMUK8DH0TG000000', '1FMUK'] },
        },
      },
    },
    responses: {
      200: {
        description: 'One result per VIN, in the order of the request.',
        headers: headers(...API_HEADERS, ...CACHE_HEADERS),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/BatchResponse' },
            example: { ok: true, results },
          },
          'application/x-ndjson': {
            schema: { type: 'string' },
            example: results.map((result) => `${JSON.stringify(result)}\n`).join(''),
          },
        },
      },
      ...without(apiFailures(), '412'),
    },
  };
}

function without(object: JsonObject, name: string): JsonObject {
  const { [name]: _, ...rest } = object;
  return rest;
}

const PDF_HEADERS = [
  ...API_HEADERS,
  ...LOOKUP_HEADERS,
  'ETag',
  'Cache-Control',
  'Last-Modified',
  'Accept-Ranges',
  'Content-Disposition',
  'Repr-Digest',
];

/** A binary body. The example is inline because generators fetch an `externalValue` and hit the rate limit. */
const binary = (type: string, example: string): JsonObject => ({
  [type]: { schema: { type: 'string', format: 'binary' }, example },
});

/**
 * Errors that any request can get. Each status is listed, because a JSON `default` would make generated clients
 * decode a PDF as text.
 */
const serviceFailures = (): JsonObject => ({
  400: response('BadRequest'),
  500: response('InternalError'),
});

export const apiFailures = (): JsonObject => ({
  ...serviceFailures(),
  412: response('PreconditionFailed'),
  429: response('TooManyRequests'),
  503: response('StoreUnavailable'),
});

function labelFailures(): JsonObject {
  return {
    ...apiFailures(),
    404: response('NoLabel'),
    451: response('Withdrawn'),
    503: response('SourceUnavailable'),
  };
}

function getSticker(): JsonObject {
  const content = binary('application/pdf', '%PDF-1.4 …');
  return {
    operationId: 'getSticker',
    tags: ['Label'],
    summary: 'Get the original label',
    description:
      "The manufacturer's PDF, unmodified; Repr-Digest has the SHA-256 of the original file. Range and conditional requests work. A 404 is definitive and may be cached. If we couldn't reach the manufacturer, the response is 503, never 404.",
    parameters: parameters(
      ...LOOKUP_PARAMETERS,
      'Download',
      'IfNoneMatch',
      'IfModifiedSince',
      'Range',
      'IfRange',
    ),
    responses: {
      200: { description: 'The complete PDF.', headers: headers(...PDF_HEADERS, 'Content-Digest'), content },
      206: {
        description: 'The requested range.',
        headers: headers(...PDF_HEADERS, 'Content-Range'),
        content,
      },
      304: response('NotModified'),
      416: response('RangeNotSatisfiable'),
      ...labelFailures(),
    },
  };
}

function headSticker(): JsonObject {
  return {
    operationId: 'headSticker',
    tags: ['Label'],
    summary: 'Check the original label',
    description: 'The headers of getSticker without the body: size, date, ETag and digest.',
    parameters: parameters(...LOOKUP_PARAMETERS, 'Download', 'IfNoneMatch', 'IfModifiedSince'),
    responses: {
      200: { description: 'The label exists.', headers: headers(...PDF_HEADERS, 'Content-Digest') },
      304: response('NotModified'),
      ...labelFailures(),
    },
  };
}

function readSticker({ readings }: ExampleSet): JsonObject {
  return {
    operationId: 'readSticker',
    tags: ['Label'],
    summary: 'Read the label',
    description:
      'The label as data: color, equipment, options and prices as printed, and whether they add up to the printed total. For a label that is a picture, the response is 200 with `readable` false.',
    parameters: parameters(...LOOKUP_PARAMETERS, 'Include', 'IfNoneMatch'),
    responses: {
      200: {
        description: 'The reading.',
        headers: headers(...API_HEADERS, ...CACHE_HEADERS, ...LOOKUP_HEADERS),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/LabelResponse' },
            examples: named(readings),
          },
        },
      },
      304: response('NotModified'),
      ...labelFailures(),
    },
  };
}

function getPreview(): JsonObject {
  return {
    operationId: 'getPreview',
    tags: ['Label'],
    summary: 'Get a picture of the label',
    description: "The label's first page as a WebP picture.",
    parameters: parameters(...LOOKUP_PARAMETERS, 'Width', 'IfNoneMatch', 'IfModifiedSince'),
    responses: {
      200: {
        description: 'The image.',
        headers: headers(...API_HEADERS, ...CACHE_HEADERS, ...LOOKUP_HEADERS, 'Last-Modified'),
        content: binary('image/webp', 'RIFF…WEBPVP8 …'),
      },
      304: response('NotModified'),
      ...labelFailures(),
    },
  };
}

function getError(): JsonObject {
  return {
    operationId: 'getError',
    tags: ['Service'],
    summary: 'Explain an error',
    description: "The URL in a problem's `type`: what the error means and what to do. Browsers get a page.",
    parameters: [
      {
        name: 'reason',
        in: 'path',
        required: true,
        description: "A problem's `reason`.",
        schema: { type: 'string', enum: Object.keys(REASONS) },
        example: 'no-label',
      },
    ],
    responses: {
      200: {
        description: 'The explanation.',
        headers: headers('ETag', 'Cache-Control', 'X-Request-Id'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorExplanation' },
            example: { reason: 'no-label', ...REASONS['no-label'] },
          },
        },
      },
      ...serviceFailures(),
      404: response('NotFound'),
    },
  };
}

function health(
  operationId: string,
  summary: string,
  description: string,
  example: JsonObject,
  failures: JsonObject,
): JsonObject {
  return {
    operationId,
    tags: ['Service'],
    summary,
    description,
    responses: {
      200: {
        description: 'OK.',
        headers: headers('ETag', 'Cache-Control', 'X-Request-Id'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Health' }, example } },
      },
      ...serviceFailures(),
      ...failures,
    },
  };
}

const getHealth = (): JsonObject =>
  health('getHealth', 'Check liveness', 'Responds as long as the process runs.', { ok: true }, {});

const getReadiness = (month: string): JsonObject => {
  const example = { ok: false, store: 'unavailable', vpic: month };
  const failures = {
    503: {
      description: 'Not ready.',
      headers: headers('Retry-After', 'Cache-Control', 'X-Request-Id'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Health' }, example } },
    },
  };
  const description = 'Whether the data is loaded and the store is writable.';
  return health(
    'getReadiness',
    'Check readiness',
    description,
    { ok: true, store: 'writable', vpic: month },
    failures,
  );
};

/** Schemas used only by these operations. */
export const SERVICE_SCHEMAS: JsonObject = {
  ErrorExplanation: {
    type: 'object',
    description: 'What an error means and what to do about it.',
    required: ['reason', 'status', 'title', 'means', 'todo'],
    properties: {
      reason: { type: 'string', description: 'The stable reason code.' },
      status: { type: 'integer', description: 'The HTTP status of the error.' },
      title: { type: 'string', description: 'The problem in a few words.' },
      means: { type: 'string', description: 'What it means.' },
      todo: { type: 'string', description: 'What to do about it.' },
    },
  },
  Health: {
    type: 'object',
    description: 'Whether the service works.',
    required: ['ok'],
    properties: {
      ok: { type: 'boolean', description: 'Whether the service is OK.' },
      store: { type: 'string', description: 'Whether labels can be stored.' },
      vpic: { type: 'string', description: "Month of the decoder's data." },
    },
  },
};
