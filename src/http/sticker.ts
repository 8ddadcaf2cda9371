import { hash } from 'node:crypto';
import {
  cacheControl,
  stickerProblem,
  HELD_CACHE_CONTROL,
  labelResponse,
} from '../lookup/finding-response.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { LabelMissing, LabelCorrupted, type HeldLabel } from '../store/store.ts';
import { andThen, type MaybePromise } from '../lib/maybe-promise.ts';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../pdf/pdf-workers.ts';
import { asciiJson, type ApiRequest, type ApiResponse, headOf, type Head } from './response.ts';
import { ifRange, conditionalResponse, byteRange, type ByteRange } from './conditional.ts';
import type { CachedLabel } from './label-cache.ts';
import { parameters, parseParameter, parseVinSegment, type Parameter, type Parsed } from './request.ts';
import type { HttpContext } from './context.ts';
import { problem } from './problems.ts';
import { digestOf, IMMUTABLE, etagOf } from './headers.ts';

/** Handlers of the routes that need a label: its PDF, its preview and its reading. */

/** GET /api/sticker/{vin} */
export function getSticker(
  request: ApiRequest,
  segment: string,
  context: HttpContext,
): MaybePromise<ApiResponse> {
  const vin = parseVinSegment(segment, context);
  if (!vin.ok) return vin.response;
  const download = request.query === '' ? [] : parameters(request.query, 'download');
  if (download.length > 1) {
    const detail = `"download" appears ${download.length} times in the URL. Send it once.`;
    return problem(context, { reason: 'bad-parameter', detail, vin: vin.value });
  }
  const asFile = download[0] === '1';
  const cached = context.labelCache.get(vin.value);
  const send = (file: CachedLabel) => sendPdf(request, file, asFile, context);
  const found = async () => {
    const held = await heldLabel(request, vin.value, context);
    return 'status' in held ? held : send(context.labelCache.set(held));
  };
  return ifDamaged(
    () => (cached ? send(cached) : found()),
    () => {
      // It may have been replaced since it was cached. Otherwise its source is asked again.
      context.labelCache.drop(vin.value);
      context.responseCache.drop(vin.value);
      return found();
    },
  );
}

/** Runs `otherwise` when the bytes of a label are missing or corrupted. */
function ifDamaged(
  work: () => MaybePromise<ApiResponse>,
  otherwise: () => MaybePromise<ApiResponse>,
): MaybePromise<ApiResponse> {
  const caught = (error: unknown) => {
    if (error instanceof LabelMissing || error instanceof LabelCorrupted) return otherwise();
    throw error;
  };
  try {
    const response = work();
    return response instanceof Promise ? response.catch(caught) : response;
  } catch (error) {
    return caught(error);
  }
}

/** The label of a VIN, fetched if necessary, or the response that says why there is none. */
async function heldLabel(
  request: ApiRequest,
  vin: string,
  context: HttpContext,
): Promise<HeldLabel | ApiResponse> {
  const cached = context.labelCache.get(vin);
  if (cached) return cached.label;
  const { client, maxWaitMs } = request;
  const found = await context.lookup.find(vin, { sticker: true, client, maxWaitMs });
  return found.finding.state === 'held' ? found.finding.label : noLabel(found, context);
}

function noLabel(found: LookupResult, context: HttpContext): ApiResponse {
  const why = stickerProblem(found)!;
  return problem(context, { ...why, vin: found.vin, cacheControl: cacheControl(found) });
}

function sendPdf(
  request: ApiRequest,
  file: CachedLabel,
  asFile: boolean,
  context: HttpContext,
): MaybePromise<ApiResponse> {
  const same = conditionalResponse(request, file, context, file.label.vin);
  if (same) return same;
  const { label, etag } = file;
  const head = context.labelCache.headOf(file, asFile);
  // RFC 9110, 14.2: Range is for GET alone.
  if (request.method === 'HEAD') return { status: 200, head: head + file.fullHead, body: null };
  const { range } = request.headers;
  if (range !== undefined && ifRange(request.headers['if-range'], etag, label.fetched)) {
    const part = byteRange(range, label.bytes);
    if (part === 'unsatisfiable') return rangeNotSatisfiable(label, context);
    if (part !== 'full') return sendPart(label, head, part, context);
  }
  return andThen(context.pdfCache.take(label), (shared) => ({
    status: 200,
    head: head + file.fullHead,
    body: shared ?? { open: () => context.lookup.pdfStream(label, 0, label.bytes - 1) },
  }));
}

