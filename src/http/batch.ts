import type { ServerResponse } from 'node:http';
import { parseVin } from '@monroney/vin';
import type { FastifyRequest } from 'fastify';
import { vinResponse } from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import type { Lookup } from '../lookup/find.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { BatchRequest, BatchResponse, MAX_BATCH_VINS, type BatchResult } from '../lookup/schemas.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import {
  type HttpContext,
  CACHE_HEADERS,
  CONTACT_PARAMETERS,
  type Json,
  type JsonObject,
  type ApiRoute,
  type Samples,
} from './operation.ts';
import { etagOf, JSON_TYPE, asciiJson } from './response.ts';
import type { Answer } from './problems.ts';
import { disconnectionOf, explainBadVin, weightsIn } from './request.ts';

const NDJSON_TYPE = 'application/x-ndjson';
const MAX_ECHOED_CHARACTERS = 100;

export const DECODE_ROUTE: ApiRoute = {
  template: '/api/v1/decode',
  operations: {
    post: {
      id: 'decodeVins',
      tag: 'Lookup',
      summary: 'Decode several VINs',
      description: `Decodes up to ${MAX_BATCH_VINS} VINs and says for each what we know about its window sticker. No manufacturer is contacted, and an invalid VIN doesn't affect the others: its result has \`error\` instead of \`vehicle\` and \`windowSticker\`. It counts as one request. With \`Accept: application/x-ndjson\` you get one result per line.`,
      parameters: CONTACT_PARAMETERS,
      body: {
        description: 'The VINs. At most 64 KB.',
        type: JSON_TYPE,
        schema: BatchRequest,
        example: { vins: ['1FMUK8DH0TG000000', '1FMUK'] },
      },
      responses: {
        200: {
          description: 'One result per VIN, in the order of the request.',
          headers: CACHE_HEADERS,
          content: {
            [JSON_TYPE]: {
              schema: BatchResponse,
              example: (samples) => ({ ok: true, results: exampleResults(samples) }),
            },
          },
          otherContent: {
            [NDJSON_TYPE]: {
              schema: 'text',
              example: (samples) =>
                exampleResults(samples)
                  .map((result) => `${JSON.stringify(result)}\n`)
                  .join(''),
            },
          },
        },
        415: 'UnsupportedMediaType',
      },
    },
  },
  handle: decodeVins,
};

function exampleResults({ lookups }: Samples): Json[] {
  const [first] = Object.values(lookups);
  const { ok: _, ...decoded } = (first?.value ?? {}) as JsonObject;
  return [decoded, invalidVin('1FMUK', 'A VIN has 17 characters; this one has 5.', null)];
}

/** POST /api/v1/decode */
async function decodeVins(
  request: FastifyRequest,
  context: HttpContext,
  res: ServerResponse,
): Promise<Answer> {
  const { 'content-type': type = JSON_TYPE, 'content-encoding': coding = 'identity' } = request.headers;
  if (!IS_JSON.test(type))
    return { reason: 'unsupported-media-type', detail: `Send JSON with Content-Type: ${JSON_TYPE}.` };
  if (coding.toLowerCase() !== 'identity') {
    const detail = 'Send the body uncompressed, without Content-Encoding.';
    return { reason: 'unsupported-media-type', detail };
  }
  const vins = requestedVins((request.body as string | undefined) ?? '');
  if (typeof vins === 'string') return { reason: 'bad-parameter', detail: vins };
  const results = await context.longWork.mapAsync(
    request.client,
    vins,
    (text) => findOne(text, context),
    (found) => resultOf(found, context),
    disconnectionOf(res),
  );
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
function requestedVins(body: string): string[] | string {
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

/** The result of a VIN that wasn't looked up. */
export type BatchError = Pick<BatchResult, 'vin' | 'suggestedVin'> & Required<Pick<BatchResult, 'error'>>;

export const invalidVin = (text: string, detail: string, suggestedVin: string | null): BatchError => ({
  vin: text.slice(0, MAX_ECHOED_CHARACTERS),
  suggestedVin,
  error: { reason: 'bad-vin', detail },
});

type BatchContext = Pick<HttpContext, 'lookup' | 'baseUrl'>;

export const batchResult = async (text: string, context: BatchContext): Promise<BatchResult> =>
  resultOf(await findOne(text, context), context);

async function findOne(text: string, { lookup }: BatchContext): Promise<LookupResult | BatchError> {
  const parsed = parseVin(text.trim());
  if (parsed.ok) return findKnown(parsed.vin, lookup);
  const { message, suggested } = explainBadVin(text, parsed.message, lookup);
  return invalidVin(text, message, suggested);
}

/** Looks a VIN up without asking its source. One failed VIN doesn't fail the others. */
export async function findKnown(
  vin: string,
  lookup: Pick<Lookup, 'find'>,
): Promise<LookupResult | BatchError> {
  try {
    return await lookup.find(vin, { sticker: false });
  } catch (error) {
    if (!(error instanceof StoreUnavailable || error instanceof LabelMissing)) throw error;
    const detail = `${STORE_UNAVAILABLE}. Try again in 10 seconds.`;
    return { vin, suggestedVin: null, error: { reason: 'store-unavailable', detail } };
  }
}

function resultOf(found: LookupResult | BatchError, { baseUrl }: BatchContext): BatchResult {
  if (!('finding' in found)) return found;
  const { ok: _, ...result } = vinResponse(found, baseUrl);
  return result;
}

/**
 * Whether the client prefers NDJSON. If it accepts both equally, it gets JSON: generated clients list every type that the
 * OpenAPI document names, and can only read JSON.
 */
function wantsLines(accept: string | undefined): boolean {
  const weights = weightsIn(accept);
  return (weights.get(NDJSON_TYPE) ?? 0) > (weights.get(JSON_TYPE) ?? 0);
}
