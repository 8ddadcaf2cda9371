import type { Example, Examples, ExampleSet } from './examples.ts';
import { type JsonObject, API_HEADERS, apiFailures, headers, parameters, response } from './components.ts';
import type { Template } from '../../http/routes.ts';
import { MAX_BATCH_VINS } from '../../lookup/schemas.ts';
import { getError, getHealth, getReadiness, getStatus } from './service-operations.ts';

/** Every row of the route table, with its parameters and responses. A missing row doesn't compile. */
export function paths(month: string, examples: ExampleSet): Record<Template | '/status.json', JsonObject> {
  return {
    '/api/v1/vin/{vin}': { get: getVin(examples) },
    '/api/v1/decode': { post: decodeVins(examples) },
    '/api/sticker/{vin}': { get: getSticker(), head: headSticker() },
    '/api/v1/vin/{vin}/label': { get: readSticker(examples) },
    '/api/sticker/{vin}/preview': { get: getPreview() },
    '/status.json': { get: getStatus(month) },
    '/errors/{reason}': { get: getError() },
    '/healthz': { get: getHealth() },
    '/readyz': { get: getReadiness(month) },
  };
}

const LOOKUP_HEADERS = ['Content-Location', 'Preference-Applied'];
const CACHE_HEADERS = ['ETag', 'Cache-Control', 'Content-Digest'];
const LOOKUP_PARAMETERS = ['VinInPath', 'Contact', 'XContact', 'Prefer'];

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
      413: response('BodyTooLarge'),
      415: response('UnsupportedMediaType'),
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
      "The manufacturer's PDF, unmodified; Repr-Digest has the SHA-256 of the original file. Range and conditional requests work. A 404 is definitive and may be cached, except with the reason source-off (lookups are paused). If we couldn't reach the manufacturer, the response is 503, never 404.",
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