function sendPart(
  label: HeldLabel,
  head: Head,
  part: ByteRange,
  context: HttpContext,
): MaybePromise<ApiResponse> {
  const { start, end } = part;
  const ours = `Content-Length: ${end - start + 1}\r\nContent-Range: bytes ${start}-${end}/${label.bytes}\r\n`;
  return andThen(context.pdfCache.take(label), (shared) => ({
    status: 206,
    head: head + ours,
    body: shared
      ? { bytes: shared.bytes.subarray(start, end + 1), done: () => shared.done() }
      : { open: () => context.lookup.pdfStream(label, start, end) },
  }));
}

function rangeNotSatisfiable(label: HeldLabel, context: HttpContext): ApiResponse {
  return problem(context, {
    reason: 'range-not-satisfiable',
    detail: `The file has ${label.bytes} bytes, 0 to ${label.bytes - 1}.`,
    vin: label.vin,
    head: headOf('Content-Range', `bytes */${label.bytes}`),
  });
}

/** The label and the one parameter of a request, or the error response. */
async function requestedLabel<T>(
  request: ApiRequest,
  segment: string,
  context: HttpContext,
  expected: Parameter<T>,
): Promise<Parsed<{ label: HeldLabel; parameter: T }>> {
  const vin = parseVinSegment(segment, context);
  if (!vin.ok) return vin;
  const parameter = parseParameter(request, vin.value, context, expected);
  if (!parameter.ok) return parameter;
  const label = await heldLabel(request, vin.value, context);
  if ('status' in label) return { ok: false, response: label };
  return { ok: true, value: { label, parameter: parameter.value } };
}

const WIDTH: Parameter<number> = {
  name: 'width',
  values: Object.fromEntries(PREVIEW_WIDTHS.map((width) => [width, width])),
  absent: PREVIEW_WIDTH,
};

/** GET /api/sticker/{vin}/preview */
export async function getPreview(
  request: ApiRequest,
  segment: string,
  context: HttpContext,
): Promise<ApiResponse> {
  const requested = await requestedLabel(request, segment, context, WIDTH);
  if (!requested.ok) return requested.response;
  const { label, parameter: width } = requested.value;
  const { vin, fetched } = label;
  const etag = `"${label.sha256}-${width}"`;
  const unchanged = () => context.headerSets.notModified(etag, IMMUTABLE, fetched);
  const conditional = conditionalResponse(request, { etag, modified: fetched, unchanged }, context, vin);
  if (conditional) return conditional;
  const webp = await context.lookup.preview(label, width);
  if (!webp) {
    const detail = "We couldn't render a preview of this sticker. The PDF is available.";
    return problem(context, { reason: 'no-preview', detail, vin });
  }
  const digest = digestOf(hash('sha256', webp, 'hex'));
  return { status: 200, head: context.headerSets.webp(webp.length, etag, digest, fetched), body: webp };
}

const INCLUDE: Parameter<boolean> = { name: 'include', values: { text: true }, absent: false };

/** GET /api/v1/vin/{vin}/label */
export async function getLabel(
  request: ApiRequest,
  segment: string,
  context: HttpContext,
): Promise<ApiResponse> {
  const requested = await requestedLabel(request, segment, context, INCLUDE);
  if (!requested.ok) return requested.response;
  const { label, parameter: withText } = requested.value;
  const reading = await context.lookup.reading(label);
  const lines = withText ? ((await context.lookup.lines(label)) ?? []) : null;
  // Many may have waited for the same reading.
  await context.turn();
  const body = asciiJson(labelResponse(label, reading, lines));
  const etag = etagOf(body);
  // Reading may succeed the next time.
  const isTemporary = reading.reason === 'timeout' || reading.reason === 'memory';
  const control = isTemporary ? 'no-store' : HELD_CACHE_CONTROL;
  const unchanged = () => context.headerSets.notModified(etag, control, null);
  return (
    conditionalResponse(request, { etag, modified: null, unchanged }, context, label.vin) ?? {
      status: 200,
      head: context.headerSets.json(body, etag, control),
      body,
    }
  );
}
