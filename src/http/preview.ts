import { hash } from 'node:crypto';
import { PREVIEW_WIDTH } from '../pdf/pdf-workers.ts';
import type { ApiRequest, ApiResponse } from './response.ts';
import { digestOf, IMMUTABLE } from './headers.ts';
import { conditionalResponse } from './conditional-response.ts';
import { takeParameter, takeVin } from './params.ts';
import type { HttpContext } from './context.ts';
import { problem } from './problems.ts';
import { heldLabel } from './sticker.ts';

const WIDTHS = { 320: 320, 640: 640, 1280: 1280, 1920: 1920 } as const;

/** GET /api/sticker/{vin}/preview */
export async function getPreview(
  request: ApiRequest,
  segment: string,
  context: HttpContext,
): Promise<ApiResponse> {
  const vin = takeVin(segment, context);
  if (!vin.ok) return vin.response;
  const width = takeParameter<number>(request, vin.value, context, 'width', WIDTHS, PREVIEW_WIDTH);
  if (!width.ok) return width.response;
  const held = await heldLabel(request, vin.value, context);
  if ('status' in held) return held;
  const etag = `"${held.sha256}-${width.value}"`;
  const unchanged = () => context.headerSets.notModified(etag, IMMUTABLE, held.fetched);
  const same = conditionalResponse(request, { etag, modified: held.fetched, unchanged }, context, vin.value);
  if (same) return same;
  const webp = await context.lookup.preview(held, width.value);
  if (!webp) {
    const detail = "We couldn't render a preview of this sticker. The PDF is available.";
    return problem(context, { reason: 'no-preview', detail, vin: vin.value });
  }
  const digest = digestOf(hash('sha256', webp, 'hex'));
  return { status: 200, head: context.headerSets.webp(webp.length, etag, digest, held.fetched), body: webp };
}
