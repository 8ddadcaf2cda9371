import { hash } from 'node:crypto';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../pdf/pdf-workers.ts';
import type { ApiRequest, ApiResponse } from './response.ts';
import { digestOf, IMMUTABLE } from './headers.ts';
import { conditionalResponse } from './conditional.ts';
import type { HttpContext } from './context.ts';
import type { Parameter } from './params.ts';
import { problem } from './problems.ts';
import { requestedLabel } from './sticker.ts';

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
