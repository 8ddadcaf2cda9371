import { HELD_CACHE_CONTROL } from '../lookup/finding-response.ts';
import { labelResponse } from '../lookup/label-response.ts';
import { asciiJson, type ApiRequest, type ApiResponse } from './response.ts';
import { etagOf } from './headers.ts';
import { conditionalResponse } from './conditional.ts';
import type { HttpContext } from './context.ts';
import type { Parameter } from './params.ts';
import { requestedLabel } from './sticker.ts';

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
