import { HELD_CACHE_CONTROL } from '../lookup/outcomes.ts';
import { labelResponse } from '../lookup/label-response.ts';
import { asciiJson, type ApiRequest, type ApiResponse } from './response.ts';
import { etagOf } from './headers.ts';
import { conditionalResponse } from './conditional-response.ts';
import { takeParameter, takeVin } from './params.ts';
import type { HttpContext } from './context.ts';
import { heldLabel } from './sticker.ts';

const INCLUDE = { text: true } as const;

/** GET /api/v1/vin/{vin}/label */
export async function readSticker(
  request: ApiRequest,
  segment: string,
  context: HttpContext,
): Promise<ApiResponse> {
  const vin = takeVin(segment, context);
  if (!vin.ok) return vin.response;
  const withText = takeParameter<boolean>(request, vin.value, context, 'include', INCLUDE, false);
  if (!withText.ok) return withText.response;
  const held = await heldLabel(request, vin.value, context);
  if ('status' in held) return held;
  const reading = await context.lookup.reading(held);
  const lines = withText.value ? ((await context.lookup.lines(held)) ?? []) : null;
  const body = asciiJson(labelResponse(held, reading, lines));
  const etag = etagOf(body);
  // What the reader had no time or memory for may be read the next time.
  const passing = reading.reason === 'timeout' || reading.reason === 'memory';
  const control = passing ? 'no-store' : HELD_CACHE_CONTROL;
  const unchanged = () => context.headerSets.notModified(etag, control, null);
  return (
    conditionalResponse(request, { etag, modified: null, unchanged }, context, vin.value) ?? {
      status: 200,
      head: context.headerSets.json(body, etag, control),
      body,
    }
  );
}
