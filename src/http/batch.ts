import { parseVin } from '@monroney/vin';
import { MAX_BATCH_VINS, type BatchResult } from '../lookup/schemas.ts';
import { vinResponse } from '../lookup/finding-response.ts';
import { STORE_UNAVAILABLE } from '../lookup/messages.ts';
import { LabelMissing, StoreUnavailable } from '../store/store.ts';
import { asciiJson, type ApiRequest, type ApiResponse } from './response.ts';
import { MAX_BODY_BYTES } from './request.ts';
import { headOf } from './head.ts';
import { etagOf, JSON_TYPE } from './headers.ts';
import type { HttpContext } from './context.ts';
import { problem } from './problems.ts';

const NDJSON_TYPE = 'application/x-ndjson';
const MAX_ECHOED_CHARACTERS = 100;

/** POST /api/v1/decode */
export async function decodeVins(request: ApiRequest, context: HttpContext): Promise<ApiResponse> {
  const vins = vinsIn(await request.body!(), request.headers['content-encoding']);
  if (typeof vins === 'string') return problem(context, { reason: 'bad-parameter', detail: vins });
  const results = await Promise.all(vins.map((text) => resultOf(text, context)));
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
