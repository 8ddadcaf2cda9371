import { HELD_CACHE_CONTROL } from '../lookup/outcomes.ts';
import { labelResponse } from '../lookup/label-response.ts';
import { asciiJson, type ApiRequest, type ApiResponse } from './response.ts';
import { etagOf } from './headers.ts';
import { ifChanged } from './if-changed.ts';
import { takeParameter, takeVin } from './params.ts';
import type { Front } from './parts.ts';
import { heldLabel } from './sticker.ts';

const INCLUDE = { text: true } as const;

/** GET /api/v1/vin/{vin}/label */
export async function readSticker(request: ApiRequest, segment: string, front: Front): Promise<ApiResponse> {
  const vin = takeVin(segment, front);
  if (!vin.ok) return vin.response;
  const withText = takeParameter<boolean>(request, vin.value, front, 'include', INCLUDE, false);
  if (!withText.ok) return withText.response;
  const held = await heldLabel(request, vin.value, front);
  if ('status' in held) return held;
  const reading = await front.lookup.reading(held);
  const lines = withText.value ? ((await front.lookup.lines(held)) ?? []) : null;
  const body = asciiJson(labelResponse(held, reading, lines));
  const etag = etagOf(body);
  // What the reader had no time or memory for may be read the next time.
  const passing = reading.reason === 'timeout' || reading.reason === 'memory';
  const control = passing ? 'no-store' : HELD_CACHE_CONTROL;
  const unchanged = () => front.sets.notModified(etag, control, null);
  return (
    ifChanged(request, { etag, modified: null, unchanged }, front, vin.value) ?? {
      status: 200,
      head: front.sets.json(body, etag, control),
      body,
    }
  );
}
